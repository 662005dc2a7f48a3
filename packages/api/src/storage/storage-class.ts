/** Storage classes: the default one, and the one of the embedded home. Pure. */
import type { StorageClass } from '../types/index.ts';

/** Provisioner of the embedded home's local volumes. It fills claims of DataVolumes itself where no Pod is needed. */
export const LOCAL_PROVISIONER = 'podvisor.io/local';

/** Marks the class of claims that name none. */
export const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

/** The newest of those that are marked as default. */
export function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  const created = ({ metadata }: StorageClass): string => metadata?.creationTimestamp ?? '';
  return classes
    .filter(({ metadata }) => metadata?.annotations?.[DEFAULT_CLASS] === 'true')
    .toSorted((a, b) => (created(a) > created(b) ? -1 : 1))[0];
}
