/** Ends launcher Pods: their SIGTERM is the guest's power button. */
import type { Pod } from '@podvisor/api';
import { Informer, type KubeClient, resources } from '@podvisor/kube';
import { quietLog } from '../../quiet-log.ts';

/**
 * Resolves when none is left that `counts`; rejects when that takes longer than `timeoutMs`, also where thousands of
 * them cannot even be asked by then.
 */
export async function shutDownPods(
  client: KubeClient,
  pods: readonly Pod[],
  counts: (pod: Pod) => boolean,
  timeoutMs: number,
): Promise<void> {
  const stop = new AbortController();
  const asked = pods.map(({ metadata: { namespace = '', name = '' } }) =>
    client.delete(resources.pods, { namespace, name }),
  );
  try {
    await Promise.all([podsGone(client, counts, timeoutMs, stop.signal), ...asked]);
  } finally {
    stop.abort();
  }
}

function podsGone(
  client: KubeClient,
  counts: (pod: Pod) => boolean,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const done = Promise.withResolvers<void>();
  const informer = new Informer<Pod>({
    client,
    resource: resources.pods,
    labelSelector: 'kubevirt.io=virt-launcher',
    log: quietLog,
  });
  const look = (): void => {
    if (!informer.list().some(counts)) done.resolve();
  };
  informer.on({ delete: look });
  informer.start(signal);
  // They may be gone before the first look; who is stopped before it has heard the reason by the timer.
  void informer.synced().then(look, () => undefined);
  const timer = setTimeout(() => done.reject(new Error('time is up')), timeoutMs);
  return done.promise.finally(() => clearTimeout(timer));
}
