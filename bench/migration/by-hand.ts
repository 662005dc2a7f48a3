/**
 * The hello guest under two libvirtd of the same machine, moved to and fro by `virsh migrate`: the yardstick. It runs by
 * the same script as ours: without it QEMU 7.2 sends less, because it loses writes (decision 010).
 */
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, type StartedProcess, startProcess } from '@podvisor/sys';
import { emulatorScript } from '../../packages/virt-launcher/src/start-up/emulator.ts';
import { eventually } from '../../test/support/eventually.ts';

/** Milliseconds. */
export interface MoveFigures {
  readonly totalMs: number;
  readonly downtimeMs: number;
}

const NOBODY = 65534;
const SEED_BYTES = 1024 * 1024;
const USER = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'];

interface Side {
  readonly directory: string;
  readonly socket: string;
  readonly libvirtd: StartedProcess;
}

export class ByHand implements AsyncDisposable {
  readonly #image: string;
  readonly #sides: readonly [Side, Side];
  #at: 0 | 1 = 0;

  private constructor(image: string, sides: readonly [Side, Side]) {
    this.#image = image;
    this.#sides = sides;
  }

  /** Boots the guest on the first side, from a qcow2 image that everybody may read. */
  static async start(image: string): Promise<ByHand> {
    const sides = [await startSide(image), await startSide(image)] as const;
    const [first] = sides;
    writeFileSync(join(first.directory, 'domain.xml'), domainXml(first.directory));
    await virsh(first, 'create', join(first.directory, 'domain.xml'));
    await eventually('the guest by hand is up', 180_000, () =>
      readFileSync(join(first.directory, 'console'), 'latin1').includes('ready,') ? true : undefined,
    );
    return new ByHand(image, sides);
  }

  async move(): Promise<MoveFigures> {
    const from = this.#sides[this.#at];
    this.#at = this.#at === 0 ? 1 : 0;
    const to = this.#sides[this.#at];
    const path = (name: string): string => join(to.directory, name);
    for (const name of ['memory', 'disks']) rmSync(path(name), { force: true });
    writeFileSync(path('domain.xml'), await targetXml(from, to));
    await makeDisks(this.#image, to.directory);
    const started = performance.now();
    await virsh(
      from,
      ...[
        'migrate',
        '--live',
        '--copy-storage-inc',
        '--migrate-disks',
        'vda,vdb',
        '--xml',
        path('domain.xml'),
      ],
      ...['--migrateuri', `unix://${path('memory')}`, '--disks-uri', `unix://${path('disks')}`],
      ...['guest', uri(to)],
    );
    const totalMs = performance.now() - started;
    const info = await virsh(to, 'domjobinfo', '--completed', 'guest');
    const downtime = /^Total downtime:\s+(\d+)/m.exec(info)?.[1];
    return { totalMs, downtimeMs: Number(downtime ?? Number.NaN) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await virsh(this.#sides[this.#at], 'destroy', 'guest').catch(() => {});
    for (const { libvirtd, directory } of this.#sides) {
      libvirtd.kill('SIGTERM');
      await libvirtd.exited;
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

async function startSide(image: string): Promise<Side> {
  const directory = mkdtempSync('/tmp/pvm-');
  for (const name of ['', 'r', 'c', 'c/libvirt', 'k', 'd'])
    mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(join(directory, 'c/libvirt/qemu.conf'), 'stdio_handler = "file"\n');
  for (const name of ['', 'r', 'c', 'c/libvirt', 'k', 'd']) chownSync(join(directory, name), NOBODY, NOBODY);
  await makeDisks(image, directory);
  const at = (name: string): string => join(directory, name);
  const libvirtd = await startProcess('setpriv', [...USER, 'tini', '-s', '--', '/usr/sbin/libvirtd'], {
    env: {
      HOME: directory,
      XDG_RUNTIME_DIR: at('r'),
      XDG_CONFIG_HOME: at('c'),
      XDG_CACHE_HOME: at('k'),
      XDG_DATA_HOME: at('d'),
    },
  });
  const socket = at('r/libvirt/libvirt-sock');
  await eventually('libvirtd listens', 30_000, () => (existsSync(socket) ? true : undefined));
  const side = { directory, socket, libvirtd };
  writeFileSync(emulatorOf(directory), emulatorScript('/usr/bin/qemu-system-x86_64'), { mode: 0o755 });
  // It probes QEMU at the first question.
  await virsh(side, 'domcapabilities', '--emulatorbin', emulatorOf(directory), '--virttype', 'qemu');
  return side;
}

/** The guest's two disks as a Pod has them: an overlay of the image, and 1 MiB of cloud-init, which is copied whole. */
async function makeDisks(image: string, directory: string): Promise<void> {
  const [root, seed] = [join(directory, 'disk'), join(directory, 'seed')];
  for (const path of [root, seed]) rmSync(path, { force: true });
  await run('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', 'qcow2', '-b', image, root]);
  writeFileSync(seed, Buffer.alloc(SEED_BYTES, 'podvisor'));
  for (const path of [root, seed]) chownSync(path, NOBODY, NOBODY);
}

function emulatorOf(directory: string): string {
  return join(directory, 'qemu');
}

function uri({ socket }: Side): string {
  return `qemu+unix:///session?socket=${socket}`;
}

async function virsh(side: Side, ...args: string[]): Promise<string> {
  const { stdout } = await run('setpriv', [...USER, 'virsh', '-q', '-c', uri(side), ...args], {
    timeoutMs: 120_000,
  });
  return stdout;
}

async function targetXml(from: Side, to: Side): Promise<string> {
  const xml = await virsh(from, 'dumpxml', '--migratable', 'guest');
  return xml.replaceAll(from.directory, to.directory);
}

/**
 * The guest of `examples/hello.yaml` with the devices that ours has: each has its state to send while the guest stands
 * still. Its NIC is QEMU's own: by hand there is no Pod network to join.
 */
function domainXml(directory: string): string {
  return `<domain type='qemu'>
  <name>guest</name><memory unit='MiB'>192</memory><vcpu>1</vcpu>
  <os><type arch='x86_64' machine='q35'>hvm</type></os><features><acpi/></features>
  <devices><emulator>${emulatorOf(directory)}</emulator>
    <disk type='file' device='disk'><driver name='qemu' type='qcow2' cache='none'/>
      <source file='${directory}/disk'/><target dev='vda' bus='virtio'/></disk>
    <disk type='file' device='disk'><driver name='qemu' type='raw' cache='none'/>
      <source file='${directory}/seed'/><target dev='vdb' bus='virtio'/></disk>
    <serial type='file'><source path='${directory}/console'/></serial>
    <controller type='usb' model='none'/><controller type='scsi' model='virtio-scsi'/>
    <interface type='user'><model type='virtio'/></interface>
    <channel type='unix'><target type='virtio' name='org.qemu.guest_agent.0'/></channel>
    <graphics type='vnc' socket='${directory}/vnc'/>
    <video><model type='vga' vram='16384' heads='1' primary='yes'/></video>
    <memballoon model='virtio' freePageReporting='on'><stats period='10'/></memballoon>
  </devices></domain>`;
}
