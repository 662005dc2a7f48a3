/** Tells why virt-operator does not start: until it does, nobody writes into the KubeVirt object what is wrong. */
import type { Pod } from '@podvisor/api';
import { Informer, type KubeClient, resources } from '@podvisor/kube';
import { resourceOf, stuckPod, withoutPods } from '@podvisor/virt-operator';
import { quietLog } from '../../quiet-log.ts';

const NAME = 'virt-operator';
/** A cluster that does its work has made Pods by then. */
const PODS_MS = 10_000;

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
  const tellOnce = (stuck: string | undefined): void => {
    if (stuck !== undefined && stuck !== last) tell(`${NAME} does not start: ${stuck}`);
    last = stuck;
  };
  const look = (): void => tellOnce(stuckPod(pods.list(), NAME));
  pods.on({ add: look, update: look, delete: look });
  pods.start(signal);
  const deployments = resourceOf({ apiVersion: 'apps/v1', kind: 'Deployment' });
  const timer = setInterval(() => {
    if (pods.list().length > 0) return;
    client.find(deployments, { namespace, name: NAME }, signal).then(
      (found) => tellOnce(withoutPods(found, pods.list())),
      () => undefined, // who follows the KubeVirt object says that nobody answers
    );
  }, PODS_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}
