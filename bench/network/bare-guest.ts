/**
 * The yardstick of the bindings: a QEMU with the command line of a guest that runs here, in a control group like its
 * Pod's, whose TAP is a port of a bridge of this machine. Only the network is another.
 */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { launcherPaths, type VirtualMachine } from '@podvisor/api';
import { prepareCloudInit } from '@podvisor/storage';
import { cgroupDirectories, removeCgroup, run, startProcess } from '@podvisor/sys';
import { networkVm } from '../../test/support/guests/network-vm.ts';
import { bareCommandLine } from './command-line.ts';

const MACHINE = '192.168.231.1';
const GUEST = '192.168.231.2';
const START = 'for group in $GROUPS_TO_JOIN; do echo $$ > "$group/cgroup.procs"; done; exec "$@"';

export interface BareGuest extends AsyncDisposable {
  readonly guest: string;
  readonly machine: string;
  /** What QEMU said: nothing, when all is well. */
  words(): string;
}

export interface BareOptions {
  /** The VM whose first-boot commands it has; a guest that measures its network unless told. */
  readonly vm?: (networkData: string) => VirtualMachine;
  /** Files and devices of its own for disks that two guests must not share. */
  readonly diskOf?: (path: string) => string | undefined;
  /** Queue pairs of its NIC, as the guest has that it is like; 1 unless told. */
  readonly queues?: number;
}

/** A guest like the VM `like`, which runs in the instance `instance`. */
export async function startBareGuest(
  instance: string,
  like: string,
  { vm = (networkData) => networkVm('bare', [], [], networkData), diskOf, queues = 1 }: BareOptions = {},
): Promise<BareGuest> {
  const directory = mkdtempSync('/var/tmp/podvisor-bench-');
  const [bridge, tap] = [`pvbb${process.pid}`, `pvbt${process.pid}`];
  const pod = `/podvisor/${instance}/bare-${process.pid}`;
  const remove = async (): Promise<void> => {
    for (const link of [tap, bridge]) await run('ip', ['link', 'del', link], { okCodes: [0, 1] });
    removeCgroup(pod);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await run('ip', ['link', 'add', bridge, 'type', 'bridge']);
    await run('ip', ['addr', 'add', `${MACHINE}/24`, 'dev', bridge]);
    const several = queues > 1 ? ['multi_queue'] : [];
    await run('ip', ['tuntap', 'add', 'dev', tap, 'mode', 'tap', 'vnet_hdr', ...several]);
    await run('ip', ['link', 'set', tap, 'master', bridge, 'up']);
    await run('ip', ['link', 'set', bridge, 'up']);
    const { pid, words } = processOf(like);
    const iso = await seed(directory, vm);
    const overlayPath = /"filename":"([^"]*\/disk\.qcow2)"/.exec(words.join(' '))?.[1] ?? '';
    const overlay = await freshOverlay(pid, overlayPath, directory);
    const args = bareCommandLine(words.slice(1), {
      tap,
      queues,
      vncSocket: join(directory, 'vnc'),
      fileOf: (path) =>
        path.endsWith('.iso') ? iso : path === overlayPath ? overlay : (diskOf?.(path) ?? inPod(pid, path)),
    });
    const env = { GROUPS_TO_JOIN: joinable(pid, pod).join(' ') };
    const qemu = await startProcess('sh', ['-c', START, 'sh', words[0] ?? '', ...args], {
      env,
      logFile: join(directory, 'log'),
    });
    return {
      guest: GUEST,
      machine: MACHINE,
      words: () => readFileSync(join(directory, 'log'), 'utf8'),
      [Symbol.asyncDispose]: async () => {
        qemu.kill('SIGKILL');
        await qemu.exited;
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The same first-boot commands as the other guests have, and an address without DHCP. */
async function seed(directory: string, vm: (networkData: string) => VirtualMachine): Promise<string> {
  const networkData = [
    'version: 2',
    'ethernets:',
    '  eth0:',
    '    addresses:',
    `      - ${GUEST}/24`,
    `    gateway4: ${MACHINE}`,
    '',
  ].join('\n');
  const { metadata, spec } = vm(networkData);
  const paths = launcherPaths({ ephemeralDir: directory, privateDir: directory });
  const vmi = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata,
    spec: spec.template.spec ?? { domain: { devices: {} } },
  } as const;
  await prepareCloudInit(vmi, paths, new AbortController().signal);
  return paths.noCloudIso('default', 'bare');
}

/** An empty disk, as large as the one that the guest `pid` began with; what is below it is the same file. */
async function freshOverlay(pid: string, path: string, directory: string): Promise<string> {
  const { stdout } = await run('qemu-img', ['info', '-U', '--output=json', inPod(pid, path)]);
  const { 'virtual-size': size } = JSON.parse(stdout) as { readonly 'virtual-size': number };
  const overlay = join(directory, basename(path));
  await run('qemu-img', ['create', '-q', '-f', 'qcow2', overlay, String(size)]);
  return overlay;
}

/** A file of the Pod, whose links are absolute there. */
function inPod(pid: string, path: string): string {
  const within = (absolute: string): string =>
    `/proc/${pid}/root${absolute.replace(/^\/var\/run\//, '/run/')}`;
  return lstatSync(within(path)).isSymbolicLink() ? within(readlinkSync(within(path))) : within(path);
}

/** Makes control groups like those of the Pod's QEMU: same place among the Pods, same weight and limits. */
function joinable(pid: string, pod: string): readonly string[] {
  const theirs = /^\d*:(?:|cpu|cpu,cpuacct|cpuacct,cpu):(\/.*\/)([^/\n]*)\/([^/\n]*)$/m.exec(
    readFileSync(`/proc/${pid}/cgroup`, 'utf8'),
  );
  if (theirs === null) throw new Error(`process ${pid} is in no Pod`);
  const [, parent, uid, container] = theirs;
  return cgroupDirectories(`${parent}${uid}/${container}`).flatMap((of) => {
    const group = of.replace(`${uid}/${container}`, `${basename(pod)}/${container}`);
    const weights = ['cpu.shares', 'cpu.weight', 'cpu.cfs_quota_us', 'cpu.max'];
    const found = weights.filter((file) => readdirSync(of).includes(file));
    if (found.length === 0) return [];
    mkdirSync(group, { recursive: true });
    for (const file of found) writeFileSync(join(group, file), readFileSync(join(of, file)));
    return [group];
  });
}

/** The QEMU of the VM `name`, and what libvirt told it. */
function processOf(name: string): { readonly pid: string; readonly words: readonly string[] } {
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const words = commandLine(pid);
    if (words.some((word) => word.startsWith(`guest=default_${name},`))) return { pid, words };
  }
  throw new Error(`no QEMU runs the VM ${name}`);
}

function commandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // It has ended.
  }
}
