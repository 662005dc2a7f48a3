/**
 * The status of the embedded home's KubeVirt object, in the place of virt-operator: the components are processes that
 * a supervisor keeps, so that there is nothing to roll out, and a change of the object is observed as soon as it is
 * seen (the components follow the object themselves).
 */
import { API_VERSION, type KubeVirt } from '@podvisor/api';
import { type Clock, isStatus, messageOf } from '@podvisor/base';
import { Informer, type KubeClient, type Log, resources } from '@podvisor/kube';
import { plannedStatus, type StatusFacts } from '@podvisor/virt-operator';
import { NAMESPACE } from '../pki-bootstrap/identities.ts';

const FACTS: StatusFacts = {
  state: { kind: 'deployed' },
  operatorVersion: API_VERSION,
  target: { version: API_VERSION, registry: 'podvisor.local', id: 'embedded' },
  defaultArchitecture: 'amd64',
};

export interface KeepStatusOptions {
  readonly client: Pick<KubeClient, 'list' | 'watch' | 'updateStatus'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Follows the object until the signal ends; resolves when its present state has been answered. */
export async function keepKubeVirtStatus(options: KeepStatusOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, log } = options;
  const informer = new Informer<KubeVirt>({
    client,
    resource: resources.kubeVirts,
    namespace: NAMESPACE,
    clock,
    log,
  });
  let answered: Promise<void> = Promise.resolve();
  const look = (kubevirt: KubeVirt): void => {
    answered = answered.then(() => answer(options, kubevirt, signal));
  };
  informer.on({ add: look, update: look });
  informer.start(signal);
  await informer.synced();
  await answered;
}

async function answer({ client, clock, log }: KeepStatusOptions, kubevirt: KubeVirt, signal: AbortSignal) {
  const status = plannedStatus(kubevirt, FACTS, clock.now());
  if (status === undefined) return;
  try {
    await client.updateStatus(resources.kubeVirts, { ...kubevirt, status }, {}, signal);
  } catch (error) {
    // Somebody else wrote in between: the event of that brings us here again.
    if (signal.aborted || isStatus(error, 'Conflict') || isStatus(error, 'NotFound')) return;
    log.warn({ error: messageOf(error) }, 'the status of the KubeVirt object could not be written');
  }
}
