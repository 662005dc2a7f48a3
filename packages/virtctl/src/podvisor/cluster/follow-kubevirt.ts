/** Tells what becomes of a KubeVirt object, a line for each change, until it is as wanted. */
import type { KubeVirt } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { followObject } from './follow-object.ts';

/** What the object says now, in a line. Pure. */
export function progressLine(kubevirt: KubeVirt): string {
  const { phase = 'Pending', conditions = [] } = kubevirt.status ?? {};
  const find = (type: string) => conditions.find((condition) => condition.type === type);
  const blocked = blockedBy(kubevirt);
  if (blocked !== undefined) return `${phase}: ${blocked.reason}: ${blocked.message}`;
  const told = find('Progressing')?.status === 'True' || phase === 'Deleting' ? find('Available') : undefined;
  return told?.message === undefined ? phase : `${phase}: ${told.message}`;
}

function blockedBy({ status }: KubeVirt) {
  return status?.conditions?.find(({ type, status: is }) => type === 'Synchronized' && is === 'False');
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

export interface FollowOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly tell: (line: string) => void;
  /** Something that only people can change is an error at once. */
  readonly endsWhenBlocked?: boolean;
  /** `undefined`: the object is gone. */
  readonly until: (kubevirt: KubeVirt | undefined) => boolean;
}

export async function followKubeVirt(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { client, namespace, tell, until } = options;
  let last = '';
  const look = (kubevirt: KubeVirt | undefined): boolean => {
    const line = kubevirt === undefined ? 'gone' : progressLine(kubevirt);
    if (line !== last) tell((last = line));
    const blocked = kubevirt === undefined ? undefined : blockedBy(kubevirt);
    if (blocked !== undefined && options.endsWhenBlocked === true)
      throw new Error(`${blocked.reason}: ${blocked.message}`);
    return until(kubevirt);
  };
  const late = (): string => `gave up waiting; last seen: ${last}`;
  await followObject({ client, resource: resources.kubeVirts, namespace, look, late }, signal);
}
