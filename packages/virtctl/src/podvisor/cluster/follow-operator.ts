/** Tells why virt-operator does not start: until it does, nobody writes into the KubeVirt object what is wrong. */
import type { Pod } from '@podvisor/api';
import { Informer, type KubeClient, resources } from '@podvisor/kube';
import { stuckPod } from '@podvisor/virt-operator';
import { quietLog } from '../../quiet-log.ts';

const NAME = 'virt-operator';

/** A line for each new reason, until `signal` ends it. */
export function tellStuckOperator(
  client: KubeClient,
  namespace: string,
  tell: (line: string) => void,
  signal: AbortSignal,
): void {
  const labelSelector = `kubevirt.io=${NAME}`;
  const pods = new Informer<Pod>({
    client,
    resource: resources.pods,
    namespace,
    labelSelector,
    log: quietLog,
  });
  let last: string | undefined;
  const look = (): void => {
    const stuck = stuckPod(pods.list(), NAME);
    if (stuck !== undefined && stuck !== last) tell(`${NAME} does not start: ${stuck}`);
    last = stuck;
  };
  pods.on({ add: look, update: look, delete: look });
  pods.start(signal);
}
