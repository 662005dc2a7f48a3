/**
 * `podvisor service install|remove`: a systemd unit for the home. systemd starts the supervisor at boot and again when
 * it is killed; the supervisor does the rest, and virt-controller starts VMs by their run strategy. Ending the unit
 * ends no VM: they are not the supervisor's children, and KillMode=process leaves them alone.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InstancePaths, instancePaths, readInstanceConfig, readPidFile, run } from '@podvisor/sys';
import { endProcess } from './supervisor/end-process.ts';
import { accessibleHome } from './home/home-access.ts';
import { prepareCommand, supervisorCommand } from './supervisor/supervisor-command.ts';

/** What of systemd is used; a test brings its own. */
export interface Systemd {
  /** Where an administrator's units are. */
  readonly directory: string;
  /** Whether systemd runs this machine. */
  readonly isRunning: boolean;
  systemctl(...args: readonly string[]): Promise<unknown>;
}

export const machineSystemd = (): Systemd => ({
  directory: '/etc/systemd/system',
  // sd_booted(3).
  isRunning: existsSync('/run/systemd/system'),
  systemctl: (...args) => run('systemctl', args, { timeoutMs: 60_000 }),
});

/** `podvisor.service`; homes elsewhere carry their own name. */
export function unitName(home: string): string {
  return home === '/var/lib/podvisor'
    ? 'podvisor.service'
    : `podvisor-${readInstanceConfig(home).name}.service`;
}

/** The unit. Pure. */
export function unitText(paths: Pick<InstancePaths, 'home' | 'lib' | 'logs'>): string {
  const { program, args, env } = supervisorCommand(paths);
  const words = [program, ...args].map(quoted).join(' ');
  const before = prepareCommand(paths).map(quoted).join(' ');
  const log = `append:${paths.logs}/supervisor.log`;
  return `# Made by \`podvisor service install\`; \`podvisor service remove\` takes it away.
[Unit]
Description=Podvisor, virtual machines on Kubernetes Pods (${paths.home})
After=network.target
RequiresMountsFor=${quoted(paths.home)}

[Service]
ExecStartPre=-${before}
ExecStart=${words}
${Object.entries(env)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`)
  .join('\n')}
Restart=on-failure
RestartSec=1
KillMode=process
TimeoutStopSec=30
Delegate=yes
TasksMax=infinity
LimitNOFILE=1048576
StandardOutput=${log}
StandardError=${log}

[Install]
WantedBy=multi-user.target
`;
}

/** systemd.syntax(7): specifiers begin with %, variables with $. */
function quoted(word: string): string {
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /[\s"']/.test(escaped) ? `"${escaped.replaceAll('"', '\\"')}"` : escaped;
}

/** Whether systemd keeps this home. */
export function isService(home: string, systemd = machineSystemd()): boolean {
  return systemd.isRunning && existsSync(join(systemd.directory, unitName(home)));
}

export async function installService(home: string, systemd = machineSystemd()): Promise<void> {
  if (accessibleHome(home) === 'absent')
    throw new Error(`nothing is set up in ${home}: run \`podvisor up\` first`);
  if (!systemd.isRunning)
    throw new Error(
      `systemd does not run this machine. Let what starts it run \`PODVISOR_HOME=${home} ./podvisor up\` at boot`,
    );
  const paths = instancePaths(home);
  const name = unitName(home);
  writeFileSync(join(systemd.directory, name), unitText(paths), { mode: 0o644 });
  await systemd.systemctl('daemon-reload');
  // Its successor is systemd's child, and takes over what it leaves.
  const pid = readPidFile(`${paths.run}/supervisor.pid`);
  if (pid !== undefined) await endProcess(pid, 15_000);
  await systemd.systemctl('enable', '--now', name);
  console.log(
    `${name} keeps ${home} running, also after a restart of the machine. Its state: systemctl status ${name}`,
  );
}

/** The unit as these programs want it: one that an earlier version wrote is written anew. For a home that has one. */
export async function refreshService(home: string, systemd = machineSystemd()): Promise<void> {
  const file = join(systemd.directory, unitName(home));
  const text = unitText(instancePaths(home));
  if (readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text, { mode: 0o644 });
  await systemd.systemctl('daemon-reload');
}

/** Silent where there is none. */
export async function removeService(home: string, systemd = machineSystemd()): Promise<void> {
  if (accessibleHome(home) === 'absent') throw new Error(`nothing is set up in ${home}`);
  const name = unitName(home);
  const file = join(systemd.directory, name);
  if (!existsSync(file)) {
    console.log(`${name} is not installed`);
    return;
  }
  if (systemd.isRunning) await systemd.systemctl('disable', name);
  rmSync(file);
  if (systemd.isRunning) await systemd.systemctl('daemon-reload');
  console.log(`${name} is removed; what runs goes on until \`podvisor down\``);
}
