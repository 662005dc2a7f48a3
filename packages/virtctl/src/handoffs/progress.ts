/** Follows a start and prints each handoff as it happens, and each new trouble once. */
import type { KubeClient } from '@podvisor/kube';
import { handoffsOf, type PipelineObjects } from './handoffs.ts';
import { watchPipeline } from './pipeline-watch.ts';
import { handoffLine, troubleLine } from './render.ts';
import { firstOpen, troubleOf } from './trouble.ts';

export interface FollowOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  readonly say: (line: string) => void;
  readonly now: () => number;
  /** A VMI with this UID is the one before; wait for the next. */
  readonly notUid?: string;
}

/** Resolves with the objects when all handoffs are done; rejects when the VMI failed or the signal ended the wait. */
export async function followStart(options: FollowOptions, signal: AbortSignal): Promise<PipelineObjects> {
  const { client, namespace, name, say, notUid } = options;
  const startedAt = options.now();
  const said = new Set<string>();
  let printed = 0;
  let latest: PipelineObjects = {};
  let failed = false;
  let refused: string | undefined;
  let isSeen = false;
  const onChange = (current: PipelineObjects): boolean => {
    if (notUid !== undefined && current.vmi?.metadata?.uid === notUid) return false;
    latest = current;
    const handoffs = handoffsOf(current);
    for (const handoff of handoffs.slice(printed)) {
      if (!handoff.done) break;
      printed = handoff.number;
      // The object is older than this start: its own handoffs are not part of it.
      if (handoff.number > 2)
        say(handoffLine(handoff, Math.max(0, (handoff.atMs ?? options.now()) - startedAt)));
    }
    for (const line of troubleOf(current).map(troubleLine)) {
      if (!said.has(line)) say(line);
      said.add(line);
    }
    failed = current.vmi?.status?.phase === 'Failed';
    isSeen ||= isOfThisStart(current);
    if (isSeen) refused = refusalIn(current);
    return failed || refused !== undefined || printed === handoffs.length;
  };
  try {
    await watchPipeline(client, namespace, name, onChange, signal);
  } catch (error) {
    throw new Error(`${notRunning(name, latest)}. See: virtctl why vm/${name}`, { cause: error });
  }
  if (refused !== undefined)
    throw new Error(
      `VM ${name} stays hibernated, its state was not loaded (${refused}). Make it as it was, or: virtctl start ${name} --discard-state`,
    );
  if (failed) throw new Error(`VMI ${name} failed to start. See: virtctl why vm/${name}`);
  return latest;
}

/** A VMI whose state was refused is left of the start before: the one that is followed is seen before it is refused. */
export function isOfThisStart({ vmi }: PipelineObjects): boolean {
  return vmi !== undefined && vmi.status?.hibernation?.phase !== 'Refused';
}

/** Why the hibernated state was not loaded. virt-controller takes it back before it starts the VM again. */
export function refusalIn({ vm }: PipelineObjects): string | undefined {
  const { reason, message } = vm?.status?.hibernation ?? {};
  return reason === undefined ? undefined : `${reason}: ${message ?? ''}`;
}

function notRunning(name: string, objects: PipelineObjects): string {
  const open = firstOpen(objects);
  return `VM ${name} is not running: handoff ${open?.number ?? '?'} (${open?.from} → ${open?.to}) has not happened`;
}

/** Resolves when no VMI and no launcher Pod of this name is left. */
export async function followStop(
  { client, namespace, name, say }: Pick<FollowOptions, 'client' | 'namespace' | 'name' | 'say'>,
  signal: AbortSignal,
): Promise<void> {
  let last = '';
  await watchPipeline(
    client,
    namespace,
    name,
    ({ vmi, pod }) => {
      const line =
        vmi === undefined
          ? ''
          : `VMI ${vmi.status?.phase ?? 'unknown'}${vmi.metadata?.deletionTimestamp === undefined ? '' : ', shutting down'}${pod === undefined ? ', launcher gone' : ''}`;
      if (line !== '' && line !== last) say(line);
      last = line;
      return vmi === undefined;
    },
    signal,
  );
}
