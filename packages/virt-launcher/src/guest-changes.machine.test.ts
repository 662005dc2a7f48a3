/** A running guest whose VMI changes: disks, discs, NICs and sizes follow; the rest is refused in a sentence. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Disk, Interface, InterfaceAttachment, VirtualMachineInstance, Volume } from '@podvisor/api';
import { bootGuest } from './testing/boot-guest.ts';
import { UID, until } from './testing/launcher-process.ts';

const MIB = 1024 * 1024;
/** Of this run alone: one that was cut off may have left its own. */
const TAPS = [`pvt${process.pid}a`, `pvt${process.pid}b`] as const;
const ip = (...args: string[]): Buffer => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'ignore'] });

/** Prints every change of what it watches, as long as the guest lives. */
const WATCH = `
  (while :; do
    for d in /sys/block/[svh]d*; do echo "disk \${d##*/} $(cat $d/size)"; done
    for d in /sys/block/sr*; do echo "disc \${d##*/} $(head -c 6 /dev/\${d##*/} 2>/dev/null)"; done
    for n in /sys/class/net/e*; do ip link set \${n##*/} up; echo "nic $(cat $n/address) carrier=$(cat $n/carrier)"; done
    usleep 300000
  done 2>/dev/null | awk '{ key = $1 " " $2; if (seen[key] != $0) { seen[key] = $0; print "now:", $0; fflush() } }') &`;

const attachment = (name: string, tapDevice: string, mac: string): InterfaceAttachment => ({
  name,
  binding: 'bridge',
  tapDevice,
  podInterface: 'eth0',
  mac,
  mtu: 1500,
});

function withDevices(
  vmi: VirtualMachineInstance,
  change: { disks?: readonly Disk[]; volumes?: readonly Volume[]; interfaces?: readonly Interface[] },
): VirtualMachineInstance {
  const { devices } = vmi.spec.domain;
  const interfaces = [...(change.interfaces ?? devices.interfaces ?? [])];
  return {
    ...vmi,
    spec: {
      ...vmi.spec,
      networks: interfaces.map(({ name }) => ({ name, pod: {} })),
      volumes: [...(vmi.spec.volumes ?? []), ...(change.volumes ?? [])],
      domain: {
        ...vmi.spec.domain,
        devices: { ...devices, disks: [...(devices.disks ?? []), ...(change.disks ?? [])], interfaces },
      },
    },
  };
}

describe('a running guest', { timeout: 200_000 }, () => {
  before(() => {
    for (const tap of TAPS) ip('tuntap', 'add', 'dev', tap, 'mode', 'tap', 'user', String(UID));
    for (const tap of TAPS) ip('link', 'set', tap, 'up');
  });
  after(() => {
    for (const tap of TAPS) ip('link', 'delete', tap);
  });

  test('follows its VMI: disks, discs, links, NICs and sizes', async () => {
    const [first, second] = [
      attachment('first', TAPS[0], '02:00:00:00:00:01'),
      attachment('second', TAPS[1], '02:00:00:00:00:02'),
    ];
    const volumes = { data: { block: false, capacityBytes: MIB } };
    await using guest = await bootGuest(
      {
        kernelBoot: true,
        script: WATCH,
        disks: [
          {
            name: 'data',
            disk: { bus: 'virtio' },
            volume: { name: 'data', persistentVolumeClaim: { claimName: 'd' } },
          },
          { name: 'drive', cdrom: { bus: 'sata' } },
        ],
        devices: {
          interfaces: [{ name: 'first', bridge: {} }],
          tpm: { persistent: true },
        },
        networks: [{ name: 'first', pod: {} }],
      },
      {
        tun: true,
        sync: { interfaces: [first], volumes },
        prepare: (directory) => {
          mkdirSync(join(directory, 's/hotplug-disks'), { recursive: true });
          mkdirSync(join(directory, 'p/vmi-disks/data'), { recursive: true });
        },
      },
    );
    const { launcher, vmi, says } = guest;
    const plug = (name: string, size: number, content = ''): void => {
      const path = join(launcher.directory, 's/hotplug-disks', `${name}.img`);
      writeFileSync(path, content);
      truncateSync(path, size);
      chownSync(path, UID, UID);
    };
    const sync = async (wanted: VirtualMachineInstance, options: object): Promise<void> => {
      assert.deepEqual(await launcher.sync(wanted, { interfaces: [first], volumes, ...options }), {
        success: true,
        message: '',
      });
    };
    await says('now: nic 02:00:00:00:00:01 carrier=1');
    await says('now: disk vda 2048');

    // Declared, but not plugged into the Pod yet: nothing to do, no failure.
    const hot = withDevices(vmi, {
      disks: [
        { name: 'slow', disk: { bus: 'scsi' }, serial: 'SLOW' },
        { name: 'fast', disk: { bus: 'virtio' } },
      ],
      volumes: [
        { name: 'slow', persistentVolumeClaim: { claimName: 's', hotpluggable: true } },
        { name: 'fast', dataVolume: { name: 'f', hotpluggable: true } },
        { name: 'drive', dataVolume: { name: 'c', hotpluggable: true } },
      ],
    });
    await sync(hot, {});
    plug('slow', 3 * MIB);
    plug('fast', 5 * MIB);
    plug('drive', 2 * MIB, 'disc-1');
    await sync(hot, {});
    await says('now: disk sda 6144');
    await says('now: disk vdb 10240');
    await says(/now: disc sr\d disc-1/);
    const attached = await launcher.state((state) => 'fast' in (state?.diskTargets ?? {}), 'the new disks');
    assert.equal(attached?.diskTargets['slow'], 'sdc', 'the two drives have sda and sdb');

    // A disk that grew, a link that went down, a NIC that came.
    const more = withDevices(hot, {
      interfaces: [
        { name: 'first', bridge: {}, state: 'down' },
        { name: 'second', bridge: {} },
      ],
    });
    await sync(more, {
      interfaces: [first, second],
      volumes: { data: { block: false, capacityBytes: 8 * MIB } },
    });
    await says('now: nic 02:00:00:00:00:01 carrier=0');
    await says('now: nic 02:00:00:00:00:02 carrier=1');
    await says('now: disk vda 16384');

    // And all of it goes again.
    const less = withDevices(vmi, {
      interfaces: [
        { name: 'first', bridge: {} },
        { name: 'second', bridge: {}, state: 'absent' },
      ],
    });
    await sync(less, {});
    await says(/carrier=0[^]*now: nic 02:00:00:00:00:01 carrier=1/);
    const after = await launcher.state(
      (state) => Object.keys(state?.diskTargets ?? {}).length === 3 && state?.interfaces.length === 1,
      'the devices of the beginning',
      60_000,
    );
    assert.deepEqual(Object.keys(after?.diskTargets ?? {}).toSorted(), ['data', 'drive', 'seed']);

    const larger = {
      ...vmi,
      spec: { ...vmi.spec, domain: { ...vmi.spec.domain, memory: { guest: '1Gi' } } },
    };
    const refused = await launcher.sync(larger, { interfaces: [first], volumes });
    assert.match(refused.message, /cannot go from .* bytes of memory yet; restart it/);

    // The TPM's state is where the Pod may keep it, and survives the end of the domain.
    await launcher.call('killVirtualMachine', vmi);
    await launcher.call('deleteVirtualMachine', vmi);
    const state = join(launcher.directory, 'p/libvirt/qemu/swtpm');
    assert.ok(
      readdirSync(state, { recursive: true }).some((file) => String(file).endsWith('tpm2-00.permall')),
      'the state of the persistent TPM is kept',
    );
  });

  test('a claim that was plugged before the guest started, and had grown before, is as large as its claim', async () => {
    const image = (directory: string): string => join(directory, 's/hotplug-disks/early.img');
    await using guest = await bootGuest(
      {
        kernelBoot: true,
        script: WATCH,
        disks: [
          {
            name: 'early',
            disk: { bus: 'scsi' },
            volume: { name: 'early', persistentVolumeClaim: { claimName: 'e', hotpluggable: true } },
          },
        ],
      },
      {
        sync: { volumes: { early: { block: false, capacityBytes: 4 * MIB } } },
        prepare: (directory) => {
          mkdirSync(join(directory, 's/hotplug-disks'), { recursive: true });
          writeFileSync(image(directory), '');
          truncateSync(image(directory), 2 * MIB);
          chownSync(image(directory), UID, UID);
        },
      },
    );
    assert.equal(statSync(image(guest.launcher.directory)).size, 4 * MIB);
    await guest.says('now: disk sda 8192');
  });

  test('reads a directory of the host through virtiofs', async (context) => {
    const server = '/usr/lib/qemu/virtiofsd';
    if (!existsSync(server)) return context.skip(`${server} is not installed`);
    const shared = mkdtempSync('/tmp/podvisor-test-share-');
    writeFileSync(join(shared, 'greeting'), 'hello from the host\n');
    let virtiofsd: ReturnType<typeof spawn> | undefined;
    try {
      await using guest = await bootGuest(
        {
          kernelBoot: true,
          script:
            'mkdir -p /mnt; mount -t virtiofs share /mnt && cat /mnt/greeting; echo reply > /mnt/reply; sync',
          devices: { filesystems: [{ name: 'share', virtiofs: {} }] },
        },
        {
          ready: async ({ directory }) => {
            const socket = join(directory, 's/virtiofs-containers/share.sock');
            mkdirSync(join(directory, 's/virtiofs-containers'), { recursive: true });
            virtiofsd = spawn(server, [`--socket-path=${socket}`, '-o', `source=${shared}`], {
              stdio: 'ignore',
            });
            await until(() => existsSync(socket), 60_000, 'the socket of virtiofsd');
            chownSync(socket, UID, UID);
          },
        },
      );
      assert.match(guest.said(), /hello from the host\n/);
      assert.deepEqual(readdirSync(shared).toSorted(), ['greeting', 'reply']);
    } finally {
      virtiofsd?.kill();
      rmSync(shared, { recursive: true });
    }
  });
});
