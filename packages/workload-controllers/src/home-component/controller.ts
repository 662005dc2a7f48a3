/**
 * The status of the Deployments and the DaemonSet that stand for the home's own processes, from the mirror Pods that
 * kubelets keep. The controllers of Deployments and DaemonSets leave these alone, so this is their one writer.
 */
import type { DaemonSet, Deployment, Pod } from '@podvisor/api';
import {
  controller,
  type Informer,
  keyOf,
  type ObjectKey,
  splitKey,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import { standsForProcess } from '@podvisor/home-contract';
import type { ControllerOptions } from '../controller-options.ts';
import { workloads } from '../workloads/resources.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { type HomeComponentObservation, type HomeComponentPlan, planHomeComponent } from './status.ts';

export interface HomeComponentOptions extends ControllerOptions {
  readonly deployments: Informer<Deployment>;
  readonly daemonSets: Informer<DaemonSet>;
  readonly pods: Informer<Pod>;
}

export function homeComponentController(options: HomeComponentOptions): TableController {
  const { client, deployments, daemonSets, pods, clock } = options;
  const wakes = (wake: Wake): void => {
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
  const podsOf = ({ namespace = '', name }: ObjectKey): readonly Pod[] =>
    pods
      .byIndex('namespace', namespace)
      .filter((pod) => standsForProcess(pod) && pod.metadata.labels?.['kubevirt.io'] === name);
  const observe = (key: string): HomeComponentObservation => {
    const [deployment, daemonSet] = [deployments.get(key), daemonSets.get(key)];
    return {
      deployment: deployment !== undefined && standsForProcess(deployment) ? deployment : undefined,
      daemonSet: daemonSet !== undefined && standsForProcess(daemonSet) ? daemonSet : undefined,
      pods: podsOf(splitKey(key)),
      now: clock.now(),
    };
  };
  const apply = async (
    plan: HomeComponentPlan,
    { deployment, daemonSet }: HomeComponentObservation,
    signal: AbortSignal,
  ): Promise<undefined> => {
    if (deployment !== undefined && plan.deployment !== undefined)
      await writeStatus(client, workloads.deployments, deployment, plan.deployment, signal);
    if (daemonSet !== undefined && plan.daemonSet !== undefined)
      await writeStatus(client, workloads.daemonSets, daemonSet, plan.daemonSet, signal);
  };
  return controller({
    name: 'home-component',
    workers: 1,
    wakes: [wakes],
    steps: { observe, plan: planHomeComponent, apply },
  });
}
