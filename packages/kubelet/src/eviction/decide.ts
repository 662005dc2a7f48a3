/** Which Pods must go because of what they take of the node's disk. Pure; texts are Kubernetes'. */
import type { Pod } from '@podvisor/api';
import { Amount, parseQuantity } from '@podvisor/base';

/** What a Pod takes of the node's disk, in bytes. */
export interface DiskUsage {
  /** emptyDir volumes on disk, by name. */
  readonly volumes: ReadonlyMap<string, number>;
  /** Writable layer, logs and termination message, by container. */
  readonly containers: ReadonlyMap<string, number>;
  /** Files that all containers share and may write, such as /etc/hosts. */
  readonly files: number;
}

const EPHEMERAL = 'ephemeral-storage';

/** True when some limit is set, so that the usage must be looked at. */
export function hasDiskLimits(pod: Pod): boolean {
  return (
    (pod.spec.volumes ?? []).some((volume) => volumeLimit(volume) !== undefined) ||
    pod.spec.containers.some(({ resources }) => resources?.limits?.[EPHEMERAL] !== undefined)
  );
}

/** Why the Pod has taken too much; undefined: it has not. */
export function exceededLimit(pod: Pod, usage: DiskUsage): string | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    const limit = volumeLimit(volume);
    if (limit !== undefined && (usage.volumes.get(volume.name) ?? 0) > limit.value())
      return `Usage of EmptyDir volume "${volume.name}" exceeds the limit "${limit.toString()}". `;
  }
  for (const { name, resources } of pod.spec.containers) {
    const given = resources?.limits?.[EPHEMERAL];
    const limit = given === undefined ? undefined : parseQuantity(given);
    if (limit !== undefined && (usage.containers.get(name) ?? 0) > limit.value())
      return `Container ${name} exceeded its local ephemeral storage limit "${limit.toString()}". `;
  }
  return exceededTotal(pod, usage);
}

/** Where every container has a limit, so has the Pod. */
function exceededTotal({ spec }: Pod, usage: DiskUsage): string | undefined {
  const limits = spec.containers.map(({ resources }) => resources?.limits?.[EPHEMERAL]);
  if (limits.some((limit) => limit === undefined)) return undefined;
  const total = limits.reduce<Amount>((sum, limit) => sum.plus(parseQuantity(limit ?? 0)), new Amount(0n));
  if (totalUsage(usage) <= total.value()) return undefined;
  return `Pod ephemeral local storage usage exceeds the total limit of containers ${total.toString()}. `;
}

export function totalUsage({ volumes, containers, files }: DiskUsage): number {
  return [...volumes.values(), ...containers.values()].reduce((sum, bytes) => sum + bytes, files);
}

/** Where the node itself runs out: the Pod that takes most beyond what it asked for goes first. */
export function mostGreedy(usages: readonly (readonly [Pod, DiskUsage])[]): Pod | undefined {
  const beyond = ([pod, usage]: readonly [Pod, DiskUsage]): number => totalUsage(usage) - requested(pod);
  const [first] = usages
    .filter((entry) => beyond(entry) > 0)
    .toSorted(
      ([a, usageA], [b, usageB]) =>
        (a.spec.priority ?? 0) - (b.spec.priority ?? 0) || beyond([b, usageB]) - beyond([a, usageA]),
    );
  return first?.[0];
}

function requested({ spec }: Pod): number {
  return spec.containers.reduce((sum, { resources }) => {
    const amount = resources?.requests?.[EPHEMERAL];
    return sum + (amount === undefined ? 0 : parseQuantity(amount).value());
  }, 0);
}

/** The limit of an emptyDir on disk; memory has its own. */
function volumeLimit({ emptyDir }: NonNullable<Pod['spec']['volumes']>[number]): Amount | undefined {
  if (emptyDir?.sizeLimit === undefined || (emptyDir.medium ?? '') !== '') return undefined;
  const limit = parseQuantity(emptyDir.sizeLimit);
  return limit.nano > 0n ? limit : undefined;
}
