/** Guests that really boot: by BIOS, by UEFI, by their kernel alone; and what they see of what was declared. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { bootGuest } from './testing/boot-guest.ts';
import { mountData } from './testing/guest-vmi.ts';

describe('a booted guest', { timeout: 300_000 }, () => {
  test('by BIOS, with every kind of disc and device', async () => {
    await using guest = await bootGuest(
      {
        cloudInit: 'configDrive',
        script: `
          [ -d /sys/firmware/efi ] && echo firmware=uefi || echo firmware=bios
          echo hostname=$(hostname)
          i=0; while [ ! -b /dev/sdb ] && [ $i -lt 50 ]; do usleep 100000; i=$((i+1)); done
          for d in /sys/block/*; do echo "block \${d##*/} sectors=$(cat $d/size) serial=$(cat $d/serial $d/device/vpd_pg80 2>/dev/null | tr -cd A-Z0-9)"; done
          mkdir -p /mnt
          for label in SETTINGS unattendCD; do
            mount -t iso9660 $(findfs LABEL=$label) /mnt && echo "$label: $(cd /mnt; head *)"; umount /mnt
          done
          echo tpm=$(cat /sys/class/tpm/tpm0/tpm_version_major) watchdog=$(test -c /dev/watchdog && echo yes)
          echo rng=$(cat /sys/class/misc/hw_random/rng_current) panic=$(cat /sys/bus/acpi/devices/QEMU0001*/hid)
          echo pci=$(cat /sys/bus/pci/devices/*/device | tr '\\n' ' ')
          echo metrics=$(head -c 4 /dev/vdd)
          (sleep 1; watchdog -T 1 -t 60 /dev/watchdog) &
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
          {
            name: 'answers',
            cdrom: { bus: 'sata' },
            volume: { name: 'answers', sysprep: { configMap: { name: 'w' } } },
          },
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
          watchdog: { name: 'dog', i6300esb: { action: 'poweroff' } },
          sound: { name: 'audio', model: 'ich9' },
          rng: {},
          inputs: [{ name: 'tablet', type: 'tablet', bus: 'usb' }],
          panicDevices: [{ model: 'isa' }],
          clientPassthrough: {},
        },
      },
      {
        prepare: (directory) => {
          mountData(join(directory, 'p/config-map/settings'), { 'app.conf': 'colour=blue\n' });
          mountData(join(directory, 'p/sysprep/answers'), { 'autounattend.xml': '<x/>' });
          const claim = join(directory, 'p/vmi-disks/throw-away');
          mkdirSync(claim, { recursive: true });
          writeFileSync(join(claim, 'disk.img'), 'x'.repeat(1024 * 1024));
        },
      },
    );
    const said = guest.said();
    for (const line of [
      'firmware=bios',
      'hostname=testvmi', // from the ConfigDrive, which also brought the script
      'block vdb sectors=131072 serial=SCRATCH01',
      'block vdd sectors=512 serial=',
      'SETTINGS: colour=blue',
      'unattendCD: <x/>',
      'tpm=2 watchdog=yes',
      'rng=virtio_rng.0 panic=QEMU0001',
      'metrics=mvbd',
    ])
      assert.ok(said.includes(`${line}\n`), `${line} is not in: ${said}`);
    assert.match(
      said,
      /block sd[ab] sectors=2048 serial=\S*EPH1/,
      'the ephemeral disk and its serial number',
    );
    assert.match(said, /block sdb /, 'a disk of each bus: SCSI and USB');
    assert.match(said, /block sr2 /, 'three drives, one of them empty');
    await guest.launcher.state((state) => state?.state === 'Shutoff', 'the bite of the watchdog');
    assert.match(said, /pci=.*0x25ab.*0x293e|pci=.*0x293e.*0x25ab/, 'i6300esb and ICH9 sound');
  });

  test('by UEFI, whose variables are kept for the next start', async () => {
    const efi = { bootloader: { efi: { secureBoot: false, persistent: true } } };
    const variable = 'PodvisorTest-b9df5113-f58d-429a-ad18-97e8c36342c4';
    const kept = mkdtempSync('/tmp/podvisor-test-nvram-');
    const script = `
      [ -d /sys/firmware/efi ] && echo firmware=uefi
      mount -t efivarfs efivarfs /sys/firmware/efi/efivars
      file=/sys/firmware/efi/efivars/${variable}
      [ -e $file ] && echo kept=$(tail -c 5 $file)
      printf '\\007\\000\\000\\000hello' > $file`;
    const guest = { memory: '512Mi', domain: { firmware: efi }, script };
    const nvram = (directory: string): string => join(directory, 'p/libvirt/qemu/nvram');
    try {
      {
        await using first = await bootGuest(guest);
        assert.match(first.said(), /firmware=uefi\n/);
        assert.doesNotMatch(first.said(), /kept=/);
        cpSync(nvram(first.launcher.directory), kept, { recursive: true });
      }
      await using second = await bootGuest(guest, {
        prepare: (directory) => {
          mkdirSync(join(directory, 'p/libvirt/qemu'), { recursive: true });
          cpSync(kept, nvram(directory), { recursive: true });
        },
      });
      assert.match(second.said(), /kept=hello\n/);
    } finally {
      rmSync(kept, { recursive: true });
    }
  });

  test('by UEFI with Secure Boot', async () => {
    await using guest = await bootGuest({
      memory: '512Mi',
      domain: {
        firmware: { bootloader: { efi: {} } },
        features: { acpi: {}, smm: {} },
      },
      script: `
        mount -t efivarfs efivarfs /sys/firmware/efi/efivars
        echo secure-boot=$(tail -c 1 /sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c | od -An -tu1)
        dmesg | grep -i 'secure boot\\|lockdown'`,
    });
    assert.match(guest.said(), /secure-boot= *1\n/);
    assert.match(guest.said(), /Secure boot enabled/i, 'the kernel knows it, too');
  });
});
