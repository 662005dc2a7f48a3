/** Holds a Pod against a level of the Pod Security Standards. Pure. */
import { NEWEST_MINOR, STANDARD_CHECKS, type Violation } from './checks.ts';
import type { LevelVersion } from './levels.ts';
import type { PodLike } from './pod-parts.ts';

/** Every rule of the level, as it was at its version, that the Pod breaks. */
export function violations({ level, version }: LevelVersion, pod: PodLike): readonly Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? NEWEST_MINOR : Math.min(version, NEWEST_MINOR);
  const active = STANDARD_CHECKS.flatMap((standard) => {
    if (standard.level === 'restricted' && level !== 'restricted') return [];
    const current = standard.versions.findLast(({ since }) => since <= minor);
    return current === undefined ? [] : [{ ...standard, check: current.check }];
  });
  const replaced = new Set(active.map(({ replaces }) => replaces));
  return active.filter(({ id }) => !replaced.has(id)).flatMap(({ check }) => check(pod) ?? []);
}

/** `privileged (container "x" must not …), hostPath volumes (volume "y")`. */
export function inDetail(broken: readonly Violation[]): string {
  return broken.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}

/** `privileged, hostPath volumes`. */
export function inShort(broken: readonly Violation[]): string {
  return broken.map(({ reason }) => reason).join(', ');
}
