/** Hibernations as a client sees them: whether one is under way, and the wait for its end. */
import type { KubeClient } from '@podvisor/kube';
import type { PipelineObjects } from './handoffs.ts';
import { watchPipeline } from './pipeline-watch.ts';

interface FollowOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
}

/**
 * The VM's guest is about to sleep: it was asked for, the guest is being saved, or it is saved and its VMI has not gone
 * yet. A start is refused until then, because the VM runs. Pure.
 */
export function isBeingHibernated({ vm, vmi }: PipelineObjects): boolean {
  if (vm === undefined || vmi === undefined) return false;
  const uid = vmi.metadata?.uid;
  const { phase, vmiUID } = vm.status?.hibernation ?? {};
  return isAskedFor(vm, uid) || ((phase === 'Saving' || phase === 'Hibernated') && vmiUID === uid);
}

/** How a hibernation ended, with the reason of a failure; undefined while it has not. Pure. */
export function hibernationEnd({
  vm,
  vmi,
}: PipelineObjects): { readonly failure: string | undefined } | undefined {
  const { phase, message } = vm?.status?.hibernation ?? {};
  if (phase === 'Failed') return { failure: message ?? '' };
  return phase === 'Hibernated' && vmi === undefined ? { failure: undefined } : undefined;
}

/** Resolves when the VM is hibernated and nothing of it runs; rejects when the guest goes on instead. */
export async function followHibernation(
  { client, namespace, name }: FollowOptions,
  signal: AbortSignal,
): Promise<void> {
  let end: ReturnType<typeof hibernationEnd>;
  await watchPipeline(
    client,
    namespace,
    name,
    (objects) => {
      end = hibernationEnd(objects);
      return end !== undefined;
    },
    signal,
  );
  const failure = end?.failure;
  if (failure !== undefined) throw new Error(`VM ${name} was not hibernated and goes on: ${failure}`);
}

function isAskedFor({ status }: NonNullable<PipelineObjects['vm']>, uid: string | undefined): boolean {
  return (status?.stateChangeRequests ?? []).some(
    (request) => request.action === 'Hibernate' && request.uid !== undefined && request.uid === uid,
  );
}
