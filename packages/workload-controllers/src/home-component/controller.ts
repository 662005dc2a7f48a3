/**
 * The status of the Deployments and the DaemonSet that stand for the home's own processes, from the mirror Pods that
 * kubelets keep. The controllers of Deployments and DaemonSets leave these alone, so this is their one writer.
 */
import type { Pod } from '@podvisor/api';
import { type Informer, keyOf, type ReconcileResult, type TableController, type Wake } from '@podvisor/kube';
import { standsForProcess } from '@podvisor/home-contract';
import type { ControllerOptions } from '../controller-options.ts';
import { workloads } from '../workloads/resources.ts';
import type { DaemonSet, Deployment } from '../workloads/types.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { daemonSetStatusOf, deploymentStatusOf } from './status.ts';

export interface HomeComponentOptions extends ControllerOptions {
  readonly deployments: Informer<Deployment>;
  readonly daemonSets: Informer<DaemonSet>;
  readonly pods: Informer<Pod>;
}

export function homeComponentController(options: HomeComponentOptions): TableController {
  const { client, deployments, daemonSets, pods, clock } = options;
  const connect = (wake: Wake): void => {
    const look = (workload: Deployment | DaemonSet): void => {
      if (standsForProcess(workload)) wake(keyOf(workload));
    };
    deployments.on({ add: look, update: look });
    daemonSets.on({ add: look, update: look });
    const wakeFor = (pod: Pod): void => {
      const name = pod.metadata.labels?.['kubevirt.io'];
      if (name !== undefined && standsForProcess(pod)) wake(`${pod.metadata.namespace}/${name}`);
    };
    pods.on({ add: wakeFor, update: wakeFor, delete: wakeFor });
  };
  const podsOf = ({ metadata: { namespace = '', name } }: Deployment | DaemonSet): readonly Pod[] =>
    pods
      .byIndex('namespace', namespace)
      .filter((pod) => standsForProcess(pod) && pod.metadata.labels?.['kubevirt.io'] === name);
  const reconcile = async (key: string, end: AbortSignal): Promise<ReconcileResult> => {
    const deployment = deployments.get(key);
    if (deployment !== undefined && standsForProcess(deployment)) {
      const status = deploymentStatusOf(deployment, podsOf(deployment), clock.now());
      await writeStatus(client, workloads.deployments, deployment, status, end);
    }
    const set = daemonSets.get(key);
    if (set !== undefined && standsForProcess(set))
      await writeStatus(client, workloads.daemonSets, set, daemonSetStatusOf(set, podsOf(set)), end);
  };
  return { name: 'home-component', workers: 1, connect, reconcile };
}
