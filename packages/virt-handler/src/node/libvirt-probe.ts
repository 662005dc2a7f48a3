/**
 * Asks libvirt once what this node's QEMU can do, with a libvirtd of our own: session mode, an
 * unprivileged user, a directory that is thrown away. Its cache of QEMU's capabilities is kept, because a
 * launcher that starts with it saves two seconds of probing. The cache is valid only for the same set of
 * loaded drivers (libvirt compares their change times), so we load what a launcher loads.
 */
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, systemClock } from '@podvisor/base';
import { LibvirtConnection } from '@podvisor/libvirt';
import { entriesBelow, isAlive, startProcess } from '@podvisor/sys';

const DRIVER_DIRS = [
  '/usr/lib/x86_64-linux-gnu/libvirt/connection-driver',
  '/usr/lib/aarch64-linux-gnu/libvirt/connection-driver',
  '/usr/lib64/libvirt/connection-driver',
];
const DRIVER = 'libvirt_driver_qemu.so';
/** `nobody`: libvirt refuses a user that has no entry in passwd, and this one is everywhere. */
const PROBE_UID = 65534;
const START_TIMEOUT_MS = 30_000;
const LISTEN_TRIES = 100;
const LISTEN_WAIT_MS = 10;
/** Of our directories; the pid of who asked follows. */
const PREFIX = 'podvisor-probe-';

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
  removeLeftovers();
  const root = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
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
      keepCache(join(root, 'k/libvirt/qemu/cache'), options.cacheDir);
      return result;
    } finally {
      daemon.kill('SIGTERM');
      await daemon.exited;
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Of those who were killed while they asked; their libvirtd ended with them. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (pid > 0 && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function prepare(root: string, cacheDir: string): void {
  const directories = ['', 'h', 'r', 'r/libvirt', 'k', 'k/libvirt', 'k/libvirt/qemu', 'c', 'd', 'drivers'];
  for (const directory of directories) mkdirSync(join(root, directory), { recursive: true, mode: 0o700 });
  const kept = join(cacheDir, 'libvirt/qemu/cache');
  copyCache(kept, join(root, 'k/libvirt/qemu/cache'));
  const drivers = DRIVER_DIRS.find((dir) => existsSync(join(dir, DRIVER)));
  if (drivers === undefined) throw new Error(`${DRIVER} was not found: install libvirt-daemon`);
  symlinkSync(join(drivers, DRIVER), join(root, 'drivers', DRIVER));
  for (const directory of [...directories, ...cacheEntries(root)])
    chownSync(join(root, directory), PROBE_UID, PROBE_UID);
}

/** A cache that another node swaps out while we copy is of no use: probing without one only takes longer. */
function copyCache(kept: string, target: string): void {
  if (!existsSync(kept)) return;
  try {
    cpSync(kept, target, { recursive: true });
  } catch {
    rmSync(target, { recursive: true, force: true });
  }
}

function cacheEntries(root: string): readonly string[] {
  const cache = 'k/libvirt/qemu/cache';
  return existsSync(join(root, cache)) ? [cache, `${cache}/capabilities`] : [];
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

/**
 * Swapped in as a whole: launchers that start meanwhile find the old cache, the new one, or for a moment none.
 * Several nodes of one machine share the directory and may swap at once: each works on names of its own and only
 * renames, and whoever comes too late lets the other's cache be. It only saves time, so no failure counts.
 */
export function keepCache(made: string, cacheDir: string): void {
  const target = join(cacheDir, 'libvirt/qemu/cache');
  const [fresh, old] = [`${target}.new-${process.pid}`, `${target}.old-${process.pid}`];
  const remove = (path: string): void => rmSync(path, { recursive: true, force: true });
  try {
    remove(fresh);
    remove(old);
    cpSync(made, fresh, { recursive: true });
    for (const entry of entriesBelow(fresh))
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
    chmodSync(fresh, 0o755);
    if (existsSync(target)) renameSync(target, old);
    renameSync(fresh, target);
  } catch {
    // Another node was faster, or the disk is full: the next probe makes it good.
  }
  for (const path of [fresh, old]) {
    try {
      remove(path);
    } catch {
      // Nobody looks at it; the next process of this number removes it.
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
