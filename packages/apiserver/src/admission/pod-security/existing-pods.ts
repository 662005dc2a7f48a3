/** What a new level would mean for the Pods that a namespace has already. Pure. */
import { controllerOf } from '@podvisor/api';
import type { KubeObject } from '../../wire/json.ts';
import { inShort, violations } from './evaluate.ts';
import { formatLevel, type LevelVersion } from './levels.ts';

/** More Pods than these are not looked at. */
export const MAX_PODS = 3000;

/** Warnings about existing Pods; none when all of them would be let in. */
export function warningsFor(
  namespace: string,
  enforce: LevelVersion,
  pods: readonly KubeObject[],
): readonly string[] {
  const checked = byController(pods).slice(0, MAX_PODS);
  const broken = new Map<string, string[]>();
  for (const pod of checked) {
    const reasons = inShort(violations(enforce, pod));
    if (reasons !== '') broken.set(reasons, [...(broken.get(reasons) ?? []), pod.metadata.name ?? '']);
  }
  const lines = [...broken].map(([reasons, names]) => `${podNames(names)}: ${reasons}`).toSorted();
  return [
    ...(checked.length === pods.length
      ? []
      : [
          `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`,
        ]),
    ...(lines.length === 0
      ? []
      : [
          `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${formatLevel(enforce)}"`,
        ]),
    ...lines,
  ];
}

function podNames(names: readonly string[]): string {
  const [first = '', ...others] = names.toSorted();
  if (others.length === 0) return first;
  return `${first} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`;
}

/** One Pod of every controller first: replicas tell nothing new. */
function byController(pods: readonly KubeObject[]): readonly KubeObject[] {
  const seen = new Set<string>();
  const isRepeated = (pod: KubeObject): boolean => {
    const uid = controllerOf(pod)?.uid;
    if (uid === undefined) return false;
    return seen.has(uid) || (seen.add(uid), false);
  };
  const { first = [], repeated = [] } = Object.groupBy(pods, (pod) =>
    isRepeated(pod) ? 'repeated' : 'first',
  );
  return [...first, ...repeated];
}
