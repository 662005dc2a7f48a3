/** For `podvisor down`: ends every container of the instance, without the API and without a kubelet. */
import { systemClock } from '@podvisor/base';
import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Log } from '@podvisor/kube';
import { freezeCgroup, type InstanceConfig, type InstancePaths } from '@podvisor/sys';
import { killRun, stopRun } from './container/stop.ts';
import { type KubeletContext, kubeletContext, podCgroup } from './context.ts';
import { podsOnMachine } from './garbage.ts';
import { readContainers } from './pod/records.ts';
import { tearDownPod } from './pod/tear-down.ts';
import type { ContainerRun } from './pod/types.ts';

/** What containers get between SIGTERM and SIGKILL. */
const GRACE_SECONDS = 10;

/**
 * Ends all containers and removes their network, mounts, devices and control groups. Logs and records stay,
 * so that a later `up` finds how each Pod ended. The kubelets must not run: they would start what this ends.
 */
export async function emptyMachine(
  config: InstanceConfig,
  paths: InstancePaths,
  log: Log,
  graceSeconds: number = GRACE_SECONDS,
): Promise<void> {
  for (const node of config.nodes) {
    const context = kubeletContext({ config, paths, log, node, clock: systemClock });
    await mkdir(context.exitDir, { recursive: true });
    const uids = [...podsOnMachine(context)];
    // One that stood still for a snapshot when the node agent died could not even be killed.
    for (const uid of uids) await freezeCgroup(podCgroup(context, uid), false);
    await stopContainers(context, uids, graceSeconds);
    for (const uid of uids) await tearDownPod(context, uid, 'keepLogs');
  }
}

async function stopContainers(
  context: KubeletContext,
  uids: readonly string[],
  graceSeconds: number,
): Promise<void> {
  const running = (): ContainerRun[] =>
    uids
      .flatMap((uid) =>
        [...readContainers(context, uid).values()].flatMap(([run]) => (run === undefined ? [] : [run])),
      )
      .filter((run) => run.state.kind === 'running');
  const runs = running();
  if (runs.length === 0) return;
  const ended = allEnded(context, running, graceSeconds * 1000);
  await Promise.all(
    runs.map((run) => stopRun(context, { run, graceSeconds, reason: 'Down', preStop: undefined })),
  );
  await ended;
  const stubborn = running();
  const killed = allEnded(context, running, 10_000);
  await Promise.all(stubborn.map((run) => killRun(context, run)));
  await killed;
}

/** Resolves when nothing runs any more, or when the time is up. */
async function allEnded(
  context: KubeletContext,
  running: () => readonly ContainerRun[],
  timeoutMs: number,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (running().length === 0) resolve();
  };
  const watcher = watch(context.exitDir, look);
  const timer = setTimeout(resolve, timeoutMs);
  look();
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    watcher.close();
  }
}
