/**
 * Which Pod a process belongs to, by the control groups that the kubelet put it into. A whole segment of the path
 * names the Pod; text inside a segment says nothing. The outermost segment counts: whoever may make groups of his own
 * makes them below that of his Pod. Segments that this process shares do not count: a node may be a Pod of another
 * cluster.
 */
import { readFileSync } from 'node:fs';
import { parseUid, type Uid } from '@podvisor/base';

/**
 * `podUID` of the kubelet's cgroupfs driver, `…-podUID.slice` of its systemd driver (with `_` for `-`). A runtime that
 * is not told of the systemd driver makes one group `…-podUID.slice:RUNTIME:CONTAINER` of what it is handed.
 */
const KUBELET =
  /^(?:pod([0-9a-f-]{36})|(?:[a-z0-9]+-)*kubepods(?:-[a-z]+)?-pod([0-9a-f_]{36})\.slice(?::[a-z][a-z-]*:[0-9a-f]{64})?)$/;
/** The embedded home: `/podvisor/INSTANCE/UID`. */
const HOME = 'podvisor';

/** The Pod that `/proc/PID/cgroup` names; undefined when it names none, or several. `own`: that of this process. */
export function podOfCgroups(cgroups: string, own: string): Uid | undefined {
  const shared = pathsByHierarchy(own);
  const named = new Set<Uid>();
  for (const [hierarchy, path] of pathsByHierarchy(cgroups)) {
    const uid = podOfPath(path, shared.get(hierarchy) ?? []);
    if (uid !== undefined) named.add(uid);
  }
  const [only, ...others] = named;
  return others.length === 0 ? only : undefined;
}

/** True when process `pid` is in the Pod. The first process of the machine is in none. */
export function isProcessInPod(pid: number, uid: Uid): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  try {
    return podOfCgroups(cgroupsOf(pid), cgroupsOf('self')) === uid;
  } catch {
    return false; // The process ended in the meantime, so it is nobody to talk to.
  }
}

function cgroupsOf(pid: number | 'self'): string {
  return readFileSync(`/proc/${pid}/cgroup`, 'utf8');
}

function podOfPath(path: readonly string[], own: readonly string[]): Uid | undefined {
  const first = path.findIndex((segment, index) => segment !== own[index]);
  for (const index of path.keys()) {
    const uid = first < 0 || index < first ? undefined : podOfSegment(path, index);
    if (uid !== undefined) return uid;
  }
  return undefined;
}

function podOfSegment(path: readonly string[], index: number): Uid | undefined {
  const segment = path[index] ?? '';
  const [, plain, escaped] = KUBELET.exec(segment) ?? [];
  const isHome = index >= 2 && path[index - 2] === HOME;
  return parseUid(plain ?? escaped?.replaceAll('_', '-') ?? (isHome ? segment : undefined));
}

/**
 * The control group of a process and those above it that are its container's: below the innermost that names a Pod. A
 * runtime may nest them (crun: `crio-ID.scope/container`). Only the group itself where none names a Pod.
 */
export function containerGroups(path: string): readonly string[] {
  const segments = path.split('/');
  const pod = [...segments.keys()].findLast((index) => podOfSegment(segments, index) !== undefined);
  const ends = pod === undefined ? [] : [...segments.keys()].slice(pod + 1, -1);
  return [...ends.map((end) => segments.slice(0, end + 1).join('/')), path];
}

/** Lines `ID:CONTROLLERS:PATH` (cgroups(7)); v2 has one, with the id 0. */
function pathsByHierarchy(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    text.split('\n').flatMap((line): [string, readonly string[]][] => {
      const [, hierarchy, path] = /^(\d+:[^:]*):\/(.*)$/.exec(line) ?? [];
      return hierarchy === undefined ? [] : [[hierarchy, (path ?? '').split('/')]];
    }),
  );
}
