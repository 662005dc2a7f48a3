/** Waits for a hibernation to end. */
import type { KubeClient } from '@podvisor/kube';
import { watchPipeline } from './pipeline-watch.ts';

interface FollowOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
}

/** Resolves when the VM is hibernated and nothing of it runs; rejects when the guest goes on instead. */
export async function followHibernation(
  { client, namespace, name }: FollowOptions,
  signal: AbortSignal,
): Promise<void> {
  let failure: string | undefined;
  await watchPipeline(
    client,
    namespace,
    name,
    ({ vm, vmi }) => {
      const { phase, message } = vm?.status?.hibernation ?? {};
      if (phase === 'Failed') failure = message ?? '';
      return failure !== undefined || (phase === 'Hibernated' && vmi === undefined);
    },
    signal,
  );
  if (failure !== undefined) throw new Error(`VM ${name} was not hibernated and goes on: ${failure}`);
}
