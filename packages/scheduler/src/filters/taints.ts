/** Cordons and taints. */
import type { Pod, Taint, Toleration } from '@podvisor/api';
import { type Filter, refuse } from '../types.ts';

const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Refuses a cordoned node, unless the Pod tolerates the taint that stands for it. */
export function unschedulableFilter(pod: Pod): Filter {
  const tolerated = isTolerated(UNSCHEDULABLE, pod.spec.tolerations);
  return ({ node }) =>
    node.spec?.unschedulable === true && !tolerated ? [refuse('node(s) were unschedulable')] : [];
}

/** Refuses a node with a taint that the Pod does not tolerate. */
export function taintsFilter(pod: Pod): Filter {
  return ({ node }) => {
    const taint = untolerated(node.spec?.taints, pod.spec.tolerations, ['NoSchedule', 'NoExecute']);
    return taint === undefined
      ? []
      : [refuse(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`)];
  };
}

/** The first taint with one of the effects that no toleration covers. */
export function untolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly Taint['effect'][],
): Taint | undefined {
  return taints?.find((taint) => effects.includes(taint.effect) && !isTolerated(taint, tolerations));
}

export function isTolerated(taint: Taint, tolerations: readonly Toleration[] | undefined): boolean {
  return tolerations?.some((toleration) => tolerates(toleration, taint)) ?? false;
}

/** One toleration against one taint: an empty effect is every effect, an empty key with Exists every key. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const effect = toleration.effect ?? '';
  const key = toleration.key ?? '';
  if (effect !== '' && effect !== taint.effect) return false;
  const exists = toleration.operator === 'Exists';
  if (key === '') return exists;
  if (key !== taint.key) return false;
  return exists || (toleration.value ?? '') === (taint.value ?? '');
}
