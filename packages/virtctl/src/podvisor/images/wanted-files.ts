/**
 * Which files of Debian's packages are in an image. Programs are named one by one (recipes.ts); of all else, what
 * nobody in a container reads is left out: documentation (but not licences), translations, what belongs to package
 * tools, to services of a whole system or to other architectures. Pure.
 */
import { posix } from 'node:path';
import type { PackageSet } from './recipes.ts';

/** Directories whose files are programs; beside them /usr/libexec and the helpers of QEMU and libvirt. */
const PROGRAM_DIRECTORIES = [
  ...['usr/bin/', 'usr/sbin/', 'usr/games/', 'usr/libexec/'],
  ...['usr/lib/qemu/', 'usr/lib/libvirt/'],
];

/** With everything below. */
const UNWANTED_DIRECTORIES = [
  ...[
    'boot',
    'home',
    'media',
    'mnt',
    'opt',
    'proc',
    'run',
    'srv',
    'sys',
    'dev',
    'var',
    'usr/local',
    'usr/include',
  ],
  ...['etc/apparmor.d', 'etc/apt', 'etc/cron.daily', 'etc/default', 'etc/dpkg', 'etc/init.d', 'etc/kernel'],
  ...['etc/logrotate.d', 'etc/opt', 'etc/pam.d', 'etc/profile.d', 'etc/security', 'etc/skel', 'etc/systemd'],
  ...['etc/update-motd.d', 'etc/ca-certificates', 'etc/libvirt', 'etc/sasl2', 'etc/selinux', 'etc/xdg'],
  ...[
    'usr/lib/systemd',
    'usr/lib/tmpfiles.d',
    'usr/lib/sysusers.d',
    'usr/lib/udev',
    'usr/lib/modules-load.d',
  ],
  ...['usr/lib/mime', 'usr/lib/girepository-1.0', 'usr/lib/x86_64-linux-gnu/security'],
  ...['usr/share/alsa', 'usr/share/applications', 'usr/share/apport', 'usr/share/augeas'],
  ...['usr/share/base-files', 'usr/share/debianutils', 'usr/share/gst-plugins-base', 'usr/share/libgcrypt20'],
  // One file has all certificates.
  ...['usr/share/ca-certificates', 'usr/share/pmdk', 'usr/share/swtpm', 'usr/share/util-linux'],
  ...['usr/share/bash-completion', 'usr/share/bug', 'usr/share/dict', 'usr/share/doc-base', 'usr/share/gcc'],
  ...['usr/share/gdb', 'usr/share/icons', 'usr/share/info', 'usr/share/initramfs-tools', 'usr/share/lintian'],
  ...['usr/share/locale', 'usr/share/man', 'usr/share/menu', 'usr/share/metainfo', 'usr/share/misc'],
  ...[
    'usr/share/ovmf',
    'usr/share/pam-configs',
    'usr/share/perl5',
    'usr/share/pixmaps',
    'usr/share/pkgconfig',
  ],
  ...['usr/share/polkit-1', 'usr/share/systemd', 'usr/share/xml', 'usr/share/zsh'],
];

/** Single files and patterns; `*` stands for anything but a slash. */
const UNWANTED_FILES = [
  // What every kubelet writes itself, and what says on which machine the build ran.
  ...['etc/hostname', 'etc/hosts', 'etc/resolv.conf', 'etc/machine-id', 'etc/fstab'],
  ...['etc/adduser.conf', 'etc/deluser.conf', 'etc/debconf.conf', 'etc/issue', 'etc/issue.net', 'etc/rmt'],
  ...['etc/qemu-ifup', 'etc/qemu-ifdown', 'etc/shells', 'etc/ca-certificates.conf'],
  // Firmware of 2 MiB flash and with test keys: the launcher takes the others.
  ...['usr/share/OVMF/OVMF_CODE.*', 'usr/share/OVMF/OVMF_VARS.*', 'usr/share/OVMF/*snakeoil*'],
  'usr/share/qemu/OVMF.fd',
  // Firmware of machines that qemu-system-x86_64 is not.
  ...['hppa-firmware*', 'openbios-*', 'opensbi-*', 'palcode-*', 's390-*', 'skiboot*', 'slof*', 'vof*']
    .concat(['u-boot*', '*.dtb', 'npcm7xx*', 'QEMU,*', 'trace-events-all'])
    .map((name) => `usr/share/qemu/${name}`),
];

/** Conversions between character sets that are not built into the C library and that something may ask for. */
const CHARACTER_SETS =
  /^usr\/lib\/x86_64-linux-gnu\/gconv\/(?:gconv-modules.*|ISO8859-1\.so|UNICODE\.so|UTF-\w+\.so)$/;

/** Everything that the decision depends on but the sets: what was decided by other rules is decided anew. */
export const FILE_RULES: readonly unknown[] = [
  PROGRAM_DIRECTORIES,
  UNWANTED_DIRECTORIES,
  UNWANTED_FILES,
  CHARACTER_SETS.source,
];

/** Decides for files and links of a set's packages, by path without a leading slash. */
export function wantedFiles(sets: readonly PackageSet[]): (path: string) => boolean {
  const programs = new Set(sets.flatMap((set) => set.programs));
  const unwanted = UNWANTED_FILES.map(patternOf);
  return (path) => {
    if (PROGRAM_DIRECTORIES.some((directory) => path.startsWith(directory)))
      return programs.has(posix.basename(path));
    if (UNWANTED_DIRECTORIES.some((directory) => path.startsWith(`${directory}/`))) return false;
    if (path.startsWith('usr/share/doc/')) return isLicence(path);
    if (path.startsWith('usr/lib/x86_64-linux-gnu/gconv/')) return CHARACTER_SETS.test(path);
    return !unwanted.some((pattern) => pattern.test(path));
  };
}

/** A package's own copyright file, or the link in place of its directory when another package's says it. */
function isLicence(path: string): boolean {
  return posix.basename(path) === 'copyright' || path.split('/').length === 4;
}

function patternOf(glob: string): RegExp {
  const escaped = glob.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '[^/]*');
  return new RegExp(`^${escaped}$`);
}
