/**
 * The machine's own libvirt takes our XML and QEMU runs it: an emulated q35 guest with every device that a plain VM
 * has, as an unprivileged user in session mode, until its BIOS speaks on the serial socket.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { vmiOf } from '../testing/vmi.ts';
import { convertVmiToDomain } from './convert.ts';
import { domainFromXml, domainToXml } from './xml.ts';

const NOBODY = 65534;
const missing = [
  '/usr/sbin/libvirtd',
  '/usr/bin/virsh',
  '/usr/bin/qemu-system-x86_64',
  '/usr/bin/qemu-img',
].filter((file) => !existsSync(file));
const skip =
  process.getuid?.() !== 0
    ? 'needs root to become another user'
    : missing.length > 0 && `needs ${missing.join(', ')}`;

test('libvirt defines and starts what we convert, and it boots', {
  skip,
  timeout: 60_000,
}, async (context) => {
  // Short names: libvirt makes a socket eight directories below.
  const home = mkdtempSync(join(tmpdir(), 'tr-'));
  const vmi = vmiOf(
    {
      machine: { type: 'q35' },
      cpu: { sockets: 1, cores: 1, threads: 1, maxSockets: 2, model: 'host-model' },
      memory: { guest: '64Mi' },
      features: { acpi: {} },
      firmware: { uuid: '525c53a4-d615-497b-be52-66906778b701', bootloader: { bios: { useSerial: true } } },
      devices: {
        rng: {},
        disks: [
          { name: 'root', disk: { bus: 'virtio' } },
          { name: 'seed', cdrom: { bus: 'sata' } },
          { name: 'more', disk: { bus: 'scsi' } },
        ],
        inputs: [{ name: 'tablet', type: 'tablet', bus: 'usb' }],
      },
    },
    {
      volumes: [
        { name: 'root', containerDisk: { image: 'i' } },
        { name: 'seed', cloudInitNoCloud: {} },
        { name: 'more', emptyDisk: { capacity: '1Mi' } },
      ],
    },
  );
  prepareFiles(home);
  const xml = domainToXml(
    convertVmiToDomain(vmi, {
      kvmAvailable: false,
      allowEmulation: true,
      interfaces: [],
      uid: 'uid-1',
      smbios: { manufacturer: 'KubeVirt', family: 'KubeVirt', product: 'None' },
      memBalloonStatsPeriodSeconds: 10,
      freePageReporting: true,
      volumes: { root: { directIo: false, backing: { path: join(home, 'base.qcow2'), format: 'qcow2' } } },
      paths: {
        privateDir: home,
        overlays: join(home, 'overlays'),
        cloudInit: join(home, 'cloud-init'),
        emptyDisks: home,
      },
    }),
  );
  writeFileSync(join(home, 'domain.xml'), xml, { mode: 0o644 });

  const as = { uid: NOBODY, gid: NOBODY, env: environment(home) };
  const daemon = spawn('/usr/sbin/libvirtd', ['--timeout', '60'], { ...as, stdio: 'ignore' });
  const gone = once(daemon, 'exit');
  const virsh = (...args: string[]): string =>
    execFileSync('/usr/bin/virsh', ['-q', '-c', 'qemu:///session', ...args], { ...as, encoding: 'utf8' });
  // Hooks run in the order they were added, so the one that undoes everything is one.
  let started = false;
  context.after(async () => {
    if (started) virsh('destroy', 'default_vm');
    daemon.kill('SIGTERM');
    await gone;
    rmSync(home, { recursive: true, force: true });
  });
  await until(() => existsSync(join(home, 'run/libvirt/libvirt-sock')));
  virsh('define', join(home, 'domain.xml'));
  virsh('start', 'default_vm');
  started = true;

  const live = domainFromXml(virsh('dumpxml', 'default_vm'));
  assert.deepEqual(
    live.devices?.disks?.map(({ alias, target }) => [alias?.name, target?.dev]),
    [
      ['ua-root', 'vda'],
      ['ua-seed', 'sda'],
      ['ua-more', 'sdb'],
    ],
  );
  assert.equal(live.metadata?.kubevirt?.uid, 'uid-1');
  assert.ok(readdirSync(join(home, 'uid-1')).includes('virt-vnc'));
  // The BIOS has spoken before we connect; a reset makes it speak again.
  const spoken = firstWords(join(home, 'uid-1/virt-serial0'), /BIOS/);
  virsh('reset', 'default_vm');
  assert.match(await spoken, /BIOS/);
});

function environment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'c'),
    XDG_RUNTIME_DIR: join(home, 'run'),
  };
}

function prepareFiles(home: string): void {
  for (const directory of ['cache', 'c', 'run', 'uid-1', 'overlays/root', 'cloud-init/default/vm']) {
    mkdirSync(join(home, directory), { recursive: true });
  }
  const create = (...args: string[]): void => {
    execFileSync('/usr/bin/qemu-img', ['create', '-q', '-f', 'qcow2', ...args]);
  };
  create(join(home, 'base.qcow2'), '1M');
  create('-b', join(home, 'base.qcow2'), '-F', 'qcow2', join(home, 'overlays/root/disk.qcow2'));
  create(join(home, 'more.qcow2'), '1M');
  writeFileSync(join(home, 'cloud-init/default/vm/noCloud.iso'), Buffer.alloc(1 << 20));
  for (const entry of ['.', ...readdirSync(home, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(home, entry), NOBODY, NOBODY);
  }
  chmodSync(join(home, 'run'), 0o700);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(50);
}

function firstWords(socketPath: string, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = createConnection(socketPath);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      if (!pattern.test(heard)) return;
      socket.destroy();
      resolve(heard);
    });
  });
}
