/** Whether this node can take a Pod at all, whoever bound it here. Pure. */
import { type Container, type Pod, isPodEnded } from '@podvisor/api';
import { Amount, parseQuantity } from '@podvisor/base';
import { EMBEDDED_IMAGE_GRANT, isEmbeddedImage } from '@podvisor/sys';
import { type AppArmorHost, appArmorRefusal } from '../access-control/app-armor.ts';
import { userNamespaceRefusal } from '../users/wanted.ts';
import { sysctlRefusal } from './sysctls.ts';
import { allContainers, initContainers, isSidecar, uidOf } from './types.ts';

export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

export interface NodeAmounts {
  readonly cpuMilli: number;
  readonly memoryBytes: number;
}

/** Why the Pod cannot run here next to `others`; undefined: it can. `appArmor`: absent when the node has none. */
export function refusal(
  pod: Pod,
  others: readonly Pod[],
  amounts: NodeAmounts,
  appArmor?: AppArmorHost,
): Refusal | undefined {
  if (pod.spec.shareProcessNamespace === true) {
    const message = 'Pod was rejected: shareProcessNamespace is not supported by this node';
    return { reason: 'ShareProcessNamespaceNotSupported', message };
  }
  // Pod Security lets root in where it is nobody on the node: that must be true, then.
  const users = userNamespaceRefusal(pod);
  if (users !== undefined) return users;
  const settings = sysctlRefusal(pod);
  if (settings !== undefined) return settings;
  const confinement = appArmorRefusal(pod, appArmor);
  if (confinement !== undefined) return confinement;
  const embedded = allContainers(pod).find(({ image = '' }) => isEmbeddedImage(image));
  if (embedded !== undefined && pod.metadata.annotations?.[EMBEDDED_IMAGE_GRANT] === undefined) {
    const message = `Pod was rejected: image ${embedded.image} was not granted to it`;
    return { reason: 'EmbeddedImageNotGranted', message };
  }
  const active = others.filter((other) => uidOf(other) !== uidOf(pod) && !isPodEnded(other));
  const limits = { cpu: amounts.cpuMilli, memory: amounts.memoryBytes };
  for (const name of ['cpu', 'memory'] as const) {
    const requested = podRequest(pod, name);
    const used = active.reduce((sum, other) => sum + podRequest(other, name), 0);
    if (requested === 0 || used + requested <= limits[name]) continue;
    return {
      reason: `OutOf${name}`,
      message: `Pod was rejected: Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${limits[name]}`,
    };
  }
  return undefined;
}

/** Millicores or bytes: the containers together, or the largest init container beside its sidecars. */
export function podRequest(pod: Pod, name: 'cpu' | 'memory'): number {
  const of = (container: Container): number => {
    const amount = container.resources?.requests?.[name] ?? container.resources?.limits?.[name];
    const parsed = amount === undefined ? new Amount(0n) : parseQuantity(amount);
    return name === 'cpu' ? parsed.milliValue() : parsed.value();
  };
  let sidecars = 0;
  let largestInit = 0;
  for (const container of initContainers(pod)) {
    if (isSidecar(container)) sidecars += of(container);
    largestInit = Math.max(largestInit, sidecars + (isSidecar(container) ? 0 : of(container)));
  }
  const together = sidecars + pod.spec.containers.reduce((sum, container) => sum + of(container), 0);
  const overhead = pod.spec.overhead?.[name];
  const extra =
    overhead === undefined
      ? 0
      : name === 'cpu'
        ? parseQuantity(overhead).milliValue()
        : parseQuantity(overhead).value();
  return Math.max(together, largestInit) + extra;
}
