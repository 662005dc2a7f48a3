/** What the hello guest is made of: Debian packages, and the few files of each that it needs. */

/** Kernel meta package; the real one is what it depends on. */
export const KERNEL_META = 'linux-image-amd64';

/** Package → files (under the package's root) that go into the guest. */
export const FILES: Readonly<Record<string, readonly string[]>> = {
  'busybox-static': ['bin/busybox'],
  'qemu-guest-agent': ['usr/sbin/qemu-ga'],
  'dropbear-bin': ['usr/sbin/dropbear'],
  'wide-dhcpv6-client': ['usr/sbin/dhcp6c'],
  libfl2: ['usr/lib/x86_64-linux-gnu/libfl.so.2'],
  libc6: [
    'lib/x86_64-linux-gnu/libc.so.6',
    'lib/x86_64-linux-gnu/libm.so.6',
    'lib/x86_64-linux-gnu/ld-linux-x86-64.so.2',
    'lib/x86_64-linux-gnu/libnss_files.so.2',
  ],
  'libglib2.0-0': [
    'usr/lib/x86_64-linux-gnu/libglib-2.0.so.0',
    'usr/lib/x86_64-linux-gnu/libgmodule-2.0.so.0',
  ],
  'libpcre2-8-0': ['usr/lib/x86_64-linux-gnu/libpcre2-8.so.0'],
  libnuma1: ['usr/lib/x86_64-linux-gnu/libnuma.so.1'],
  liburing2: ['usr/lib/x86_64-linux-gnu/liburing.so.2'],
  libudev1: ['usr/lib/x86_64-linux-gnu/libudev.so.1'],
  libcrypt1: ['lib/x86_64-linux-gnu/libcrypt.so.1'],
  zlib1g: ['lib/x86_64-linux-gnu/libz.so.1'],
  libtomcrypt1: ['usr/lib/x86_64-linux-gnu/libtomcrypt.so.1'],
  libtommath1: ['usr/lib/x86_64-linux-gnu/libtommath.so.1'],
  libgmp10: ['usr/lib/x86_64-linux-gnu/libgmp.so.10'],
};

/** Package → its one file, under the name that UEFI looks for on a disk. Signed, so Secure Boot accepts them. */
export const EFI_FILES: Readonly<Record<string, readonly [file: string, name: string]>> = {
  'shim-signed': ['usr/lib/shim/shimx64.efi.signed', 'BOOTX64.EFI'],
  'grub-efi-amd64-signed': ['usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed', 'grubx64.efi'],
};

/** Kernel modules by name; what they depend on is added. In the order in which they are loaded. */
export const MODULES: readonly string[] = [
  'virtio_pci',
  'virtio_blk',
  'virtio_net',
  'virtio_console',
  'virtio_scsi',
  'sd_mod',
  'sr_mod',
  'ahci',
  'isofs',
  'ext4',
  'nls_ascii',
  'vfat',
  'button',
  'evdev',
  'virtio_rng',
  'virtio_balloon',
  'e1000',
  'e1000e',
  'xhci_pci',
  'usb_storage',
  'uas',
  'efivarfs',
  'tpm_tis',
  'tpm_crb',
  'i6300esb',
  'virtiofs',
];
