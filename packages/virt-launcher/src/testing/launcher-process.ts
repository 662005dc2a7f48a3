/** A real launcher process for machine tests: outside a Pod, in a directory of its own, as an unprivileged user. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DomainState, SyncOptions, VirtualMachineInstance } from '@podvisor/api';
import { launcherProto } from '@podvisor/api';
import { credentials } from '@grpc/grpc-js';
import { tinyGuestDisk } from './tiny-guest.ts';
import { waitForFile } from '../start-up/wait-for-file.ts';

/** `nobody`: has a passwd entry, which libvirt needs, and no rights. */
export const UID = 65534;
const NODE_FLAGS = (process.env['PODVISOR_LAUNCHER_NODE_FLAGS'] ?? '')
  .split(' ')
  .filter((flag) => flag !== '');
const MAIN = new URL('../main.ts', import.meta.url).pathname;

export interface TestLauncher {
  readonly directory: string;
  readonly uid: string;
  readonly child: ChildProcess;
  readonly client: launcherProto.LauncherClient;
  /** Log lines and errors of the process. */
  output(): string;
  readonly exited: Promise<number | null>;
  /** Waits for a state that satisfies the test, from the stream of states. */
  state(
    wanted: (state: DomainState | undefined) => boolean,
    what: string,
    timeoutMs?: number,
  ): Promise<DomainState | undefined>;
  call(method: Verb, vmi: Pick<VirtualMachineInstance, 'metadata'>): Promise<launcherProto.Response>;
  sync(vmi: VirtualMachineInstance, options?: Partial<SyncOptions>): Promise<launcherProto.Response>;
  libvirtdPid(): number;
  qemuPid(): number;
  /** True once a state said that there is no domain after there had been one. */
  gone(): boolean;
  /** A VMI that boots the tiny guest from a claim. */
  tinyVmi(): VirtualMachineInstance;
  tinyOptions(): Partial<SyncOptions>;
  /** Boots from the other launcher's disk, as two Pods with one claim would. */
  shareDiskOf(other: TestLauncher): void;
  stop(): Promise<void>;
}

type Verb =
  | 'pauseVirtualMachine'
  | 'unpauseVirtualMachine'
  | 'killVirtualMachine'
  | 'deleteVirtualMachine'
  | 'shutdownVirtualMachine'
  | 'resetVirtualMachine';

/** $0 is the launcher's directory. */
const OPEN_TUN = 'mknod -m 666 "$0/tun" c 10 200 && mount --bind "$0/tun" /dev/net/tun && exec "$@"';

/** Keeps libvirt's probe of QEMU from one test to the next, as a node's warm cache does. */
const CACHE = '/tmp/podvisor-test-capabilities';

export async function startTestLauncher(
  options: {
    readonly graceSeconds?: number;
    readonly main?: string;
    /** More flags. */
    readonly flags?: readonly string[];
    /** Called before the launcher starts, with its directory. */
    readonly prepare?: (directory: string) => void;
    /** Gives the launcher a /dev/net/tun that it may open, as the Pod's device plugin does. */
    readonly tun?: boolean;
  } = {},
): Promise<TestLauncher> {
  const directory = mkdtempSync('/tmp/pvl-');
  options.prepare?.(directory);
  for (const path of ['.', ...readdirSync(directory, { recursive: true }).map(String)])
    lchownSync(join(directory, path), UID, UID);
  const uid = 'f4686d2c-6e8d-4335-b8fd-81bee22f4814';
  const lines: string[] = [];
  mkdirSync(CACHE, { recursive: true });
  const child = spawn(
    'unshare',
    [
      ...['--mount', 'sh', '-c', options.tun === true ? OPEN_TUN : 'exec "$@"', directory, 'setpriv'],
      `--reuid=${UID}`,
      `--regid=${UID}`,
      '--clear-groups',
      // As in the Pod: without someone who reaps it, an ended QEMU stays a zombie and libvirt waits for it. A program of
      // tests that is interrupted takes its launchers along (-p).
      ...['/usr/bin/tini', '-s', '-p', 'SIGTERM', '--'],
      process.execPath,
      ...NODE_FLAGS,
      options.main ?? MAIN,
      ...['--name', 'testvmi', '--namespace', 'default', '--uid', uid],
      ...['--kubevirt-share-dir', join(directory, 's'), '--private-dir', join(directory, 'p')],
      ...['--ephemeral-disk-dir', join(directory, 'e'), '--container-disk-dir', join(directory, 'c')],
      ...['--libvirt-runtime-dir', join(directory, 'l'), '--image-volume-dir', join(directory, 'i')],
      ...['--grace-period-seconds', String(options.graceSeconds ?? 5), '--capabilities-cache-dir', CACHE],
      ...['--kernel-boot-dir', join(directory, 'k'), '--hooks-dir', join(directory, 'h')],
      ...(options.flags ?? []),
      '--allow-emulation',
      '--run-as-nonroot',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' },
  );
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const socket = join(directory, 's/sockets/launcher-sock');
  const ready = async (): Promise<void> => {
    await until(() => existsSync(join(directory, 's/sockets')), 10_000, 'the sockets directory');
    await waitForFile(socket, AbortSignal.timeout(20_000));
  };
  await Promise.race([
    ready(),
    exited.then((code) => {
      throw new Error(`the launcher ended with ${code}: ${lines.join('')}`);
    }),
  ]);
  const client = new launcherProto.LauncherClient(`unix://${socket}`, credentials.createInsecure());
  const states = watch(client);
  const claim = join(directory, 'p/vmi-disks/boot');
  mkdirSync(claim, { recursive: true });
  writeFileSync(join(claim, 'disk.img'), tinyGuestDisk());
  for (const path of [claim, join(claim, 'disk.img')]) chownSync(path, UID, UID);
  const pidOf = (path: string): number => Number(readFileSync(path, 'utf8'));
  return {
    directory,
    uid,
    child,
    client,
    output: () => lines.join(''),
    exited,
    state: states.wait,
    gone: states.gone,
    call: (method, vmi) =>
      new Promise((resolve, reject) =>
        client[method](
          { vmi: Buffer.from(JSON.stringify(vmi)), options: Buffer.alloc(0) },
          (error, response) => (error === null ? resolve(response) : reject(error)),
        ),
      ),
    sync: (vmi, given = {}) =>
      new Promise((resolve, reject) => {
        const full: SyncOptions = { allowEmulation: true, kvmAvailable: false, interfaces: [], ...given };
        client.syncVirtualMachine(
          { vmi: Buffer.from(JSON.stringify(vmi)), options: Buffer.from(JSON.stringify(full)) },
          (error, response) => (error === null ? resolve(response) : reject(error)),
        );
      }),
    libvirtdPid: () => pidOf(join(directory, 'l/r/libvirt/libvirtd.pid')),
    qemuPid: () => pidOf(join(directory, 'l/r/libvirt/qemu/run/default_testvmi.pid')),
    tinyVmi: () => tinyVmi(uid),
    tinyOptions: () => ({ volumes: { boot: { block: false, capacityBytes: 1024 * 1024 } } }),
    shareDiskOf: (other) => {
      // The directory, as a kubelet mounts the same one into both: an image with two names is refused.
      rmSync(claim, { recursive: true });
      symlinkSync(join(other.directory, 'p/vmi-disks/boot'), claim);
    },
    stop: async () => {
      client.close();
      const qemu = existsSync(join(directory, 'l/r/libvirt/qemu/run/default_testvmi.pid'))
        ? pidOf(join(directory, 'l/r/libvirt/qemu/run/default_testvmi.pid'))
        : undefined;
      if (qemu !== undefined && existsSync(`/proc/${qemu}`)) process.kill(qemu, 'SIGKILL');
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exited;
      const cache = join(directory, 'l/k/libvirt/qemu/cache/capabilities');
      if (existsSync(cache)) {
        cpSync(cache, `${CACHE}/libvirt/qemu/cache/capabilities`, { recursive: true });
        for (const file of readdirSync(CACHE, { recursive: true }))
          chownSync(join(CACHE, String(file)), UID, UID);
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function tinyVmi(uid: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'testvmi', namespace: 'default', uid },
    spec: {
      domain: {
        machine: { type: 'q35' },
        memory: { guest: '64Mi' },
        resources: { requests: { memory: '64Mi' } },
        firmware: { uuid: 'b9df5113-f58d-429a-ad18-97e8c36342c4' },
        features: { acpi: {} },
        devices: { disks: [{ name: 'boot', bootOrder: 1, disk: { bus: 'virtio' } }] },
      },
      volumes: [{ name: 'boot', persistentVolumeClaim: { claimName: 'boot' } }],
    },
  };
}

function watch(client: launcherProto.LauncherClient): { wait: TestLauncher['state']; gone: () => boolean } {
  let present = false;
  let gone = false;
  let current: { readonly state: DomainState | undefined } | undefined;
  const waiters = new Set<() => void>();
  const stream = client.watchDomain({});
  stream.on('data', (event: launcherProto.DomainEvent) => {
    current = {
      state: event.domain.length === 0 ? undefined : (JSON.parse(event.domain.toString()) as DomainState),
    };
    gone ||= present && current.state === undefined;
    present ||= current.state !== undefined;
    for (const check of waiters) check();
  });
  stream.on('error', () => {}); // the launcher ends its streams by leaving
  const wait: TestLauncher['state'] = (wanted, what, timeoutMs = 60_000) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(check);
        reject(new Error(`never saw ${what}; last state: ${JSON.stringify(current?.state)}`));
      }, timeoutMs);
      const check = (): void => {
        if (current === undefined || !wanted(current.state)) return;
        clearTimeout(timer);
        waiters.delete(check);
        resolve(current.state);
      };
      waiters.add(check);
      check();
    });
  return { wait, gone: () => gone };
}

export async function until(test: () => boolean, timeoutMs: number, what: string): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!test()) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
