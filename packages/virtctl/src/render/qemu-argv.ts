/**
 * The QEMU command line of a domain, as libvirt itself makes it: a private libvirtd in session mode, with its own
 * directories, that ends when the answer is there. Nothing of the machine's own libvirt is touched.
 */
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, systemClock } from '@podvisor/base';
import { isAlive, run, startProcess, ToolError } from '@podvisor/sys';
import { domainFromXml, domainToXml } from '@podvisor/translate';

const LIBVIRTD = '/usr/sbin/libvirtd';
/**
 * As root libvirtd would be the machine's own; so it runs as nobody. Other processes of the machine may be nobody as
 * well and use its socket: it must have no right that they have not.
 */
const NOBODY = 65534;
const START_TIMEOUT_MS = 20_000;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
/**
 * To show a NIC, libvirt makes its TAP device: with the rights of a user namespace, in a network namespace, which both
 * end with the daemon. The node of TAP devices may be root's alone: it sees one of its own in its place.
 */
const WITH_TAPS = [
  ...['unshare', '--mount', 'sh', '-c'],
  'mount -t tmpfs -o mode=755 tap /dev/net && mknod -m 666 /dev/net/tun c 10 200 && exec "$@"',
  ...['sh', ...AS_NOBODY, 'unshare', '--user', '--map-current-user', '--keep-caps', '--net'],
];

/** One option a line, continued by backslashes. Throws with libvirt's own words as the cause. */
export async function qemuCommandLine(xml: string, signal: AbortSignal): Promise<string> {
  if (!existsSync(LIBVIRTD)) {
    throw new Error('--qemu needs libvirt on this machine: apt-get install libvirt-daemon libvirt-clients');
  }
  const isRoot = process.getuid?.() === 0;
  const home = mkdtempSync(join(tmpdir(), 'virtctl-render-'));
  const env = prepare(home, forThisMachine(xml, isRoot), isRoot);
  const [command = LIBVIRTD, ...args] = isRoot
    ? [...WITH_TAPS, LIBVIRTD, '--timeout', '60']
    : [LIBVIRTD, '--timeout', '60'];
  const daemon = await startProcess(command, args, { env });
  try {
    await listening(join(home, 'run/libvirt/libvirt-sock'), daemon.pid, signal);
    const file = join(home, 'domain.xml');
    const virsh = ['virsh', '-q', '-c', 'qemu:///session', 'domxml-to-native', 'qemu-argv', file];
    const [tool = 'virsh', ...rest] = isRoot ? [...AS_NOBODY, ...virsh] : virsh;
    const { stdout } = await run(tool, rest, { env, signal });
    const note = isRoot ? '' : '# without its NICs: only root may make their TAP devices\n';
    return `${note}${readable(stdout)}`;
  } catch (error) {
    const cause = error instanceof ToolError && error.stderr !== '' ? new Error(error.stderr.trim()) : error;
    throw new Error('libvirt on this machine could not turn the domain into a QEMU command line', { cause });
  } finally {
    daemon.kill();
    await daemon.exited;
    rmSync(home, { recursive: true, force: true });
  }
}

/** The launcher's script is not here: QEMU is asked itself. */
function forThisMachine(xml: string, isRoot: boolean): string {
  const domain = domainFromXml(xml);
  const { emulator: _emulator, ...devices } = domain.devices ?? {};
  return domainToXml({ ...domain, devices: isRoot ? devices : { ...devices, interfaces: [] } });
}

/** Directories and the domain's file, owned by who will read them. */
function prepare(home: string, xml: string, isRoot: boolean): Readonly<Record<string, string>> {
  const directories = { XDG_CACHE_HOME: 'cache', XDG_CONFIG_HOME: 'config', XDG_RUNTIME_DIR: 'run' };
  const env: Record<string, string> = { HOME: home };
  writeFileSync(join(home, 'domain.xml'), xml);
  for (const [name, directory] of Object.entries(directories)) {
    env[name] = join(home, directory);
    mkdirSync(join(home, directory), { mode: 0o700 });
  }
  if (isRoot) {
    // The directory itself last: until then nobody can put anything else in place of what is given away.
    for (const path of ['domain.xml', ...Object.values(directories), '']) {
      chownSync(join(home, path), NOBODY, NOBODY);
    }
  }
  return env;
}

async function listening(socket: string, pid: number, signal: AbortSignal): Promise<void> {
  const deadline = systemClock.now() + START_TIMEOUT_MS;
  while (!existsSync(socket)) {
    if (!isAlive(pid)) throw new Error('libvirtd ended at once; run it by hand to see why');
    if (systemClock.now() > deadline) throw new Error('libvirtd does not listen after 20 s');
    await sleep(systemClock, 50, signal);
  }
}

/** Options on a line each, without the environment, which is that of our private libvirtd. */
export function readable(commandLine: string): string {
  const words = commandLine
    .trim()
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .replace(/^(?:[A-Z_]+=\S* )+/, '');
  return `${words.replaceAll(/ (?=-[a-z])/g, ' \\\n  ')}\n`;
}
