/** Tells what becomes of a KubeVirt object, a line for each change, until it is as wanted. */
import type { KubeVirt } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { followObject } from './follow-object.ts';

/** What the object says now, in a line. Pure. */
export function progressLine(kubevirt: KubeVirt): string {
  const { phase = 'Pending', conditions = [] } = kubevirt.status ?? {};
  const find = (type: string) => conditions.find((condition) => condition.type === type);
  const blocked = blockedBy(kubevirt);
  if (blocked !== undefined) return `${phase}: ${blocked}`;
  const told = find('Progressing')?.status === 'True' || phase === 'Deleting' ? find('Available') : undefined;
  return told?.message === undefined ? phase : `${phase}: ${told.message}`;
}

/** What only people can change, if anything stands in the way. Pure. */
export function blockedBy({ status }: KubeVirt): string | undefined {
  const found = status?.conditions?.find(({ type, status: is }) => type === 'Synchronized' && is === 'False');
  return found === undefined ? undefined : `${found.reason}: ${found.message}`;
}

/** Whose components are wanted: `REGISTRY/virt-operator:TAG`, unless the KubeVirt object says otherwise. */
export interface WantedImages {
  readonly registry: string;
  readonly tag: string;
}

/**
 * What virt-operator of `wanted` was asked for is installed and runs. Pure. Another virt-operator may have said that all
 * is well before this one came, of the same generation: its images are not these.
 */
export function isInstalledFrom(kubevirt: KubeVirt, wanted: WantedImages): boolean {
  const { spec, status } = kubevirt;
  return (
    isInstalled(kubevirt) &&
    status?.observedKubeVirtRegistry === (spec.imageRegistry ?? wanted.registry) &&
    status.observedKubeVirtVersion === (spec.imageTag ?? wanted.tag)
  );
}

/** Everything that was asked for is installed and runs. Pure. */
export function isInstalled({ metadata, status }: KubeVirt): boolean {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  const progressing = status?.conditions?.find(({ type }) => type === 'Progressing');
  return (
    status?.phase === 'Deployed' &&
    status.observedGeneration === metadata?.generation &&
    available?.status === 'True' &&
    progressing?.status === 'False'
  );
}

/** For a new virt-operator to be pulled, to start and to look. */
const LOOK_AGAIN_MS = 30_000;

export interface FollowOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly tell: (line: string) => void;
  /**
   * Something that only people can change is an error at once; what was said `before` (the last text) may be what has
   * just been mended, and is one when virt-operator has had time to look again.
   */
  readonly endsWhenBlocked?: { readonly before: string | undefined };
  /** `undefined`: the object is gone. */
  readonly until: (kubevirt: KubeVirt | undefined) => boolean;
}

export async function followKubeVirt(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { client, namespace, tell, until, endsWhenBlocked } = options;
  let last = '';
  let blocked: string | undefined;
  const look = (kubevirt: KubeVirt | undefined): boolean => {
    const line = kubevirt === undefined ? 'gone' : progressLine(kubevirt);
    if (line !== last) tell((last = line));
    blocked = kubevirt === undefined ? undefined : blockedBy(kubevirt);
    if (blocked !== undefined && endsWhenBlocked !== undefined && blocked !== endsWhenBlocked.before)
      throw new Error(blocked);
    return until(kubevirt);
  };
  const stillBlocked = new AbortController();
  const timer = setTimeout(() => {
    if (blocked !== undefined && endsWhenBlocked !== undefined) stillBlocked.abort();
  }, LOOK_AGAIN_MS);
  const late = (): string =>
    stillBlocked.signal.aborted && blocked !== undefined ? blocked : `gave up waiting; last seen: ${last}`;
  try {
    await followObject(
      { client, resource: resources.kubeVirts, namespace, look, late },
      AbortSignal.any([signal, stillBlocked.signal]),
    );
  } finally {
    clearTimeout(timer);
  }
}
