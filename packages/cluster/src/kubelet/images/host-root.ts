/**
 * The image that needs no image: the host's own root file system, seen through two layers that hide all
 * but the operating system. The lower one holds whiteouts of overlayfs (character devices 0:0), the upper
 * one empty directories and our own passwd, so hiding costs nothing when a container starts.
 *
 * The rule is an allow-list: of the root directory only the programs and /etc stay; of /etc nothing that
 * other users could not read on the host.
 */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EMBEDDED_LAUNCHER_IMAGE, listMounts, mountTmpfs, run, unmountBelow } from '@podvisor/sys';
import type { OciMount } from '../container/oci-types.ts';
import type { Image } from './types.ts';

/** Entries of `/` that come from the host. */
const KEPT = new Set(['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'etc']);
/** Entries of /etc that are the host's own business although everybody may read them. */
const HIDDEN_ETC = new Set([
  ...[
    'ssh',
    'sudoers',
    'sudoers.d',
    'shadow',
    'shadow-',
    'gshadow',
    'gshadow-',
    'passwd-',
    'group-',
    'subuid',
    'subgid',
  ],
  ...[
    'kubernetes',
    'cni',
    'rancher',
    'cron.d',
    'cron.daily',
    'crontab',
    'machine-id',
    'fstab',
    'crypttab',
    'krb5.keytab',
  ],
]);
const QEMU_ID = 107;

const building = new Map<string, Promise<void>>();

/**
 * The image, its two layers at `directory`. They are in memory, on a file system of their own, because
 * overlayfs refuses a layer that lies inside another one, and `/` is a layer.
 */
export async function hostRootImage(directory: string): Promise<Image> {
  // Several nodes share the directory: the first one builds.
  const built = building.get(directory) ?? build(directory).finally(() => building.delete(directory));
  building.set(directory, built);
  await built;
  return {
    reference: EMBEDDED_LAUNCHER_IMAGE,
    id: `${EMBEDDED_LAUNCHER_IMAGE.split(':')[0]}@host`,
    layers: [join(directory, 'skeleton'), join(directory, 'mask'), '/'],
    config: {
      // Probes name our own programs without a path.
      env: ['PATH=/usr/lib/podvisor:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      entrypoint: [],
      command: ['/bin/sh'],
      workingDir: '/',
      user: '',
    },
  };
}

async function build(directory: string): Promise<void> {
  if (existsSync(join(directory, 'complete'))) return;
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  // A crash may have left half of it.
  await unmountBelow(directory);
  await mountTmpfs(directory, 'mode=0755,size=16m');
  await buildMask(join(directory, 'mask'));
  buildSkeleton(join(directory, 'skeleton'));
  writeFileSync(join(directory, 'complete'), '');
}

/** Mounts that a container from the host's root needs beside the overlay. */
export function hostRootMounts(lib: string): readonly OciMount[] {
  // An overlay does not cross mount points: a /usr (or part of it) on its own file system is bound.
  const separate = listMounts()
    .map((mount) => mount.mountPoint)
    .filter((point) => point === '/usr' || point.startsWith('/usr/'))
    .map((point) => ({ destination: point, type: 'bind', source: point, options: ['rbind', 'ro'] }));
  if (!existsSync(lib)) return separate;
  const ours = {
    destination: '/usr/lib/podvisor',
    type: 'bind',
    source: lib,
    options: ['rbind', 'ro', 'nosuid', 'nodev'],
  };
  return [...separate, ours];
}

async function buildMask(layer: string): Promise<void> {
  mkdirSync(join(layer, 'etc'), { recursive: true, mode: 0o755 });
  const whiteouts = readdirSync('/')
    .filter((name) => !KEPT.has(name))
    .map((name) => join(layer, name));
  collectHiddenEtc('/etc', join(layer, 'etc'), whiteouts, 0);
  const [first, ...others] = whiteouts;
  if (first === undefined) return;
  await run('mknod', [first, 'c', '0', '0']);
  for (const path of others) linkSync(first, path);
}

const EMPTY = ['dev', 'proc', 'sys', 'run', 'run/lock', 'home', 'mnt', 'srv', 'opt', 'media', 'boot'];
const EMPTY_VAR = ['var/cache', 'var/lib', 'var/log', 'var/lib/misc'];

function buildSkeleton(layer: string): void {
  const make = (name: string, mode: number): void => {
    mkdirSync(join(layer, name), { recursive: true });
    chmodSync(join(layer, name), mode);
  };
  for (const name of ['', 'usr', 'usr/lib', 'usr/lib/podvisor', 'etc', ...EMPTY, 'var', ...EMPTY_VAR])
    make(name, 0o755);
  make('root', 0o700);
  for (const name of ['tmp', 'var/tmp']) make(name, 0o1777);
  symlinkSync('/run', join(layer, 'var/run'));
  symlinkSync('/run/lock', join(layer, 'var/lock'));
  writeFileSync(join(layer, 'etc/passwd'), passwd(readFileSync('/etc/passwd', 'utf8')));
  writeFileSync(join(layer, 'etc/group'), group(readFileSync('/etc/group', 'utf8')));
  for (const name of ['hosts', 'hostname', 'resolv.conf']) writeFileSync(join(layer, 'etc', name), '');
}

const ETC_DEPTH = 3;

/** Finds what other users may not read, a few levels deep, and makes the directories that hold it. */
function collectHiddenEtc(host: string, layer: string, whiteouts: string[], depth: number): void {
  for (const entry of readdirSync(host, { withFileTypes: true })) {
    const path = join(host, entry.name);
    const stat = lstatSync(path);
    const readable = stat.isSymbolicLink() || (stat.mode & (stat.isDirectory() ? 0o005 : 0o004)) !== 0;
    if (!readable || (depth === 0 && HIDDEN_ETC.has(entry.name))) {
      mkdirSync(layer, { recursive: true, mode: 0o755 });
      whiteouts.push(join(layer, entry.name));
    } else if (stat.isDirectory() && depth < ETC_DEPTH) {
      collectHiddenEtc(path, join(layer, entry.name), whiteouts, depth + 1);
    }
  }
}

/** The host's users with `qemu` at the uid that launcher containers run as. */
function passwd(host: string): string {
  const kept = host.split('\n').filter((line) => {
    const [name, , uid] = line.split(':');
    return line !== '' && name !== 'qemu' && uid !== String(QEMU_ID) && isSystem(Number(uid));
  });
  return `${[...kept, `qemu:x:${QEMU_ID}:${QEMU_ID}:qemu user:/var/run/kubevirt-private:/sbin/nologin`].join('\n')}\n`;
}

function group(host: string): string {
  const kept = host.split('\n').filter((line) => {
    const [name, , gid] = line.split(':');
    return line !== '' && name !== 'qemu' && gid !== String(QEMU_ID) && isSystem(Number(gid));
  });
  return `${[...kept.map((line) => line.replace(/:[^:]*$/, ':')), `qemu:x:${QEMU_ID}:`].join('\n')}\n`;
}

/** Accounts of the operating system and `nobody`; people of the host are none of a container's business. */
function isSystem(id: number): boolean {
  return id < 1000 || id === 65_534;
}
