/**
 * Mounts: made and found by what the kernel says in mountinfo, never by what we remember. Without starting programs:
 * a Pod has many, and a program for each would cost more than all of them.
 */
import { readFileSync } from 'node:fs';
import { checked } from '../libc.ts';
import { unmountNow } from './mapped-mounts.ts';
import { run } from '../processes/run.ts';

/** linux/mount.h. */
const MS_RDONLY = 1;
const MS_NOSUID = 2;
const MS_NODEV = 4;
const MS_REMOUNT = 32;
const MS_BIND = 4096;
const MS_REC = 16_384;
const MS_SHARED = 1_048_576;

export interface Mount {
  readonly id: number;
  /** `major:minor` of the file system. */
  readonly device: string;
  /** The directory of the file system that is shown. */
  readonly root: string;
  readonly mountPoint: string;
  readonly fsType: string;
  readonly source: string;
  readonly options: string;
  /** Options of the file system, such as the layers of an overlay. */
  readonly superOptions: string;
}

/** The mount table of this process, in mount order. */
export function listMounts(): readonly Mount[] {
  return parseMountinfo(readFileSync('/proc/self/mountinfo', 'utf8'));
}

/** Reads the format of proc(5) mountinfo; octal escapes are undone. */
export function parseMountinfo(text: string): readonly Mount[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [left = '', right = ''] = line.split(' - ');
      const fields = left.split(' ');
      const [fsType = '', source = '', superOptions = ''] = right.split(' ');
      return {
        id: Number(fields[0]),
        device: fields[2] ?? '',
        root: unescapeOctal(fields[3] ?? ''),
        mountPoint: unescapeOctal(fields[4] ?? ''),
        fsType,
        source: unescapeOctal(source),
        options: fields[5] ?? '',
        superOptions: unescapeOctal(superOptions),
      };
    });
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Makes what is mounted below `path` later visible to containers that have it (mount propagation). */
export function makeShared(path: string): void {
  if (!listMounts().some((mount) => mount.mountPoint === path)) mount(path, path, MS_BIND);
  mount(null, path, MS_SHARED | MS_REC);
}

/** A directory of strangers' files, to be read only: devices and setuid bits in it mean nothing. */
export function mountForeign(source: string, target: string): void {
  mount(source, target, MS_BIND);
  mount(null, target, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NODEV | MS_NOSUID);
}

export function mountBind(source: string, target: string, readOnly = false): void {
  mount(source, target, MS_BIND);
  if (readOnly) mount(null, target, MS_REMOUNT | MS_BIND | MS_RDONLY);
}

export function mountTmpfs(target: string, options: string): void {
  checked('mount', target, (c) => c.mount('tmpfs', target, 'tmpfs', 0, options));
}

/** Huge pages of one size as files; the group, if given, may use them. */
export function mountHugetlbfs(target: string, pageBytes: number, gid?: number): void {
  const options = [`pagesize=${pageBytes}`, 'mode=1777', ...(gid === undefined ? [] : [`gid=${gid}`])];
  checked('mount', target, (c) => c.mount('hugetlbfs', target, 'hugetlbfs', 0, options.join(',')));
}

/** Unmounts everything at or below `prefix`, innermost first; who uses it keeps it. */
export async function unmountBelow(prefix: string): Promise<void> {
  const left = [...listMounts()];
  for (let i = left.length - 1; i >= 0; i -= 1) {
    const { mountPoint } = left[i] as Mount;
    if (mountPoint !== prefix && !mountPoint.startsWith(`${prefix}/`)) continue;
    const [mount] = left.splice(i, 1) as [Mount];
    if (isLetGoAtOnce(mount, left)) unmountNow(mountPoint);
    else await run('umount', ['-l', mountPoint]);
  }
}

/** Overlays of ours are read-only or volatile: nothing of them is ever written back. */
const WITHOUT_DISK: ReadonlySet<string> = new Set(['overlay', 'tmpfs', 'hugetlbfs', 'sysfs', 'proc', 'nsfs']);

/** The last mount of a file system writes what is left to write, which may take long: not on our thread. Pure. */
export function isLetGoAtOnce({ fsType, device }: Mount, others: readonly Mount[]): boolean {
  return WITHOUT_DISK.has(fsType) || others.some((other) => other.device === device);
}

function mount(source: string | null, target: string, flags: number): void {
  checked('mount', target, (c) => c.mount(source, target, null, flags, null));
}
