/**
 * Builds a Debian guest from Debian's packages, for machines that reach a Debian mirror and nothing else: systemd,
 * apt, cloud-init, an SSH server and the guest agent, on a disk that boots by BIOS and by UEFI, with and without Secure
 * Boot, and that the guest grows to the size of its claim. Needs root, mmdebstrap and the tools that `podvisor`
 * installs. Nothing of the host's own files goes into the guest.
 *
 *   node images/debian/build.ts OUTPUT.qcow2
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { run } from '../../packages/sys/src/processes/run.ts';
import { type BootFiles, buildBootPartition, writeDisk } from '../boot-disk.ts';
import { EFI_FILES, PACKAGES, ROOT_MIB, SUITE } from './packages.ts';

const BOOT_MIB = 128;
const MINUTES = 60_000;
const KERNEL_ARGUMENTS =
  'root=LABEL=debian-root ro console=tty0 console=ttyS0,115200 quiet loglevel=4 net.ifnames=0';

const [output] = process.argv.slice(2);
if (output === undefined) {
  console.error('usage: build.ts OUTPUT.qcow2');
  process.exit(2);
}
mkdirSync(dirname(output), { recursive: true });
// Beside the output: /tmp may be small, or in memory.
const work = mkdtempSync(join(dirname(output), 'debian.'));
try {
  await build(output);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function build(target: string): Promise<void> {
  const root = join(work, 'root');
  await bootstrap(root);
  const partition = join(work, 'boot.img');
  await buildBootPartition(await bootFiles(root), partition, { mib: BOOT_MIB, label: 'BOOT' });
  const system = join(work, 'root.img');
  const sizes = ['-b', '4096', '-q', '-F', '-L', 'debian-root'];
  // The file system is made from the directory: no loop device, no mount.
  await run('mkfs.ext4', [...sizes, '-d', root, system, `${ROOT_MIB}M`], { timeoutMs: 10 * MINUTES });
  const disk = join(work, 'disk.raw');
  await writeDisk(disk, [
    { file: partition, type: 0x0e, isBootable: true },
    { file: system, type: 0x83 },
  ]);
  const partial = join(work, 'disk.qcow2');
  const convert = ['convert', '-f', 'raw', '-O', 'qcow2', '-c', '-o', 'compression_type=zstd'];
  await run('qemu-img', [...convert, disk, partial], { timeoutMs: 10 * MINUTES });
  renameSync(partial, target);
  console.log(`${basename(target)}: Debian ${SUITE}, ${(statSync(target).size / 1048576).toFixed(1)} MiB`);
}

/** A root directory as Debian's installer would make it, with our few files. */
async function bootstrap(root: string): Promise<void> {
  const overlay = join(work, 'overlay');
  cpSync(join(import.meta.dirname, 'rootfs'), overlay, { recursive: true });
  await run(
    // What it mounts below the directory ends with it, whatever happens: the directory is removed with all it holds.
    'unshare',
    [
      ...['--mount', '--propagation', 'private', 'mmdebstrap'],
      '--mode=root',
      '--variant=minbase',
      `--include=${PACKAGES.join(',')}`,
      '--aptopt=APT::Install-Recommends "false"',
      '--dpkgopt=path-exclude=/usr/share/doc/*',
      '--dpkgopt=path-include=/usr/share/doc/*/copyright',
      '--dpkgopt=path-exclude=/usr/share/man/*',
      '--dpkgopt=path-exclude=/usr/share/locale/*',
      // What is half written after a power cut is built again.
      '--setup-hook=mkdir -p "$1/etc/dpkg/dpkg.cfg.d" "$1/boot/efi"',
      '--setup-hook=echo force-unsafe-io > "$1/etc/dpkg/dpkg.cfg.d/unsafe"',
      `--customize-hook=copy-in ${readdirSync(overlay)
        .map((name) => join(overlay, name))
        .join(' ')} /`,
      '--customize-hook=chroot "$1" systemctl enable systemd-networkd systemd-resolved ssh',
      '--customize-hook=chroot "$1" passwd -l root',
      '--customize-hook=rm "$1/etc/dpkg/dpkg.cfg.d/unsafe"',
      // Each guest makes its own when it boots first.
      '--customize-hook=rm -f "$1"/etc/ssh/ssh_host_* "$1"/etc/hostname "$1"/var/lib/dbus/machine-id',
      '--customize-hook=echo uninitialized > "$1/etc/machine-id"',
      '--customize-hook=ln -sf ../run/systemd/resolve/stub-resolv.conf "$1/etc/resolv.conf"',
      SUITE,
      root,
    ],
    { timeoutMs: 20 * MINUTES },
  );
}

async function bootFiles(root: string): Promise<BootFiles> {
  const find = (start: string): string => {
    const name = readdirSync(join(root, 'boot')).find((file) => file.startsWith(start));
    if (name === undefined) throw new Error(`the kernel package left no /boot/${start}…`);
    return join(root, 'boot', name);
  };
  const debs = join(work, 'debs');
  mkdirSync(debs);
  const download = ['download', '-o', 'APT::Sandbox::User=root', ...Object.keys(EFI_FILES)];
  await run('apt-get', download, { cwd: debs, timeoutMs: 5 * MINUTES });
  for (const deb of readdirSync(debs)) await run('dpkg-deb', ['-x', join(debs, deb), join(work, 'efi')]);
  const efi = Object.values(EFI_FILES).map(([file, name]): readonly [string, string] => [
    join(work, 'efi', file),
    name,
  ]);
  return { kernel: find('vmlinuz-'), initrd: find('initrd.img-'), kernelArguments: KERNEL_ARGUMENTS, efi };
}
