/** Follows the VMs of a manifest through the pipeline and prints each handoff as it happens. */
import type { KubernetesObject, VirtualMachine } from '@podvisor/api';
import type { KubeClient } from '@podvisor/kube';
import { handoffsOf, type PipelineObjects } from '../handoffs/handoffs.ts';
import { watchPipeline } from '../handoffs/pipeline-watch.ts';
import { watchPreparations } from '../handoffs/preparations.ts';
import { handoffLine, troubleLine } from '../handoffs/render.ts';
import { firstOpen, type Trouble, troubleOf } from '../handoffs/trouble.ts';

/** How long trouble may last before we stop to wait. */
const PATIENCE_MS = 60_000;

/** Resolves when every VM that should run does; rejects with the evidence when the signal ends the wait. */
export async function followVms(
  client: KubeClient,
  objects: readonly KubernetesObject[],
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const object of objects.filter(shouldRun)) {
    const namespace = object.metadata?.namespace ?? 'default';
    const name = object.metadata?.name ?? '';
    await followOne(client, namespace, name, say, signal);
  }
}

/** A VM that its run strategy keeps running, or a VMI. */
export function shouldRun(object: KubernetesObject): boolean {
  if (object.kind === 'VirtualMachineInstance') return true;
  if (object.kind !== 'VirtualMachine') return false;
  const { spec } = object as VirtualMachine;
  return spec.running === true || ['Always', 'RerunOnFailure', 'Once'].includes(spec.runStrategy ?? '');
}

async function followOne(
  client: KubeClient,
  namespace: string,
  name: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const said = new Set<string>();
  const startedAt = Date.now();
  const stuck = new AbortController();
  let giveUp: NodeJS.Timeout | undefined;
  let printed = 0;
  let latest: PipelineObjects = {};
  const tell = (line: string): void => {
    if (!said.has(line)) say(line);
    said.add(line);
  };
  const onChange = (current: PipelineObjects): boolean => {
    latest = current;
    const handoffs = handoffsOf(current);
    for (const handoff of handoffs.slice(printed)) {
      if (!handoff.done) break;
      printed = handoff.number;
      say(handoffLine(handoff, Math.max(0, (handoff.atMs ?? Date.now()) - startedAt)));
    }
    const troubles = troubleOf(current);
    for (const trouble of troubles) tell(troubleLine(trouble));
    // Trouble may pass (an image on its way, a retry); what stays for long is better told than waited for.
    if (troubles.length === 0) giveUp = void clearTimeout(giveUp);
    else giveUp ??= setTimeout(() => stuck.abort(new Error(troubleText(troubles))), PATIENCE_MS);
    return printed === handoffs.length;
  };
  const done = new AbortController();
  watchPreparations(client, namespace, name, say, AbortSignal.any([signal, done.signal]));
  try {
    await watchPipeline(client, namespace, name, onChange, AbortSignal.any([signal, stuck.signal]));
  } catch (error) {
    const open = firstOpen(latest);
    throw new Error(
      `${namespace}/${name} is not running: handoff ${open?.number ?? '?'} (${open?.from} → ${open?.to}) has not happened. See: virtctl why ${name}`,
      { cause: error },
    );
  } finally {
    done.abort();
    clearTimeout(giveUp);
  }
  const { vmi } = latest;
  say(
    `${name} is Running on ${vmi?.status?.nodeName}, address ${vmi?.status?.interfaces?.[0]?.ipAddress ?? 'not known yet'}`,
  );
}

function troubleText(troubles: readonly Trouble[]): string {
  return troubles.map(({ source, reason, message }) => `${source}: ${reason}: ${message}`).join('; ');
}
