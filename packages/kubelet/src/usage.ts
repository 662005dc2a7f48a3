/** What the containers of this node use, from their control groups. */
import { cgroupUsage, machineUsage } from '@podvisor/sys';
import type { ContainerReading, NodeReading, PodReading } from '@podvisor/home-contract';
import { type KubeletContext, podCgroup } from './context.ts';
import { readContainers, readPodRecord, recordedPods } from './pod/records.ts';

export function readUsage(context: KubeletContext): NodeReading {
  const pods = recordedPods(context).flatMap((uid) => readPod(context, uid));
  // Several nodes share one machine: each then shows what its own Pods use.
  const whole =
    context.config.nodes.length > 1 ? sum(pods.flatMap(({ containers }) => containers)) : machineUsage();
  return { node: context.node.name, atMs: context.clock.now(), ...whole, pods };
}

function readPod(context: KubeletContext, uid: string): PodReading[] {
  const record = readPodRecord(context, uid);
  if (record === undefined || record.tornDown === true) return [];
  const containers = [...readContainers(context, uid)].flatMap(([name, [run]]): ContainerReading[] => {
    if (run?.state.kind !== 'running') return [];
    const usage = cgroupUsage(`${podCgroup(context, uid)}/${name}-${run.record.attempt}`);
    return usage === undefined ? [] : [{ name, id: run.record.id, ...usage }];
  });
  return [{ namespace: record.namespace, name: record.name, uid, containers }];
}

function sum(readings: readonly ContainerReading[]): { cpuNanoseconds: number; workingSetBytes: number } {
  let [cpuNanoseconds, workingSetBytes] = [0, 0];
  for (const reading of readings) {
    cpuNanoseconds += reading.cpuNanoseconds;
    workingSetBytes += reading.workingSetBytes;
  }
  return { cpuNanoseconds, workingSetBytes };
}
