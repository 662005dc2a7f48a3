/** Follows the VMs of a manifest through the pipeline and prints each handoff as it happens. */
import type { KubernetesObject, VirtualMachine } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { handoffsOf, type PipelineObjects } from '../../handoffs/handoffs.ts';
import { watchPipeline } from '../../handoffs/pipeline-watch.ts';
import { watchPreparations } from '../../handoffs/preparations.ts';
import { handoffLine, troubleLine } from '../../handoffs/render.ts';
import { firstOpen, troubleOf } from '../../handoffs/trouble.ts';
import type { Diagnosis } from '../../why/diagnose.ts';
import { gather } from '../../why/gather.ts';
import { causeLines, reportOf } from '../../why/report.ts';
import { judgeTrouble, type SeenTrouble } from '../dead-end.ts';
import { whileTelling } from '../../output/still.ts';
import { guestSign } from './guest-up.ts';

/** How long trouble may last before it is looked into: an image on its way, a retry. */
const LOOK_AFTER_MS = 3_000;
/** A guest without an agent never says that it is up. */
const AGENT_MS = 60_000;

export interface FollowTarget {
  readonly client: KubeClient;
  say(line: string): void;
}

/** A VM that should run and does not, with what `virtctl why` says of it. */
class NotRunning extends Error {
  constructor(namespace: string, name: string, lines: readonly string[], cause?: unknown) {
    super(
      [`${namespace}/${name} is not running.`, ...lines, `See: virtctl why vm/${name} -n ${namespace}`].join(
        '\n',
      ),
      cause === undefined ? undefined : { cause },
    );
  }
}

/** Resolves when every VM that should run does; rejects with what `why` says at a dead end, or when the signal ends the wait. */
export async function followVms(
  target: FollowTarget,
  objects: readonly KubernetesObject[],
  signal: AbortSignal,
): Promise<void> {
  for (const object of objects.filter(shouldRun)) {
    const { namespace, name } = keyOf(object);
    await followOne(target, namespace, name, signal);
  }
}

/** Waits until the guests of VMs that run are up; answers with a line about each: by what it was seen, or that it was not. */
export async function awaitGuests(
  { client, say }: FollowTarget,
  objects: readonly KubernetesObject[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  return await Promise.all(
    objects.filter(shouldRun).map(async (object) => {
      const { namespace, name } = keyOf(object);
      const key = { namespace, name };
      let sign = guestSign(await client.find(resources.virtualMachineInstances, key));
      const ends = sign.certain ? signal : AbortSignal.any([signal, AbortSignal.timeout(AGENT_MS)]);
      if (!sign.seen) say(`${name}: the guest boots, waiting for ${sign.what}`);
      const onChange = ({ vmi }: PipelineObjects): boolean => {
        sign = guestSign(vmi);
        return sign.seen;
      };
      try {
        const watched = watchPipeline(client, namespace, name, onChange, ends);
        await whileTelling(`waiting for ${sign.what} of ${name}`, watched);
        return `${name}: ${sign.what} answers`;
      } catch (error) {
        if (signal.aborted || sign.certain)
          throw new Error(`${namespace}/${name} runs, but ${sign.what} does not answer`, { cause: error });
        return `${name}: runs; no guest agent has answered within ${AGENT_MS / 1000} s, so whether it has booted is not known (virtctl console ${name})`;
      }
    }),
  );
}

function keyOf({ metadata }: KubernetesObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata?.namespace ?? 'default', name: metadata?.name ?? '' };
}

/** A VM that its run strategy keeps running, or a VMI. */
export function shouldRun(object: KubernetesObject): boolean {
  if (object.kind === 'VirtualMachineInstance') return true;
  if (object.kind !== 'VirtualMachine') return false;
  const { spec } = object as VirtualMachine;
  return spec.running === true || ['Always', 'RerunOnFailure', 'Once'].includes(spec.runStrategy ?? '');
}

async function followOne(
  { client, say }: FollowTarget,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const said = new Set<string>();
  const startedAt = Date.now();
  const stuck = new AbortController();
  let look: NodeJS.Timeout | undefined;
  let printed = 0;
  let latest: PipelineObjects = {};
  let seen: SeenTrouble | undefined;
  const lookInto = (afterMs = LOOK_AFTER_MS): void => {
    look ??= setTimeout(() => {
      void firstDiagnosis(client, namespace, name).then(
        (diagnosis) => {
          look = undefined;
          const troubles = troubleOf(latest);
          const verdict = judgeTrouble(diagnosis, troubles.length > 0, seen, Date.now());
          seen = verdict.seen;
          if (verdict.kind === 'dead end')
            stuck.abort(
              new NotRunning(
                namespace,
                name,
                diagnosis === undefined ? troubles.map(troubleLine) : causeLines(diagnosis),
              ),
            );
          if (verdict.kind === 'look again') lookInto(verdict.afterMs);
        },
        () => (look = undefined), // the API server is away: that is told by who waits for it
      );
    }, afterMs);
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
    for (const line of troubles.map(troubleLine)) {
      if (!said.has(line)) say(line);
      said.add(line);
    }
    if (troubles.length > 0) lookInto();
    return printed === handoffs.length;
  };
  const done = new AbortController();
  watchPreparations(
    client,
    namespace,
    name,
    { say, onWarning: () => lookInto() },
    AbortSignal.any([signal, done.signal]),
  );
  try {
    await watchPipeline(client, namespace, name, onChange, AbortSignal.any([signal, stuck.signal]));
  } catch (error) {
    if (error instanceof NotRunning) throw error;
    const open = firstOpen(latest);
    const step = `Handoff ${open?.number ?? '?'} (${open?.from} → ${open?.to}) has not happened.`;
    const diagnosis = await firstDiagnosis(client, namespace, name).catch(() => undefined);
    throw new NotRunning(
      namespace,
      name,
      diagnosis === undefined ? [step] : [step, ...causeLines(diagnosis)],
      error,
    );
  } finally {
    done.abort();
    clearTimeout(look);
  }
  const { vmi } = latest;
  say(
    `${name} is Running on ${vmi?.status?.nodeName}, address ${vmi?.status?.interfaces?.[0]?.ipAddress ?? 'not known yet'}`,
  );
}

async function firstDiagnosis(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<Diagnosis | undefined> {
  const report = reportOf(await gather(client, namespace, name, Date.now()));
  return report.waitingFor === undefined ? undefined : report.diagnoses[0];
}
