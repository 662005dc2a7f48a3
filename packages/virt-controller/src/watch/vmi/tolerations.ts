/**
 * Which taints of its node a launcher stands. Kubernetes deletes Pods of a node that it cannot reach after five minutes.
 * The guest may well run there, and the kubelet would stop it when the network is back. So nobody ends a launcher for
 * its node's silence, unless the VM says after how long; a guest that is proven to be over is given up all the same
 * (../node-loss). Pure.
 */
import type { Toleration } from '@podvisor/api';

const UNREACHABLE = 'node.kubernetes.io/unreachable';
const EFFECT = 'NoExecute';

/** Those of the VM, and that of an unreachable node unless they speak of it. */
export function launcherTolerations(own: readonly Toleration[] = []): readonly Toleration[] {
  const isSaid = own.some(({ key, effect }) => key === UNREACHABLE && (!effect || effect === EFFECT));
  return isSaid ? own : [...own, { key: UNREACHABLE, operator: 'Exists', effect: EFFECT }];
}
