/**
 * Evidence: everything in a VM's objects that says how it stands, in one form. Pure. Nothing is judged here;
 * the catalogue does that.
 */
import { at, listOf, textOf } from '../plain.ts';
import { claimEvidence, nodeEvidence, serverEvidence } from './around-evidence.ts';
import { cloudInitProblems } from './cloud-init-problems.ts';
import { type Evidence, type Observed, type Source, time } from './observed.ts';
import { containerEvidence, podReason } from './pod-evidence.ts';
import { missingText } from './references.ts';
import { roomText } from './room.ts';

/** All evidence, the most telling first. */
export function evidenceOf(observed: Observed): readonly Evidence[] {
  return [
    ...missingEvidence(observed),
    ...containerEvidence(observed),
    ...conditionEvidence('pod', `Pod ${observed.pod?.metadata.name}`, observed.pod).map((one) =>
      withRoom(one, observed),
    ),
    ...podReason(observed.pod),
    ...conditionEvidence('vmi', `VMI ${observed.vmi?.metadata?.name}`, observed.vmi),
    ...phaseEvidence(observed),
    ...agentEvidence(observed),
    ...cloudInitProblems(observed.vmi ?? observed.vm),
    ...startFailureEvidence(observed),
    ...conditionEvidence('vm', `VM ${observed.vm?.metadata?.name}`, observed.vm),
    ...nodeEvidence(observed),
    ...claimEvidence(observed),
    ...serverEvidence(observed),
    ...eventEvidence(observed),
    ...logEvidence(observed),
  ];
}

/** Conditions that report trouble by being True; of all others, False is the trouble. */
const BAD_WHEN_TRUE = [
  'Failure',
  'Paused',
  'RestartRequired',
  'ManualRecoveryRequired',
  'VolumesChange',
  'HotVCPUChange',
  'HotMemoryChange',
  'AgentVersionNotSupported',
  'DisruptionTarget',
  'NodeLost',
  'HibernatedStateRefused',
  'HibernationFailed',
];

/** Conditions whose absence of truth is an ordinary state. */
const ORDINARY = [
  'LiveMigratable',
  'StorageLiveMigratable',
  'AgentConnected',
  'FencedByLease',
  'kubevirt.io/virtual-machine-unpaused',
];

/** Reasons with which such a condition is a trouble all the same. */
const TELLING = ['StorageLost'];

function conditionEvidence(source: Source, object: string, of: unknown): readonly Evidence[] {
  return listOf(at(of, 'status', 'conditions')).flatMap((condition) => {
    const type = textOf(at(condition, 'type')) ?? '';
    const status = at(condition, 'status');
    const bad = BAD_WHEN_TRUE.includes(type)
      ? status === 'True'
      : status === 'False' &&
        (!ORDINARY.includes(type) || TELLING.includes(textOf(at(condition, 'reason')) ?? ''));
    if (!bad) return [];
    const reason = [type, textOf(at(condition, 'reason'))].filter((part) => part !== undefined).join('/');
    return [
      {
        source,
        object,
        reason,
        message: textOf(at(condition, 'message')) ?? '',
        ...time(at(condition, 'lastTransitionTime')),
      },
    ];
  });
}

function missingEvidence({ missing = [] }: Observed): readonly Evidence[] {
  return missing.map((reference) => ({
    source: 'reference',
    object: `${reference.kind} ${reference.name}`,
    reason: `${reference.kind}Missing`,
    message: missingText(reference),
  }));
}

/** A Pod that finds no room: how much it wants, and how much there is. */
function withRoom(evidence: Evidence, { pod, nodes = [] }: Observed): Evidence {
  if (!/Insufficient (?:memory|cpu)/.test(evidence.message)) return evidence;
  const room = roomText(pod, nodes);
  return room === undefined ? evidence : { ...evidence, message: `${evidence.message} (${room})` };
}

function phaseEvidence({ vmi }: Observed): readonly Evidence[] {
  if (vmi?.status?.phase !== 'Failed') return [];
  return [
    {
      source: 'vmi',
      object: `VMI ${vmi.metadata?.name}`,
      reason: 'Failed',
      message: vmi.status.reason ?? '',
    },
  ];
}

function startFailureEvidence({ vm }: Observed): readonly Evidence[] {
  const failure = at(vm, 'status', 'startFailure');
  if (failure === undefined) return [];
  const again = textOf(at(failure, 'retryAfterTimestamp'));
  const message = `${String(at(failure, 'consecutiveFailCount') ?? 'some')} failed starts in a row${again === undefined ? '' : `, the next not before ${again}`}`;
  return [{ source: 'vm', object: `VM ${vm?.metadata?.name}`, reason: 'CrashLoopBackOff', message }];
}

const AGENT_PATIENCE_MS = 120_000;

function agentEvidence({ vmi, nowMs }: Observed): readonly Evidence[] {
  const running = vmi?.status?.phaseTransitionTimestamps?.find(({ phase }) => phase === 'Running');
  const since = Date.parse(running?.phaseTransitionTimestamp ?? '');
  const connected = vmi?.status?.conditions?.some(
    ({ type, status }) => type === 'AgentConnected' && status === 'True',
  );
  if (vmi?.status?.phase !== 'Running' || connected === true || !(nowMs - since > AGENT_PATIENCE_MS))
    return [];
  const message = `the guest runs for ${Math.round((nowMs - since) / 60_000)} minutes and its agent has not connected`;
  return [{ source: 'vmi', object: `VMI ${vmi.metadata?.name}`, reason: 'AgentNotConnected', message }];
}

function eventEvidence({ events }: Observed): readonly Evidence[] {
  return events
    .filter((event) => at(event, 'type') === 'Warning')
    .map((event): Evidence => {
      const kind = textOf(at(event, 'involvedObject', 'kind')) ?? '';
      const name = textOf(at(event, 'involvedObject', 'name')) ?? '';
      const when =
        at(event, 'lastTimestamp') ?? at(event, 'eventTime') ?? at(event, 'metadata', 'creationTimestamp');
      return {
        source: 'event',
        object: `event of ${kind} ${name}`,
        reason: textOf(at(event, 'reason')) ?? '',
        message: textOf(at(event, 'message')) ?? '',
        ...time(when),
      };
    })
    .toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0));
}

function logEvidence({ log, pod }: Observed): readonly Evidence[] {
  return log
    .filter((line) => /error|fatal|fail|panic|"level":(50|60)/i.test(line))
    .slice(-10)
    .map((message) => ({
      source: 'log',
      object: `log of ${pod?.metadata.name ?? 'the launcher'}`,
      reason: 'Log',
      message,
    }));
}
