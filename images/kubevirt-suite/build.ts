/**
 * Builds the guests of KubeVirt's suite from Debian's packages: disks with an ext4 root that busybox starts, as
 * container disks in OCI layouts, and the containers that its Pods run. Needs root, mmdebstrap and the tools that
 * `podvisor` installs. Nothing of the host's own files goes into them.
 *
 *   node images/kubevirt-suite/build.ts DIRECTORY
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type BootFiles, buildBootPartition, writeDisk } from '../boot-disk.ts';
import { EFI_FILES } from '../debian/packages.ts';
import { packImage } from '../../packages/sys/src/files/pack-image.ts';
import { run } from '../../packages/sys/src/processes/run.ts';
import { GUESTS, type Guest, HELPER_PROGRAMS, HELPERS, KERNEL_BOOT, MODULES, PACKAGES } from './guests.ts';

const MINUTES = 60_000;
const BOOT_MIB = 48;
/** With the boot partition below the 512 MiB that the suite's claims have, less what a file system takes of them. */
const ROOT_MIB = 360;
/** Memory that is plugged is the guest's at once: Debian's kernel would leave it to a rule of udev that nobody wrote. */
const KERNEL_ARGUMENTS =
  'console=tty0 console=ttyS0,115200 quiet loglevel=4 tsc=unstable no_timer_check memhp_default_state=online net.ifnames=0';
/** Who runs QEMU in a launcher. */
const QEMU_USER = 107;
const ROOT_USER = 0;
/** Who the helpers are unless their Pods say: these want to be anybody but root. */
const HELPER_USER = 1001;
/** Of the guests' C library; it also tells what a program is linked to. */
const LOADER = '/lib64/ld-linux-x86-64.so.2';
const COMMAND_DIRECTORIES = ['bin', 'sbin', 'usr/bin', 'usr/sbin', 'usr/local/bin'];
/** What no guest needs, and would not fit. */
const UNWANTED = [
  'boot',
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/i18n',
  'usr/share/perl',
  'usr/share/perl5',
  'usr/share/misc/pci.ids.gz',
  'usr/lib/x86_64-linux-gnu/perl',
  'usr/lib/x86_64-linux-gnu/gconv',
  'var/cache',
  'var/lib/apt',
  'var/lib/dpkg',
];

const own = import.meta.dirname;
const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error('usage: build.ts DIRECTORY');
  process.exit(2);
}
const output = resolve(directory);
mkdirSync(output, { recursive: true });
const work = mkdtempSync(join(output, 'building.'));
try {
  await build(output);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function build(target: string): Promise<void> {
  const root = join(work, 'root');
  await unpackPackages(root);
  const { kernel, initrd } = await bootFiles(root);
  await buildHelpers(root, target);
  await prepareRoot(root);
  const system = join(work, 'root.img');
  const sizes = ['-b', '4096', '-q', '-F', '-m', '0', '-L', 'suite-root'];
  await run('mkfs.ext4', [...sizes, '-d', root, system, `${ROOT_MIB}M`], { timeoutMs: 10 * MINUTES });
  const efi = await fetchEfi();
  for (const guest of GUESTS) await buildGuest(guest, { kernel, initrd, efi }, system, target);
  const layer = layerDirectory();
  for (const [from, to] of [
    [kernel, KERNEL_BOOT.kernel],
    [initrd, KERNEL_BOOT.initrd],
  ] as const) {
    mkdirSync(dirname(join(layer, to)), { recursive: true });
    cpSync(from, join(layer, to));
  }
  await pack(KERNEL_BOOT.image, layer, target, QEMU_USER);
}

/**
 * Unpacks without running a script of any package: the few files that those would write are ours. What apt brought is
 * kept beside the output, so that guests whose own files change are made again in seconds.
 */
async function unpackPackages(root: string): Promise<void> {
  const wanted = createHash('sha256').update(PACKAGES.join()).digest('hex').slice(0, 12);
  const kept = join(dirname(output), `suite-packages-${wanted}.tar`);
  if (!existsSync(kept)) {
    const partial = join(work, 'packages.tar');
    const args = [
      '--mode=root',
      '--variant=extract',
      `--include=${PACKAGES.join(',')}`,
      '--aptopt=APT::Install-Recommends "false"',
      'bookworm',
      partial,
    ];
    const namespace = ['--mount', '--propagation', 'private', 'mmdebstrap'];
    await run('unshare', [...namespace, ...args], { timeoutMs: 20 * MINUTES });
    renameSync(partial, kept);
  }
  mkdirSync(root);
  await run('tar', ['-xf', kept, '-C', root, '--exclude=./dev/*'], { timeoutMs: 10 * MINUTES });
}

/** The kernel, and an initrd that loads the drivers and finds the root. Drivers of the root are those of the initrd. */
async function bootFiles(root: string): Promise<{ readonly kernel: string; readonly initrd: string }> {
  const name = readdirSync(join(root, 'boot')).find((file) => file.startsWith('vmlinuz-'));
  if (name === undefined) throw new Error('the kernel package holds no vmlinuz');
  const version = name.slice('vmlinuz-'.length);
  const kernel = join(work, 'vmlinuz');
  cpSync(join(root, 'boot', name), kernel);
  const depmod = (): Promise<unknown> =>
    run('chroot', [root, '/sbin/depmod', version], { timeoutMs: 5 * MINUTES });
  await depmod();
  const modules = await modulesInOrder(root, version);

  const tree = join(work, 'initrd-root');
  cpSync(join(own, 'initrd'), tree, { recursive: true });
  for (const directory of ['bin', 'dev', 'proc', 'sys', 'root']) mkdirSync(join(tree, directory));
  cpSync(join(root, 'bin/busybox'), join(tree, 'bin/busybox'));
  for (const applet of await appletsOf(join(tree, 'bin/busybox')))
    symlinkSync('busybox', join(tree, 'bin', applet));
  for (const file of modules) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    cpSync(join(root, file), join(tree, file));
  }
  writeFileSync(join(tree, 'modules'), `${modules.map((file) => `/${file}`).join('\n')}\n`);
  const { stdout: names } = await run('find', ['.'], { cwd: tree });
  const archive = join(work, 'initrd.cpio');
  await run('busybox', ['cpio', '-o', '-H', 'newc', '-F', archive], { cwd: tree, input: names });
  await run('zstd', ['-q', '-19', archive, '-o', join(work, 'initrd')], { timeoutMs: 5 * MINUTES });

  rmSync(join(root, 'lib/modules'), { recursive: true });
  cpSync(join(tree, 'lib/modules'), join(root, 'lib/modules'), { recursive: true });
  await depmod();
  return { kernel, initrd: join(work, 'initrd') };
}

async function modulesInOrder(root: string, version: string): Promise<readonly string[]> {
  const order = new Set<string>();
  for (const module of MODULES) {
    const { stdout } = await run(
      'chroot',
      [root, '/sbin/modprobe', '-S', version, '--show-depends', '--ignore-install', module],
      { okCodes: [0, 1] },
    );
    for (const [, file] of stdout.matchAll(/^insmod \/(lib\/modules\/\S+)/gm))
      if (file !== undefined) order.add(file);
  }
  return [...order];
}

async function appletsOf(busybox: string): Promise<readonly string[]> {
  const { stdout } = await run(busybox, ['--list']);
  return stdout.split('\n').filter((applet) => applet !== '' && applet !== 'busybox');
}

/** What all guests have: our files, hello's programs for network and first boot, busybox for what nobody else brings. */
async function prepareRoot(root: string): Promise<void> {
  for (const path of UNWANTED) rmSync(join(root, path), { recursive: true, force: true });
  cpSync(join(own, '../hello/rootfs/usr/sbin'), join(root, 'usr/sbin'), { recursive: true });
  cpSync(join(own, 'rootfs'), root, { recursive: true });
  cpSync(join(own, 'kinds'), join(root, 'usr/share/kinds'), { recursive: true });
  rmSync(join(root, 'etc/passwd'), { force: true });
  for (const directory of ['dev', 'proc', 'sys', 'run', 'tmp', 'mnt', 'root', 'home', 'var/lib', 'var/log'])
    mkdirSync(join(root, directory), { recursive: true });
  chmodSync(join(root, 'etc/sudoers'), 0o440);
  chmodSync(join(root, 'etc/sudoers.d/guest'), 0o440);
  rmSync(join(root, 'var/run'), { recursive: true, force: true });
  symlinkSync('/run', join(root, 'var/run'));
  const has = (name: string): boolean =>
    COMMAND_DIRECTORIES.some((directory) => existsSync(join(root, directory, name)));
  for (const applet of await appletsOf(join(root, 'bin/busybox')))
    if (!has(applet)) symlinkSync('/bin/busybox', join(root, 'bin', applet));
  const link = (name: string, target: string): void => {
    for (const directory of COMMAND_DIRECTORIES)
      rmSync(join(root, directory, basename(name)), { force: true });
    symlinkSync(target, join(root, name));
  };
  // These must be busybox' own: the packages' want systemd, PAM or a terminal database.
  for (const name of ['sbin/init', 'sbin/poweroff', 'sbin/reboot', 'sbin/halt', 'bin/login', 'bin/su'])
    link(name, '/bin/busybox');
  // busybox' shell would run its own small programs in place of those that the packages and we bring.
  link('bin/sh', 'bash');
  await compilePython(root);
}

/**
 * As the package's own script would have done. An emulated guest compiles its standard library for longer than the
 * suite waits for a server that it started. Unchecked: the files' times are not kept on every way into a disk.
 */
async function compilePython(root: string): Promise<void> {
  const [library] = readdirSync(join(root, 'usr/lib')).filter((name) => /^python3\.\d+$/.test(name));
  if (library === undefined) throw new Error('the guests have no Python');
  const args = ['-m', 'compileall', '-q', '--invalidation-mode', 'unchecked-hash', `/usr/lib/${library}`];
  await run('chroot', [root, '/usr/bin/python3', ...args], { timeoutMs: 5 * MINUTES });
}

/** All guests have one root; the boot loader tells the kernel which of them this is. */
async function buildGuest(
  guest: Guest,
  boot: Omit<BootFiles, 'kernelArguments'>,
  system: string,
  target: string,
): Promise<void> {
  const kernelArguments = `${KERNEL_ARGUMENTS} suite.kind=${guest.kind}${guest.hasAgent ? ' suite.agent' : ''}`;
  const partition = join(work, 'boot.img');
  await buildBootPartition({ ...boot, kernelArguments }, partition, { mib: BOOT_MIB, label: 'BOOT' });
  const disk = join(work, 'disk.raw');
  await writeDisk(disk, [
    { file: partition, type: 0x0e, isBootable: true },
    { file: system, type: 0x83 },
  ]);
  const layer = layerDirectory();
  mkdirSync(dirname(join(layer, guest.path)), { recursive: true });
  await run('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', disk, join(layer, guest.path)], {
    timeoutMs: 10 * MINUTES,
  });
  await pack(guest.image, layer, target, QEMU_USER);
}

/** Containers with busybox, and what the suite's Pods want beyond it: they name the command. */
async function buildHelpers(root: string, target: string): Promise<void> {
  const busybox = join(root, 'bin/busybox');
  for (const name of HELPERS) {
    const layer = layerDirectory();
    for (const directory of ['bin', 'tmp', 'etc']) mkdirSync(join(layer, directory));
    mkdirSync(join(layer, 'usr'));
    symlinkSync('../bin', join(layer, 'usr/bin'));
    symlinkSync('../bin', join(layer, 'usr/sbin'));
    symlinkSync('bin', join(layer, 'sbin'));
    cpSync(busybox, join(layer, 'bin/busybox'));
    for (const program of HELPER_PROGRAMS) await copyProgram(root, program, layer);
    for (const applet of await appletsOf(busybox))
      if (!existsSync(join(layer, 'bin', applet))) symlinkSync('busybox', join(layer, 'bin', applet));
    await pack(name, layer, target, ROOT_USER, HELPER_USER);
  }
}

/** A program of the root into `bin` of a layer, with the libraries that it is linked to. */
async function copyProgram(root: string, name: string, layer: string): Promise<void> {
  const directory = ['bin', 'usr/bin'].find((place) => existsSync(join(root, place, name)));
  if (directory === undefined) throw new Error(`no package of the guests has ${name}`);
  copyFileSync(join(root, directory, name), join(layer, 'bin', name));
  const { stdout } = await run('chroot', [root, LOADER, '--list', `/${directory}/${name}`]);
  for (const [, library = ''] of stdout.matchAll(/(?:=> |^\s+)(\/\S+)/gm)) {
    mkdirSync(join(layer, dirname(library)), { recursive: true });
    copyFileSync(join(root, library), join(layer, library));
  }
}

async function fetchEfi(): Promise<BootFiles['efi']> {
  const debs = join(work, 'debs');
  mkdirSync(debs);
  const download = ['download', '-o', 'APT::Sandbox::User=root', ...Object.keys(EFI_FILES)];
  await run('apt-get', download, { cwd: debs, timeoutMs: 5 * MINUTES });
  for (const deb of readdirSync(debs)) await run('dpkg-deb', ['-x', join(debs, deb), join(work, 'efi')]);
  return Object.values(EFI_FILES).map(([file, name]) => [join(work, 'efi', file), name]);
}

function layerDirectory(): string {
  return mkdtempSync(join(work, 'layer.'));
}

/** An OCI layout, which `podvisor image import` takes as it is. */
async function pack(
  name: string,
  directory: string,
  target: string,
  user: number,
  runAs?: number,
): Promise<void> {
  const layout = join(target, name);
  rmSync(layout, { recursive: true, force: true });
  await packImage({ directory, layout, reference: name, user, ...(runAs === undefined ? {} : { runAs }) });
  rmSync(directory, { recursive: true });
  console.log(name);
}
