/** VMIs that boot the hello guest, and the files that their Pod would mount. */
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Devices, Disk, DomainSpec, VirtualMachineInstance, Volume } from '@podvisor/api';
import type { HelloGuest } from './hello-guest.ts';
import type { TestLauncher } from './launcher-process.ts';

export interface GuestSpec {
  /** Runs in the guest as its first-boot script; its output is on the console. */
  readonly script: string;
  readonly cloudInit?: 'noCloud' | 'configDrive';
  readonly memory?: string;
  readonly domain?: Partial<DomainSpec>;
  readonly devices?: Partial<Devices>;
  readonly disks?: readonly (Disk & { readonly volume?: Volume })[];
  /** Without a disk: kernel and initrd are given to QEMU. */
  readonly kernelBoot?: boolean;
  readonly networks?: VirtualMachineInstance['spec']['networks'];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly accessCredentials?: VirtualMachineInstance['spec']['accessCredentials'];
}

export const MARK = 'guest-script-done';

export function guestVmi(launcher: Pick<TestLauncher, 'tinyVmi'>, guest: GuestSpec): VirtualMachineInstance {
  const tiny = launcher.tinyVmi();
  const userData = `#!/bin/sh\n${guest.script}\necho ${MARK}\n`;
  const seed: Volume =
    guest.cloudInit === 'configDrive'
      ? { name: 'seed', cloudInitConfigDrive: { userData } }
      : { name: 'seed', cloudInitNoCloud: { userData } };
  const more = guest.disks ?? [];
  const disks: Disk[] = [
    ...(guest.kernelBoot ? [] : [{ name: 'root', bootOrder: 1, disk: { bus: 'virtio' } }]),
    { name: 'seed', cdrom: { bus: 'sata' } },
    ...more.map(({ volume: _volume, ...disk }) => disk),
  ];
  const firmware = {
    ...tiny.spec.domain.firmware,
    ...(guest.kernelBoot
      ? {
          kernelBoot: {
            container: { image: 'x', kernelPath: '/boot/vmlinuz', initrdPath: '/boot/initrd' },
            kernelArgs: 'rdinit=/sbin/init console=ttyS0 quiet tsc=unstable no_timer_check',
          },
        }
      : {}),
    ...guest.domain?.firmware,
  };
  return {
    ...tiny,
    metadata: { ...tiny.metadata, annotations: { ...guest.annotations } },
    spec: {
      domain: {
        ...tiny.spec.domain,
        memory: { guest: guest.memory ?? '192Mi' },
        resources: { requests: { memory: guest.memory ?? '192Mi' } },
        ...guest.domain,
        firmware,
        devices: { disks, ...guest.devices },
      },
      volumes: [
        ...(guest.kernelBoot ? [] : [{ name: 'root', containerDisk: { image: 'hello' } }]),
        seed,
        ...more.flatMap(({ volume }) => (volume === undefined ? [] : [volume])),
      ],
      ...(guest.networks === undefined ? {} : { networks: guest.networks }),
      ...(guest.accessCredentials === undefined ? {} : { accessCredentials: guest.accessCredentials }),
    },
  };
}

/** What the kubelet would mount: image volumes of the disk and of the kernel. */
export function mountGuest(directory: string, guest: HelloGuest): void {
  mkdirSync(join(directory, 'i/disk_0/disk'), { recursive: true });
  cpSync(guest.disk, join(directory, 'i/disk_0/disk/hello.qcow2'));
  mkdirSync(join(directory, 'k/boot'), { recursive: true });
  cpSync(guest.kernel, join(directory, 'k/boot/vmlinuz'));
  cpSync(guest.initrd, join(directory, 'k/boot/initrd'));
}

/** A file as a mounted ConfigMap or Secret shows it: behind a link that the kubelet swaps. */
export function mountData(directory: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(directory, '..2026'), { recursive: true });
  symlinkSync('..2026', join(directory, '..data'));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, '..2026', name), content);
    symlinkSync(join('..data', name), join(directory, name));
  }
  chmodSync(dirname(directory), 0o755);
}
