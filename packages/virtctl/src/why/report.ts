/** The story of one VM: handoffs, evidence, diagnosis; as data and as text. Pure. */
import pc from 'picocolors';
import { type Handoff, handoffsOf } from '../handoffs/handoffs.ts';
import { handoffLine } from '../handoffs/render.ts';
import { type DiskChain, diskChains, diskLines } from './disk-chain.ts';
import { currentEvidence, type Diagnosis, diagnose } from './diagnose.ts';
import type { Evidence, Observed } from './observed.ts';
import { hasMoved } from './has-moved.ts';
import { chainLines, type NetworkChain, networkChain } from './network-chain.ts';

export interface Report {
  readonly name: string;
  readonly namespace: string;
  /** `printableStatus` of the VM, else the phase of the VMI. */
  readonly status: string;
  readonly handoffs: readonly (Handoff & { readonly sinceLastMs?: number })[];
  /** First handoff that has not happened; absent when all have, or when nothing should run. */
  readonly waitingFor?: number;
  readonly evidence: readonly Evidence[];
  readonly diagnoses: readonly Diagnosis[];
  readonly log: readonly string[];
  /** The network of a guest that runs, interface by interface. */
  readonly network?: readonly NetworkChain[];
  /** Disks with a claim, link by link. */
  readonly disks?: readonly DiskChain[];
  /** In one sentence. */
  readonly verdict: string;
}

export function reportOf(observed: Observed): Report {
  const { vm, vmi } = observed;
  const declared = vm ?? vmi;
  const name = declared?.metadata?.name ?? '';
  const diagnoses = diagnose(observed);
  let last: number | undefined;
  const handoffs = upToTrouble(handoffsOf(observed), diagnoses).map((handoff) => {
    const { atMs } = handoff;
    const since = atMs === undefined || last === undefined ? {} : { sinceLastMs: Math.max(0, atMs - last) };
    last = atMs ?? last;
    return { ...handoff, ...since };
  });
  const open = handoffs.find(({ done }) => !done);
  const disks = diskChains(observed);
  const shouldRun = vmi !== undefined || !isStopped(observed);
  return {
    name,
    namespace: declared?.metadata?.namespace ?? 'default',
    status: vm?.status?.printableStatus ?? vmi?.status?.phase ?? 'Unknown',
    handoffs,
    ...(open === undefined || !shouldRun ? {} : { waitingFor: open.number }),
    evidence: telling(currentEvidence(observed)),
    diagnoses,
    log: open === undefined ? [] : observed.log.slice(-8),
    ...(observed.network === undefined
      ? {}
      : { network: observed.network.map((nic) => networkChain(nic, hasMoved(vmi))) }),
    ...(disks.length === 0 ? {} : { disks }),
    verdict: verdictOf(observed, open, diagnoses, name),
  };
}

/** Handoffs on the node, whose times are written only with the last of them. */
const ON_NODE = [6, 8, 9];

/** Trouble at handoff 9 or 10 tells that those before it on the node have happened, though nobody wrote when. */
function upToTrouble(handoffs: readonly Handoff[], diagnoses: readonly Diagnosis[]): readonly Handoff[] {
  const trouble = diagnoses[0]?.handoff ?? 0;
  const handedOver = handoffs.some(({ number, done }) => number === 7 && done);
  return handoffs.map((handoff) =>
    handedOver && ON_NODE.includes(handoff.number) && handoff.number < trouble
      ? { ...handoff, done: true }
      : handoff,
  );
}

/** States that only repeat that something else is not ready. */
const ECHOES =
  /^(?:Ready|ContainersReady|Initialized|Available)\/(?:ContainersNotReady|ContainersNotInitialized|GuestNotRunning|PodNotExists|ReadinessGatesNotReady|VMINotExists)/;

/** Each message once, in the words of who is nearest to it, and no echoes; the log has its own place. */
function telling(all: readonly Evidence[]): readonly Evidence[] {
  const seen = new Set<string>();
  return all.filter(({ source, reason, message }) => {
    if (source === 'log' || ECHOES.test(reason)) return false;
    const key = message === '' ? reason : message;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** No VMI, and none is wanted. */
function isStopped({ vm, vmi }: Observed): boolean {
  if (vmi !== undefined || vm === undefined) return false;
  const { running, runStrategy } = vm.spec;
  const { printableStatus } = vm.status ?? {};
  if (printableStatus === 'Stopped' || printableStatus === 'Hibernated') return true;
  return running === false || runStrategy === 'Halted';
}

function verdictOf(
  observed: Observed,
  open: Handoff | undefined,
  diagnoses: readonly Diagnosis[],
  name: string,
): string {
  const { vm, vmi } = observed;
  if (isStopped(observed) && diagnoses.length === 0)
    return `The VM is ${vm?.status?.printableStatus ?? 'Stopped'}: virtctl start ${name}`;
  if (vmi?.status?.phase === 'Succeeded') return 'The guest has shut down.';
  const isCutOff = (observed.network ?? []).some(({ gateways = [] }) =>
    gateways.some(({ answers }) => answers === false),
  );
  if (open === undefined && diagnoses.length === 0)
    return isCutOff
      ? 'The guest runs, but its network ends at the Pod: the gateway does not answer.'
      : 'The guest runs. All handoffs are done.';
  if (open === undefined) return 'The guest runs, but look at this:';
  const [first] = diagnoses;
  const step = `handoff ${open.number} of 11 (${open.from} → ${open.to}) has not happened`;
  if (first !== undefined) return `${first.title}: ${step}.`;
  const told = currentEvidence(observed).find(
    ({ source, reason }) => source === 'vmi' && reason.startsWith('Synchronized/'),
  );
  return told === undefined
    ? `It is on its way, or nothing says why it is not: ${step}. If it stays so, look at the logs of ${open.from}.`
    : `It could not be started so far (${told.message}): ${step}.`;
}

/** One diagnosis: what was seen, why that is so, what to do. */
export function causeLines({ title, id, cause, fix, evidence }: Diagnosis): readonly string[] {
  return [
    `${pc.yellow(title)} ${pc.dim(`(${id})`)}`,
    `  ${evidenceLine(evidence)}`,
    `  ${cause}`,
    `  ${pc.green('What to do:')} ${fix}`,
  ];
}

/** Lines for a terminal: the cause first, then how far it came. `withHandoffs`: false after they were shown live. */
export function reportLines(report: Report, withHandoffs = true): readonly string[] {
  const causes = report.diagnoses.slice(0, 3);
  const lines = [`${pc.bold(`${report.namespace}/${report.name}`)}  ${report.status}`, report.verdict];
  for (const diagnosis of causes) lines.push('', ...causeLines(diagnosis));
  const shown = causes.map(({ evidence }) => evidence);
  const others = report.evidence.filter(
    (one) => !shown.some(({ reason, message }) => one.reason === reason && one.message === message),
  );
  if (withHandoffs) lines.push(...section('Handoffs', handoffLines(report)));
  if (report.waitingFor !== undefined || causes.length > 0)
    lines.push(
      ...section(causes.length === 0 ? 'Evidence' : 'Further evidence', others.slice(0, 8).map(evidenceLine)),
    );
  if (report.log.length > 0)
    lines.push(
      ...section(
        'Last lines of the launcher',
        report.log.map((line) => line.slice(0, 200)),
      ),
    );
  lines.push(...section('Disks', (report.disks ?? []).flatMap(diskLines)));
  lines.push(...section('Network', (report.network ?? []).flatMap(chainLines)));
  return lines;
}

/** Up to the first that has not happened. */
function handoffLines({ handoffs }: Report): readonly string[] {
  const open = handoffs.findIndex(({ done }) => !done);
  return handoffs
    .slice(0, open === -1 ? undefined : open + 1)
    .map((handoff) => handoffLine(handoff, handoff.sinceLastMs));
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function evidenceLine({ object, reason, message }: Evidence): string {
  return `${pc.red(object)}: ${reason}${message === '' ? '' : `: ${message}`}`;
}
