/** Removes a Pod from the machine. Needs nothing but the machine, so that it works without the API. */
import { sleep } from '@podvisor/base';
import { cgroupProcesses, removeCgroup, removeTree } from '@podvisor/sys';
import { removeRun } from '../container/create.ts';
import { type KubeletContext, podCgroup, podContainersDirectory } from '../context.ts';
import { addressHolders } from '../network/ipam.ts';
import { podNetns, unplug } from '../network/sandbox.ts';
import { releaseUsers } from '../users/pod-users.ts';
import { tearDownVolumes } from '../volumes/index.ts';
import { readContainers, readPodRecord } from './records.ts';
import { settleAll } from './settle-all.ts';

/** What stays: logs and records for as long as the API knows the Pod, or nothing. */
export type TearDownMode = 'keepLogs' | 'everything';

/** Idempotent. Throws while a process of the Pod still lives. */
export async function tearDownPod(context: KubeletContext, uid: string, mode: TearDownMode): Promise<void> {
  const runs = [...readContainers(context, uid).values()].flat();
  const keep = mode === 'keepLogs' ? 'log' : 'nothing';
  const removed = settleAll(runs.map(({ record }) => removeRun(context, record, keep)));
  // A network that nobody uses any more goes beside what is left of the containers, which takes as long.
  const [isOver, isPlugged] = [runs.every(({ state }) => state.kind === 'exited'), hasNetwork(context, uid)];
  await settleAll([removed, isOver && isPlugged ? unplug(context, uid) : undefined]);
  await settleAll([!isOver && isPlugged ? unplug(context, uid) : undefined, tearDownVolumes(context, uid)]);
  const cgroup = podCgroup(context, uid);
  if (!(await removeSoon(context, cgroup))) {
    throw new Error(`control group ${cgroup} still has processes: ${cgroupProcesses(cgroup).join(', ')}`);
  }
  releaseUsers(context, uid);
  if (mode === 'everything') await removeTree(podContainersDirectory(context, uid));
}

function hasNetwork(context: KubeletContext, uid: string): boolean {
  const record = readPodRecord(context, uid);
  return (
    record?.network !== undefined || podNetns(context, uid) !== undefined || addressHolders(context).has(uid)
  );
}

/** In all a second; most groups are empty after the first few. */
const PAUSES_MS = [2, 4, 8, 16, 32, ...Array<number>(20).fill(50)];

/** Processes that were killed a moment ago may still be on their way out of the group. */
async function removeSoon({ clock }: KubeletContext, cgroup: string): Promise<boolean> {
  for (const pauseMs of PAUSES_MS) {
    if (removeCgroup(cgroup)) return true;
    await sleep(clock, pauseMs);
  }
  return removeCgroup(cgroup);
}
