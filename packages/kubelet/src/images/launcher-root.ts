/**
 * The root file system of launchers, made without an image: directories of programs and libraries of the node, bound
 * one by one and read-only, above a small root of our own. It is a list of what is there, not of what is hidden:
 * whatever else the node has or gets is not in it. Of /etc it has copies of a few files that everybody on the node
 * may read. So even root in such a container finds no secret of the node.
 */
import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launcherPaths } from '@podvisor/api';
import {
  EMBEDDED_LAUNCHER_IMAGE,
  EMBEDDED_REGISTRY,
  EMBEDDED_TAG,
  listMounts,
  unmountBelow,
} from '@podvisor/sys';
import type { OciMount } from '../container/oci-types.ts';
import { bootId } from '../pod/records.ts';
import { isMountPoint } from '../volumes/paths.ts';
import { copyPublicFiles } from './public-files.ts';
import type { Image } from './types.ts';

/** Directories of programs, libraries and their data. Those that are links on the node are links here. */
const PROGRAMS: readonly string[] = [
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'],
  ...['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib32', 'usr/lib64', 'usr/libx32', 'usr/libexec', 'usr/share'],
  ...['usr/local/bin', 'usr/local/sbin', 'usr/local/lib', 'usr/local/lib64', 'usr/local/libexec'],
  'usr/local/share',
];
/** What of /etc programs look at: libraries, names, certificates that are trusted, time. */
const ETC: readonly string[] = [
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'localtime', 'timezone', 'os-release'],
  ...['nsswitch.conf', 'protocols', 'services', 'host.conf', 'gai.conf', 'mime.types', 'terminfo', 'magic'],
  ...['ssl/openssl.cnf', 'ssl/certs', 'pki/tls/certs', 'pki/tls/cert.pem', 'pki/ca-trust/extracted/pem'],
  ...['crypto-policies/back-ends', 'gnutls', 'qemu/firmware', 'swtpm_setup.conf', 'swtpm-localca.conf'],
  'swtpm-localca.options',
];
const EMPTY = ['dev', 'proc', 'sys', 'run', 'run/lock', 'home', 'mnt', 'srv', 'opt', 'media', 'boot'];
const EMPTY_VAR = ['var', 'var/cache', 'var/lib', 'var/log', 'var/lib/misc'];
/** Where our own programs are. */
const OURS = 'usr/lib/podvisor';
/** Components are small: one thread collects garbage and compiles. */
const NODE_FLAGS = ['--max-semi-space-size=1', '--v8-pool-size=0', '--single-threaded-gc'];
const QEMU_ID = 107;

/** Where the root is kept, below the directory of images. */
export function launcherRootDirectory(images: string): string {
  return join(images, 'launcher-root');
}

const building = new Map<string, Promise<void>>();

/**
 * The image, its one layer at `directory`, made anew after a reboot. On disk, although it is small: before Linux 6.3
 * memory (tmpfs) cannot be shown through a user namespace. `program`: the component that it starts; none for launchers,
 * whose Pods name their command.
 */
export async function launcherRootImage(directory: string, program = ''): Promise<Image> {
  // Several nodes share the directory: the first one builds.
  const built = building.get(directory) ?? build(directory).finally(() => building.delete(directory));
  building.set(directory, built);
  await built;
  const reference =
    program === '' ? EMBEDDED_LAUNCHER_IMAGE : `${EMBEDDED_REGISTRY}/${program}:${EMBEDDED_TAG}`;
  return {
    reference,
    id: `${reference.split(':')[0]}@host`,
    layers: [join(directory, 'root')],
    config: {
      // Probes name our own programs without a path.
      env: [`PATH=/${OURS}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`],
      entrypoint: program === '' ? [] : [`/${OURS}/node`, ...NODE_FLAGS, `/${OURS}/${program}.mjs`],
      command: program === '' ? ['/bin/sh'] : [],
      workingDir: '/',
      user: '',
    },
  };
}

/** Mounts of a container from this root at `directory`: the node's programs, and ours from `lib`. */
export function launcherRootMounts(directory: string, lib: string): readonly OciMount[] {
  return [...programMounts(directory), ...(existsSync(lib) ? [bind(lib, `/${OURS}`)] : [])];
}

const READ_ONLY = ['ro', 'nosuid', 'nodev'];

function bind(source: string, destination: string): OciMount {
  return { destination, type: 'bind', source, options: ['rbind', 'rprivate', ...READ_ONLY] };
}

function programMounts(directory: string): readonly OciMount[] {
  const points = listMounts().map(({ mountPoint }) => mountPoint);
  return PROGRAMS.map((path) => `/${path}`)
    .filter(isDirectory)
    .flatMap((path) => {
      if (!`/${OURS}`.startsWith(`${path}/`)) return [bind(path, path)];
      // The node need not have a place for our programs among its own: an overlay adds one.
      const lower = `lowerdir=${join(directory, 'places', path)}:${path}`;
      const overlay = {
        destination: path,
        type: 'overlay',
        source: 'overlay',
        options: [...READ_ONLY, lower],
      };
      // An overlay does not cross mount points.
      const separate = points.filter((point) => point.startsWith(`${path}/`));
      return [overlay, ...separate.map((point) => bind(point, point))];
    });
}

async function build(directory: string): Promise<void> {
  if (isBuilt(directory)) return;
  // A crash may have left half of it, an earlier run of the machine a whole one.
  await removeLauncherRoot(directory);
  await mkdir(directory, { recursive: true, mode: 0o755 });
  await mkdir(join(directory, 'places', OURS), { recursive: true, mode: 0o755 });
  await buildRoot(join(directory, 'root'));
  await writeFile(join(directory, 'complete'), bootId);
}

/** Built since the machine started. Containers may run from it then. */
function isBuilt(directory: string): boolean {
  const file = join(directory, 'complete');
  const since = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  // Earlier versions kept it in memory and wrote nothing into the file.
  return since === bootId || (since === '' && isMountPoint(directory));
}

/** Nothing may run from it. */
export async function removeLauncherRoot(directory: string): Promise<void> {
  await unmountBelow(directory);
  await rm(directory, { recursive: true, force: true });
}

async function buildRoot(root: string): Promise<void> {
  const make = async (name: string, mode: number): Promise<void> => {
    await mkdir(join(root, name), { recursive: true });
    await chmod(join(root, name), mode);
  };
  for (const name of ['', 'etc', 'usr', 'usr/local', ...EMPTY, ...EMPTY_VAR]) await make(name, 0o755);
  await make('root', 0o700);
  for (const name of ['tmp', 'var/tmp']) await make(name, 0o1777);
  for (const path of PROGRAMS) {
    if (isDirectory(`/${path}`)) await make(path, 0o755);
    else if (isLink(`/${path}`)) await symlink(readlinkSync(`/${path}`), join(root, path));
  }
  await symlink('/run', join(root, 'var/run'));
  await symlink('/run/lock', join(root, 'var/lock'));
  await copyPublicFiles('/etc', join(root, 'etc'), ETC);
  await writeFile(join(root, 'etc/passwd'), passwd(readFileSync('/etc/passwd', 'utf8')));
  await writeFile(join(root, 'etc/group'), group(readFileSync('/etc/group', 'utf8')));
  for (const name of ['hosts', 'hostname', 'resolv.conf']) await writeFile(join(root, 'etc', name), '');
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** The node's users with `qemu` at the uid that launcher containers run as. */
function passwd(host: string): string {
  const kept = host.split('\n').filter((line) => {
    const [name, , uid] = line.split(':');
    return line !== '' && name !== 'qemu' && uid !== String(QEMU_ID) && isSystem(Number(uid));
  });
  return `${[...kept, `qemu:x:${QEMU_ID}:${QEMU_ID}:qemu user:${launcherPaths().privateDir}:/sbin/nologin`].join('\n')}\n`;
}

function group(host: string): string {
  const kept = host.split('\n').filter((line) => {
    const [name, , gid] = line.split(':');
    return line !== '' && name !== 'qemu' && gid !== String(QEMU_ID) && isSystem(Number(gid));
  });
  return `${[...kept.map((line) => line.replace(/:[^:]*$/, ':')), `qemu:x:${QEMU_ID}:`].join('\n')}\n`;
}

/** Accounts of the operating system and `nobody`; people of the node are none of a container's business. */
function isSystem(id: number): boolean {
  return id < 1000 || id === 65_534;
}
