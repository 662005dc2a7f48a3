/** One sync of one Pod: observe, plan, apply until nothing is left to do, then tell the API. */
import type { Pod } from '@podvisor/api';
import { isStatus, messageOf } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { nodeAddresses } from '@podvisor/sys';
import type { KubeletClient } from '../client.ts';
import type { KubeletContext } from '../context.ts';
import { NETWORKS } from '../network/multus.ts';
import type { Probes } from '../probes/probes.ts';
import { isUpdatable } from '../volumes/index.ts';
import { type Action, plan } from './plan.ts';
import type { PodRuntime } from './runtime.ts';
import { refreshNetwork, shownMetadata } from './set-up.ts';
import { podStatus } from './status.ts';
import { statusPatch, withLastWritten, writeStatus } from './status-writer.ts';
import { type ObservedPod, podName, uidOf } from './types.ts';

export interface SyncOptions {
  readonly context: KubeletContext;
  readonly client: KubeletClient;
  readonly runtime: PodRuntime;
  readonly probes: Probes;
}

/** A start that takes longer than this is told while it is under way; a quick one is told once, when done. */
const SLOW_START_MS = 1000;
/** How often a Pod is looked at although nothing was heard. */
const RESYNC_MS = 60_000;
/** A kill that was not heard of is repeated. */
const KILL_AGAIN_MS = 1000;
const MAX_ROUNDS = 16;

/** Brings the machine to what the Pod asks for. `gone`: the API has forgotten the Pod already. */
export async function syncPod(
  options: SyncOptions,
  pod: Pod,
  gone: boolean,
): Promise<{ readonly againAtMs?: number }> {
  const { context, client, runtime, probes } = options;
  const memory = runtime.memory(uidOf(pod));
  if (pod.metadata.deletionTimestamp !== undefined)
    memory.ending.abort(new Error('the Pod is being deleted'));
  const tell = async (observed: ObservedPod): Promise<void> => {
    if (gone) return;
    const known = withLastWritten(pod, memory.lastWritten);
    const status = podStatus(known, observed, nodeAddresses(context.node), context.clock.now());
    const patch = statusPatch(known.status, status);
    if (patch === undefined) return;
    memory.lastWritten = { status, resourceVersion: await writeStatus(client, pod, patch) };
  };
  let telling: Promise<void> = Promise.resolve();
  const cancel = context.clock.after(SLOW_START_MS, () => {
    telling = tell(runtime.observe(pod)).catch((error: unknown) =>
      context.log.warn({ error: String(error) }, 'status could not be written'),
    );
  });
  try {
    let actions: readonly Action[] = [];
    let observed = runtime.observe(pod);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const known = withLastWritten(pod, memory.lastWritten);
      const seen = runtime.observe(known);
      probes.sync(known, seen);
      observed = { ...seen, probes: probes.states(uidOf(pod), seen.containers) };
      actions = plan(known, observed, context.clock.now());
      if (!(await applyRound(options, pod, actions, gone))) break;
    }
    cancel();
    await telling;
    if (actions.some((action) => action.kind === 'forget')) return {};
    await refreshIfDue(options, pod, observed);
    // What was planned for is what is told: the end of a Pod is told when it holds nothing any more.
    await tell(observed);
    const nowMs = context.clock.now();
    const waits = actions.map((action) => {
      if (action.kind === 'wait') return action.untilMs;
      return action.kind === 'kill' ? nowMs + KILL_AGAIN_MS : nowMs + RESYNC_MS;
    });
    return { againAtMs: Math.min(...waits, nowMs + RESYNC_MS) };
  } finally {
    cancel();
  }
}

/** True when something was done after which the plan may go on at once. */
async function applyRound(
  options: SyncOptions,
  pod: Pod,
  actions: readonly Action[],
  gone: boolean,
): Promise<boolean> {
  let progress = false;
  const work = actions.map(async (action) => {
    if (action.kind === 'wait') return;
    if (action.kind === 'forget') return await forget(options, pod, gone);
    await options.runtime.apply(pod, action);
    // A killed container ends in its own time; its exit wakes us.
    if (action.kind !== 'kill') progress = true;
  });
  await Promise.all(work);
  return progress;
}

/** Our files go first: once the API has forgotten the Pod, nothing of it may be left here. */
async function forget({ client, runtime, context }: SyncOptions, pod: Pod, gone: boolean): Promise<void> {
  const { namespace, name = '', uid } = pod.metadata;
  const observed = runtime.observe(pod);
  const known = withLastWritten(pod, runtime.memory(uidOf(pod)).lastWritten);
  if (!gone && hasFinalizers(pod) && observed.containers.size > 0) {
    const status = podStatus(known, observed, nodeAddresses(context.node), context.clock.now());
    const patch = statusPatch(known.status, status);
    if (patch !== undefined) await writeStatus(client, pod, patch);
  }
  await runtime.tearDown(uidOf(pod), 'everything');
  if (gone) return;
  try {
    await client.delete(
      resources.pods,
      { namespace, name },
      { gracePeriodSeconds: 0, preconditions: { uid } },
    );
  } catch (error) {
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
  }
}

/** With finalizers the object stays after our deletion, and others read its last state. */
function hasFinalizers(pod: Pod): boolean {
  return (pod.metadata.finalizers ?? []).length > 0;
}

/** Config maps, secrets, labels and tokens change while a Pod runs. */
async function refreshIfDue(
  { context, client, runtime }: SyncOptions,
  pod: Pod,
  observed: ObservedPod,
): Promise<void> {
  const memory = runtime.memory(uidOf(pod));
  const isUp = !observed.tornDown && observed.sandbox.kind === 'ready' && observed.volumesReady;
  if (isUp && memory.networks !== pod.metadata.annotations?.[NETWORKS]) {
    try {
      await refreshNetwork({ context, client }, pod);
      memory.networks = pod.metadata.annotations?.[NETWORKS];
    } catch (error) {
      context.log.warn(
        { pod: podName(pod), uid: uidOf(pod), error: messageOf(error) },
        'networks could not be brought up to date',
      );
    }
  }
  if (!isUp || !(pod.spec.volumes ?? []).some(isUpdatable)) return;
  const isFresh = context.clock.elapsed() - memory.volumesAtMs < RESYNC_MS;
  if (isFresh && memory.volumesShow === shownMetadata(pod)) return;
  try {
    await runtime.refreshVolumes(pod);
  } catch (error) {
    // The Pod runs on with what it has seen; the next look may find the object again.
    context.log.warn(
      { pod: podName(pod), uid: uidOf(pod), error: messageOf(error) },
      'volumes could not be brought up to date',
    );
  }
}
