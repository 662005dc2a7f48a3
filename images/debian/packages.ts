/** What the Debian guest is made of, beside the packages that every Debian has. */

export const SUITE = 'bookworm';

/** Room for the system; the guest grows it to its disk at the first boot. */
export const ROOT_MIB = 1536;

export const PACKAGES: readonly string[] = [
  'ca-certificates',
  'cloud-guest-utils',
  'cloud-init',
  'curl',
  'dbus',
  'e2fsprogs',
  'fdisk',
  'initramfs-tools',
  'iproute2',
  'iputils-ping',
  'less',
  'libpam-systemd',
  'linux-image-cloud-amd64',
  'nano',
  'netbase',
  'openssh-server',
  'procps',
  'qemu-guest-agent',
  'sudo',
  'systemd-resolved',
  'systemd-sysv',
  'udev',
  'zstd',
];

/** Package → its one file, under the name that UEFI looks for on a disk. Signed, so Secure Boot accepts them. */
export const EFI_FILES: Readonly<Record<string, readonly [file: string, name: string]>> = {
  'shim-signed': ['usr/lib/shim/shimx64.efi.signed', 'BOOTX64.EFI'],
  'grub-efi-amd64-signed': ['usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed', 'grubx64.efi'],
};
