/** Takes a Pod off the machine: containers, network, volumes, control groups. Works without an API server. */
import { rm } from 'node:fs/promises';
import { removeCgroup } from '@podvisor/sys';
import { removeRun } from '../container/create.ts';
import { type KubeletContext, podCgroup, podContainersDirectory } from '../context.ts';
import { podNetns, unplug } from '../network/sandbox.ts';
import { tearDownVolumes } from '../volumes/index.ts';
import { readContainers, readPodRecord, writePodRecord } from './records.ts';

/** `keepLogs`: logs and records stay until the API has forgotten the Pod. Idempotent. */
export async function removeFromMachine(
  context: KubeletContext,
  uid: string,
  mode: 'keepLogs' | 'everything',
): Promise<void> {
  const runs = [...readContainers(context, uid).values()].flat();
  for (const run of runs) await removeRun(context, run.record, mode === 'keepLogs' ? 'log' : 'nothing');
  const record = readPodRecord(context, uid);
  const hasNetwork =
    record?.hostNetwork !== true && (record?.network !== undefined || podNetns(context, uid) !== undefined);
  const results = await Promise.allSettled([
    hasNetwork ? unplug(context, uid) : undefined,
    tearDownVolumes(context, uid),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  if (!removeCgroup(podCgroup(context, uid)))
    throw new Error(`control group of Pod ${uid} still has processes`);
  if (mode === 'everything') {
    await rm(podContainersDirectory(context, uid), { recursive: true, force: true });
  } else if (record !== undefined) {
    const { network: _, ...rest } = record;
    writePodRecord(context, { ...rest, tornDown: true });
  }
}
