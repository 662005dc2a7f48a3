/** A power cut: every process of a node's Pods dies at once, and nobody writes down how. */
import { cgroupChildren, cgroupProcesses } from '@podvisor/sys';
import { type KubeletContext, kubeletContext, type KubeletOptions, podCgroup } from './context.ts';
import { recordedPods, readContainers } from './pod/records.ts';

const ROUNDS = 200;
const PAUSE_MS = 10;

/** The kubelet must have ended. What the Pods leave behind is found by the next one, as after a reboot. */
export async function killContainers(options: KubeletOptions): Promise<void> {
  const context = kubeletContext(options);
  const uids = recordedPods(context);
  // Monitors first: one that lives tells an exit code, which a machine without power could not.
  for (const uid of uids) killMonitors(context, uid);
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = uids.flatMap((uid) => processesOf(podCgroup(context, uid)));
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`processes of node ${options.node.name} survived SIGKILL`);
}

function killMonitors(context: KubeletContext, uid: string): void {
  for (const [run] of readContainers(context, uid).values())
    if (run?.state.kind === 'running' && run.record.monitor !== undefined) kill(run.record.monitor.pid);
}

function processesOf(cgroup: string): readonly number[] {
  return [
    ...cgroupProcesses(cgroup),
    ...cgroupChildren(cgroup).flatMap((name) => processesOf(`${cgroup}/${name}`)),
  ];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already
  }
}
