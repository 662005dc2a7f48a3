/**
 * Builds the hello guest from Debian's packages: a qcow2 of kernel + busybox initramfs that boots by BIOS and
 * by UEFI, with and without Secure Boot, as a container disk in an OCI archive. Needs root (device nodes of the
 * initramfs), apt, and the tools that `podvisor` installs. Nothing of the host's own files goes into the guest.
 *
 *   node images/hello/build.ts OUTPUT.tar [REFERENCE]
 *
 * An OUTPUT.tar that is there is kept.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { zstdCompressSync, constants as zlib } from 'node:zlib';
import { makeOnce } from '../../packages/sys/src/files/make-once.ts';
import { packImage } from '../../packages/sys/src/files/pack-image.ts';
import { run } from '../../packages/sys/src/processes/run.ts';
import { SYSLINUX_MS } from '../boot-disk.ts';
import { EFI_FILES, FILES, KERNEL_META, MODULES } from './packages.ts';

/** Who runs QEMU in a launcher. */
const QEMU_USER = 107;
const SECTOR = 512;
const PARTITION_START = 2048 * SECTOR;
const PARTITION_BYTES = 40 * 1024 * 1024;
const KERNEL_ARGUMENTS =
  'rdinit=/sbin/init console=tty0 console=ttyS0,115200 quiet loglevel=4 tsc=unstable no_timer_check';

const [output, reference = 'podvisor.local/hello:latest'] = process.argv.slice(2);
if (output === undefined) {
  console.error('usage: build.ts OUTPUT.tar [REFERENCE]');
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), 'podvisor-hello-'));
try {
  await build(output);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function build(target: string): Promise<void> {
  const { roots, kernelRoot } = await fetchPackages();
  const kernel = readdirSync(join(kernelRoot, 'boot')).find((f) => f.startsWith('vmlinuz-'));
  if (kernel === undefined) throw new Error('the kernel package holds no vmlinuz');
  const initrd = join(work, 'initrd');
  await buildInitramfs(roots, join(kernelRoot, 'lib/modules', kernel.slice('vmlinuz-'.length)), initrd);
  const disk = join(work, 'disk.raw');
  await buildDisk(join(kernelRoot, 'boot', kernel), initrd, roots, disk);
  mkdirSync(join(work, 'layer/disk'), { recursive: true });
  await run('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', disk, join(work, 'layer/disk/hello.qcow2')]);
  await packOciArchive(target);
}

async function kernelPackageName(): Promise<string | undefined> {
  const { stdout } = await run('apt-cache', ['depends', '--no-recommends', KERNEL_META], {
    okCodes: [0, 100],
  });
  return /Depends: (linux-image-\S+)/.exec(stdout)?.[1];
}

async function updateLists(): Promise<void> {
  await run('apt-get', ['update', '-q'], { timeoutMs: 300_000 });
}

/** Downloads and unpacks every package; nothing is installed. */
async function fetchPackages(): Promise<{ roots: Map<string, string>; kernelRoot: string }> {
  // A machine whose package lists were cleaned away knows no packages until it is told to look.
  const kernelPackage = (await kernelPackageName()) ?? (await updateLists().then(kernelPackageName));
  if (kernelPackage === undefined) throw new Error(`${KERNEL_META} is not known to apt: run apt-get update`);
  const debs = join(work, 'debs');
  mkdirSync(debs);
  const wanted = [...Object.keys(FILES), ...Object.keys(EFI_FILES), kernelPackage];
  await run('apt-get', ['download', '-o', 'APT::Sandbox::User=root', ...wanted], {
    cwd: debs,
    timeoutMs: 300_000,
  });
  const roots = new Map<string, string>();
  for (const deb of readdirSync(debs)) {
    const name = deb.split('_')[0] ?? deb;
    const root = join(work, 'packages', name);
    mkdirSync(root, { recursive: true });
    await run('dpkg-deb', ['-x', join(debs, deb), root], { timeoutMs: 120_000 });
    roots.set(name, root);
  }
  return { roots, kernelRoot: roots.get(kernelPackage) ?? '' };
}

async function buildInitramfs(roots: Map<string, string>, moduleDir: string, target: string): Promise<void> {
  const root = join(work, 'root');
  cpSync(join(import.meta.dirname, 'rootfs'), root, { recursive: true });
  for (const dir of [
    'dev',
    'proc',
    'sys',
    'run',
    'tmp',
    'bin',
    'sbin',
    'root',
    'lib64',
    'lib/modules',
    'usr/bin',
  ])
    mkdirSync(join(root, dir), { recursive: true });
  for (const [name, files] of Object.entries(FILES)) {
    for (const file of files) {
      const from = join(roots.get(name) ?? '', file);
      if (!existsSync(from)) throw new Error(`package ${name} holds no ${file}`);
      const to = join(root, file.startsWith('usr/lib/') ? file.slice('usr/'.length) : file);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(realpathSync(from), to);
      chmodSync(to, 0o755);
    }
  }
  symlinkSync('/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', join(root, 'lib64/ld-linux-x86-64.so.2'));
  const busybox = join(root, 'bin/busybox');
  const { stdout: applets } = await run(busybox, ['--list']);
  for (const applet of applets.split('\n').filter((a) => a !== '' && a !== 'busybox'))
    if (!existsSync(join(root, 'bin', applet))) symlinkSync('busybox', join(root, 'bin', applet));
  for (const applet of ['init', 'getty', 'poweroff', 'reboot'])
    symlinkSync('../bin/busybox', join(root, 'sbin', applet));
  copyModules(moduleDir, root);
  chmodSync(join(root, 'etc/shadow'), 0o600);
  const { stdout: names } = await run('find', ['.'], { cwd: root });
  const archive = join(work, 'initramfs.cpio');
  await run(busybox, ['cpio', '-o', '-H', 'newc', '-F', archive], { cwd: root, input: names });
  writeFileSync(
    target,
    zstdCompressSync(readFileSync(archive), { params: { [zlib.ZSTD_c_compressionLevel]: 19 } }),
  );
}

/** Copies the modules and all they depend on, and writes /etc/modules in loading order. */
function copyModules(moduleDir: string, root: string): void {
  const files = new Map<string, string>();
  for (const entry of readdirSync(moduleDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith('.ko'))
      files.set(entry.name.slice(0, -3).replaceAll('-', '_'), join(entry.parentPath, entry.name));
  const order: string[] = [];
  const add = (name: string): void => {
    const file = files.get(name);
    if (file === undefined || order.includes(name)) return; // built into this kernel, or there already
    const depends = /\0depends=([^\0]*)/.exec(readFileSync(file, 'latin1'))?.[1] ?? '';
    for (const other of depends.split(',').filter((d) => d !== '')) add(other.replaceAll('-', '_'));
    order.push(name);
  };
  for (const name of MODULES) add(name);
  if (files.has('crc32c_generic')) order.unshift('crc32c_generic'); // ext4's checksum, a soft dependency
  for (const name of order) cpSync(files.get(name) ?? '', join(root, 'lib/modules', `${name}.ko`));
  writeFileSync(join(root, 'etc/modules'), `${order.map((name) => `${name}.ko`).join('\n')}\n`);
}

/** A disk with one FAT partition: syslinux boots it by BIOS, shim and GRUB by UEFI. */
async function buildDisk(
  kernel: string,
  initrd: string,
  roots: Map<string, string>,
  target: string,
): Promise<void> {
  const partition = join(work, 'partition.img');
  const config = join(work, 'syslinux.cfg');
  writeFileSync(
    config,
    `SERIAL 0 115200\nPROMPT 0\nTIMEOUT 1\nDEFAULT hello\nLABEL hello\n  LINUX /vmlinuz\n  INITRD /initrd\n  APPEND ${KERNEL_ARGUMENTS}\n`,
  );
  const grub = join(work, 'grub.cfg');
  writeFileSync(grub, `linux /vmlinuz ${KERNEL_ARGUMENTS}\ninitrd /initrd\nboot\n`);
  writeFileSync(partition, Buffer.alloc(PARTITION_BYTES));
  const sectors = PARTITION_BYTES / SECTOR;
  await run('mformat', [
    '-i',
    partition,
    '-T',
    String(sectors),
    '-h',
    '16',
    '-s',
    '63',
    '-H',
    '2048',
    '-v',
    'HELLO',
    '::',
  ]);
  for (const [from, name] of [
    [kernel, 'vmlinuz'],
    [initrd, 'initrd'],
    [config, 'syslinux.cfg'],
  ] as const)
    await run('mcopy', ['-i', partition, from, `::/${name}`]);
  for (const directory of ['EFI', 'EFI/BOOT', 'EFI/debian'])
    await run('mmd', ['-i', partition, `::/${directory}`]);
  for (const [name, [file, target]] of Object.entries(EFI_FILES))
    await run('mcopy', ['-i', partition, join(roots.get(name) ?? '', file), `::/EFI/BOOT/${target}`]);
  // Debian's signed GRUB looks for its configuration here, wherever it was started from.
  await run('mcopy', ['-i', partition, grub, '::/EFI/debian/grub.cfg']);
  await run('syslinux', ['--install', partition], { timeoutMs: SYSLINUX_MS });

  const mbr = Buffer.alloc(PARTITION_START);
  readFileSync('/usr/lib/syslinux/mbr/mbr.bin').copy(mbr);
  mbr[446] = 0x80; // bootable
  mbr[446 + 4] = 0x0e; // FAT16, LBA
  mbr.writeUInt32LE(2048, 446 + 8);
  mbr.writeUInt32LE(sectors, 446 + 12);
  mbr.writeUInt16LE(0xaa55, 510);
  writeFileSync(target, Buffer.concat([mbr, readFileSync(partition)]));
}

/** One layer with /disk/hello.qcow2, owned by the user that QEMU runs as. */
async function packOciArchive(target: string): Promise<void> {
  const layout = join(work, 'oci');
  await packImage({ directory: join(work, 'layer'), layout, reference, user: QEMU_USER });
  // Homes that start at once build it at once, and read it while another one still builds.
  await makeOnce(target, async (path) => {
    await run('tar', ['-cf', path, '-C', layout, 'oci-layout', 'index.json', 'blobs']);
  });
  console.log(`${basename(target)}: ${reference}, ${(statSync(target).size / 1048576).toFixed(1)} MiB`);
}
