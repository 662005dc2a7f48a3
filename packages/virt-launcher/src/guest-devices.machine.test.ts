/** Guests that really boot: by BIOS, by UEFI, by their kernel alone; and what they see of what was declared. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, describe, test } from 'node:test';
import { openConsole } from './testing/console.ts';
import { type GuestWish, guestVmi, MARK, mountData, mountGuest } from './testing/guest-vmi.ts';
import { type HelloGuest, helloGuest } from './testing/hello-guest.ts';
import { startTestLauncher, type TestLauncher, until } from './testing/launcher-process.ts';

const BOOT_MS = 45_000;

describe('a booted guest', { timeout: 300_000 }, () => {
  let guest: HelloGuest;
  let launcher: TestLauncher | undefined;

  before(() => {
    guest = helloGuest();
  });
  afterEach(async () => {
    await launcher?.stop();
    launcher = undefined;
  });

  /** Boots and gives what the guest's script said. */
  async function boot(wish: GuestWish, prepare: (directory: string) => void = () => {}): Promise<string> {
    launcher = await startTestLauncher({
      graceSeconds: 2,
      prepare: (directory) => {
        mountGuest(directory, guest);
        prepare(directory);
      },
    });
    const vmi = guestVmi(launcher, wish);
    assert.deepEqual(await launcher.sync(vmi, launcher.tinyOptions()), { success: true, message: '' });
    const console = openConsole(launcher);
    const started = Date.now();
    try {
      await until(() => console.text().includes(MARK), BOOT_MS, 'the end of the script in the guest');
    } catch (error) {
      throw new Error(`the guest did not finish; its console: ${console.text()}`, { cause: error });
    }
    process.stdout.write(`guest took ${Date.now() - started} ms\n`);
    return console.text().replaceAll('\r', '');
  }

  test('by BIOS, with every kind of disc and device', async () => {
    const said = await boot(
      {
        cloudInit: 'configDrive',
        script: `
          [ -d /sys/firmware/efi ] && echo firmware=uefi || echo firmware=bios
          echo hostname=$(hostname)
          for d in /sys/block/*; do echo "block ${'$'}{d##*/} size=$(cat $d/size) serial=$(cat $d/serial 2>/dev/null) ro=$(cat $d/ro)"; done
          blkid
          mkdir -p /mnt; mount -t iso9660 $(findfs LABEL=SETTINGS) /mnt && cat /mnt/app.conf; umount /mnt
          ls -l /dev/tpm0 /dev/watchdog; cat /sys/class/tpm/tpm0/tpm_version_major
          lsusb; lspci; cat /sys/class/misc/hw_random/rng_current; cat /sys/bus/acpi/devices/QEMU0001*/hid
          head -c 4 /dev/vdd; echo
        `,
        disks: [
          {
            name: 'scratch',
            disk: { bus: 'virtio' },
            serial: 'SCRATCH01',
            volume: { name: 'scratch', emptyDisk: { capacity: '64Mi' } },
          },
          {
            name: 'settings',
            disk: { bus: 'virtio' },
            volume: { name: 'settings', configMap: { name: 'c', volumeLabel: 'SETTINGS' } },
          },
          {
            name: 'metrics',
            disk: { bus: 'virtio' },
            volume: { name: 'metrics', downwardMetrics: {} },
          },
          { name: 'answers', cdrom: { bus: 'sata' }, volume: { name: 'answers', sysprep: { configMap: { name: 'w' } } } },
          { name: 'empty', cdrom: { bus: 'sata' } },
          {
            name: 'throw-away',
            disk: { bus: 'scsi' },
            serial: 'EPH1',
            volume: { name: 'throw-away', ephemeral: { persistentVolumeClaim: { claimName: 'e' } } },
          },
          { name: 'stick', disk: { bus: 'usb' }, volume: { name: 'stick', emptyDisk: { capacity: '1Mi' } } },
        ],
        devices: {
          tpm: {},
          watchdog: { name: 'dog', i6300esb: { action: 'reset' } },
          sound: { name: 'audio', model: 'ich9' },
          rng: {},
          inputs: [{ name: 'tablet', type: 'tablet', bus: 'usb' }],
          panicDevices: [{ model: 'isa' }],
          clientPassthrough: {},
        },
      },
      (directory) => {
        mountData(join(directory, 'p/config-map/settings'), { 'app.conf': 'colour=blue\n' });
        mountData(join(directory, 'p/sysprep/answers'), { 'autounattend.xml': '<x/>' });
        mountData(join(directory, 'p/vmi-disks/throw-away'), { 'disk.img': 'x'.repeat(1024 * 1024) });
      },
    );
    process.stdout.write(said);
  });
});
