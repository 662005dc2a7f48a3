/**
 * Asks libvirt once what this node's QEMU can do, with a libvirtd of our own: session mode, an
 * unprivileged user, a directory that is thrown away. Its cache of QEMU's capabilities is kept, because a
 * launcher that starts with it saves two seconds of probing. The cache is valid only for the same set of
 * loaded drivers (libvirt compares their change times), so we load what a launcher loads.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, systemClock } from '@podvisor/base';
import { LibvirtConnection } from '@podvisor/libvirt';
import { startProcess } from '@podvisor/sys';
import { keepCache, takeOutCache } from './capabilities-cache.ts';
import { makeProbeDirectory, removeLeftovers } from './probe-leftovers.ts';

const DRIVER_DIRS = [
  '/usr/lib/x86_64-linux-gnu/libvirt/connection-driver',
  '/usr/lib/aarch64-linux-gnu/libvirt/connection-driver',
  '/usr/lib64/libvirt/connection-driver',
];
const DRIVER = 'libvirt_driver_qemu.so';
/** `nobody`: libvirt refuses a user that has no entry in passwd, and this one is everywhere. */
const PROBE_UID = 65534;
/** Below our directory; XDG_CACHE_HOME is `k`. */
const CACHE = 'k/libvirt/qemu/cache';
const START_TIMEOUT_MS = 30_000;
const LISTEN_TRIES = 100;
const LISTEN_WAIT_MS = 10;

export interface ProbeResult {
  /** XML of virConnectGetCapabilities. */
  readonly capabilities: string;
  /** XML of virConnectGetDomainCapabilities for the node's own architecture. */
  readonly domainCapabilities: string;
}

export interface ProbeOptions {
  readonly kvmUsable: boolean;
  /** Where the capabilities cache goes: `<dir>/libvirt/qemu/cache/capabilities`. */
  readonly cacheDir: string;
}

export async function probeLibvirt(options: ProbeOptions, signal: AbortSignal): Promise<ProbeResult> {
  removeLeftovers(tmpdir());
  const root = makeProbeDirectory(tmpdir());
  try {
    prepare(root, options.cacheDir);
    // The group of /dev/kvm makes the probe see KVM as a launcher will.
    const group = options.kvmUsable ? statSync('/dev/kvm').gid : PROBE_UID;
    // It ends with us, also when we are killed.
    const identity = [`--reuid=${PROBE_UID}`, `--regid=${group}`, '--clear-groups', '--pdeathsig=TERM'];
    const daemon = await startProcess('setpriv', [...identity, '/usr/sbin/libvirtd'], {
      logFile: join(root, 'libvirtd.log'),
      env: {
        HOME: join(root, 'h'),
        XDG_RUNTIME_DIR: join(root, 'r'),
        XDG_CACHE_HOME: join(root, 'k'),
        XDG_CONFIG_HOME: join(root, 'c'),
        XDG_DATA_HOME: join(root, 'd'),
        LIBVIRT_DRIVER_DIR: join(root, 'drivers'),
      },
    });
    try {
      const ended = daemon.exited.then(() =>
        Promise.reject(new Error('libvirtd ended while it was starting')),
      );
      const socketPath = join(root, 'r/libvirt/libvirt-sock');
      await Promise.race([waitForSocket(socketPath, signal), ended]);
      const result = await ask(socketPath, options.kvmUsable, signal);
      keepCache(root, CACHE, options.cacheDir);
      return result;
    } finally {
      daemon.kill('SIGTERM');
      await daemon.exited;
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * Other processes of the machine may be `nobody` as well, so nothing that root does later goes by a name that nobody
 * can change: the directory itself, the log and the driver stay root's, and what is given away is given away from
 * the inside out, when root has no more to do in it.
 */
function prepare(root: string, cacheDir: string): void {
  const directories = [
    'h',
    'r',
    'r/libvirt',
    'k',
    'k/libvirt',
    'k/libvirt/qemu',
    CACHE,
    `${CACHE}/capabilities`,
  ];
  for (const directory of [...directories, 'c', 'd', 'drivers'])
    mkdirSync(join(root, directory), { mode: 0o700 });
  chmodSync(root, 0o711);
  chmodSync(join(root, 'drivers'), 0o755);
  const files = takeOutCache(cacheDir, join(root, CACHE));
  const drivers = DRIVER_DIRS.find((dir) => existsSync(join(dir, DRIVER)));
  if (drivers === undefined) throw new Error(`${DRIVER} was not found: install libvirt-daemon`);
  symlinkSync(join(drivers, DRIVER), join(root, 'drivers', DRIVER));
  for (const name of [...files.map((file) => join(CACHE, file)), ...directories.toReversed(), 'c', 'd'])
    chownSync(join(root, name), PROBE_UID, PROBE_UID);
}

async function ask(socketPath: string, kvmUsable: boolean, signal: AbortSignal): Promise<ProbeResult> {
  await using connection = await connect(socketPath, signal);
  const virtType = kvmUsable ? 'kvm' : 'qemu';
  const [capabilities, domainCapabilities] = await Promise.all([
    connection.capabilities(),
    connection.domainCapabilities({ virtType }),
  ]);
  return { capabilities, domainCapabilities };
}

/** The socket's file is there a moment before libvirtd listens on it. */
async function connect(socketPath: string, signal: AbortSignal): Promise<LibvirtConnection> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await LibvirtConnection.open({ socketPath, signal });
    } catch (error) {
      const isEarly = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
      if (!isEarly || tries >= LISTEN_TRIES) throw error;
      await sleep(systemClock, LISTEN_WAIT_MS, signal);
    }
  }
}

function waitForSocket(path: string, signal: AbortSignal): Promise<void> {
  if (existsSync(path)) return Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const watcher = watch(join(path, '..'), () => {
    if (existsSync(path)) resolve();
  });
  const timer = setTimeout(
    () => reject(new Error('libvirtd did not open its socket in time')),
    START_TIMEOUT_MS,
  );
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  if (existsSync(path)) resolve();
  return promise.finally(() => {
    watcher.close();
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  });
}
