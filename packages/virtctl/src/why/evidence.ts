/**
 * Evidence: everything in a VM's objects that says how it stands, in one form. Pure. Nothing is judged here;
 * the catalogue does that.
 */
import type { DiskPicture, InterfacePicture, Node, Pod } from '@podvisor/api';
import type { PipelineObjects } from '../handoffs/handoffs.ts';
import { at, listOf, plainOf, textOf } from '../plain.ts';
import { cloudInitProblems } from './cloud-init-problems.ts';
import { type MissingReference, missingText } from './references.ts';
import { roomText } from './room.ts';

/** Where a piece of evidence comes from. */
export type Source =
  | 'vm'
  | 'vmi'
  | 'pod'
  | 'container'
  | 'event'
  | 'log'
  | 'node'
  | 'claim'
  | 'reference'
  | 'server';

export interface Evidence {
  readonly source: Source;
  /** For people: `VMI hello`, `container compute`, `event of Pod virt-launcher-…`. */
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly atMs?: number;
}

/** All that was read about one VM. Absent means: there is none, or it could not be read. */
export interface Observed extends PipelineObjects {
  readonly events: readonly unknown[];
  readonly node?: unknown;
  /** Set when the VMI names a node that the API does not know. */
  readonly nodeMissing?: string;
  readonly claims: readonly unknown[];
  /** What the VM names and is not there. */
  readonly missing?: readonly MissingReference[];
  /** All nodes, when none takes the Pod. */
  readonly nodes?: readonly Node[];
  /** Last lines of the launcher. */
  readonly log: readonly string[];
  /** What went wrong when virt-api was asked for its version. */
  readonly serverTrouble?: string;
  /** The way of packets to a guest that runs. */
  readonly network?: readonly InterfacePicture[];
  /** Absent: the guest does not run, or nobody answers. */
  readonly disks?: readonly DiskPicture[];
  readonly nowMs: number;
}

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

const WAITING_IS_FINE = ['ContainerCreating', 'PodInitializing'];

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

const IMAGE_REASONS = ['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName'];

/** What waits for an image is the image's trouble: which it is, and which volume names it. */
function waitingFor(container: string, message: string, { vm, vmi }: Observed): string {
  const image = /image "([^"]+)"/.exec(message)?.[1];
  if (image === undefined) return `container ${container}`;
  const volumes = vmi?.spec.volumes ?? vm?.spec.template?.spec?.volumes ?? [];
  const by = volumes.find(({ containerDisk }) => containerDisk?.image === image)?.name;
  return by === undefined ? `image ${image}` : `image ${image} of volume ${by}`;
}

function containerEvidence(observed: Observed): readonly Evidence[] {
  const { pod } = observed;
  const statuses = [...(pod?.status?.initContainerStatuses ?? []), ...(pod?.status?.containerStatuses ?? [])];
  return statuses.flatMap(({ name, state }): Evidence[] => {
    const { waiting, terminated } = state ?? {};
    const isImage = IMAGE_REASONS.includes(waiting?.reason ?? '');
    const object = isImage ? waitingFor(name, waiting?.message ?? '', observed) : `container ${name}`;
    if (waiting !== undefined && !WAITING_IS_FINE.includes(waiting.reason ?? ''))
      return [{ source: 'container', object, reason: waiting.reason ?? '', message: waiting.message ?? '' }];
    if (terminated === undefined || terminated.exitCode === 0) return [];
    const message = `${terminated.message ?? ''} (exit code ${terminated.exitCode})`.trim();
    return [
      {
        source: 'container',
        object,
        reason: terminated.reason ?? 'Error',
        message,
        ...time(terminated.finishedAt),
      },
    ];
  });
}

function podReason(pod: Pod | undefined): readonly Evidence[] {
  const { reason, message } = plainOf(pod?.status);
  if (textOf(reason) === undefined) return [];
  return [
    {
      source: 'pod',
      object: `Pod ${pod?.metadata.name}`,
      reason: String(reason),
      message: textOf(message) ?? '',
    },
  ];
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

function nodeEvidence({ node, nodeMissing }: Observed): readonly Evidence[] {
  if (nodeMissing !== undefined)
    return [
      {
        source: 'node',
        object: `node ${nodeMissing}`,
        reason: 'NodeNotFound',
        message: 'the API does not know this node',
      },
    ];
  const name = textOf(at(node, 'metadata', 'name'));
  const ready = listOf(at(node, 'status', 'conditions')).find(
    (condition) => at(condition, 'type') === 'Ready',
  );
  if (name === undefined || ready === undefined || at(ready, 'status') === 'True') return [];
  const reason = `Ready=${String(at(ready, 'status'))}/${textOf(at(ready, 'reason')) ?? ''}`;
  return [
    {
      source: 'node',
      object: `node ${name}`,
      reason,
      message: textOf(at(ready, 'message')) ?? '',
      ...time(at(ready, 'lastTransitionTime')),
    },
  ];
}

function claimEvidence({ claims }: Observed): readonly Evidence[] {
  return claims.flatMap((claim): Evidence[] => {
    const phase = textOf(at(claim, 'status', 'phase')) ?? 'Pending';
    // What fills the claim (an importer, on any cluster with DataVolumes) leaves its last words there.
    const notes = at(claim, 'metadata', 'annotations');
    const complaint = textOf(at(notes, 'cdi.kubevirt.io/storage.condition.running.message')) ?? '';
    const isFilled = at(notes, 'cdi.kubevirt.io/storage.pod.phase') === 'Succeeded';
    if (complaint !== '' && !isFilled)
      return [
        {
          source: 'claim',
          object: `PVC ${textOf(at(claim, 'metadata', 'name'))}`,
          reason: 'ImportFailed',
          message: complaint,
        },
      ];
    if (phase === 'Bound') return [];
    return [
      {
        source: 'claim',
        object: `PVC ${textOf(at(claim, 'metadata', 'name'))}`,
        reason: phase,
        message: 'the claim is not bound',
      },
    ];
  });
}

function serverEvidence({ serverTrouble }: Observed): readonly Evidence[] {
  if (serverTrouble === undefined) return [];
  return [{ source: 'server', object: 'virt-api', reason: 'Unavailable', message: serverTrouble }];
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

function time(value: unknown): { readonly atMs?: number } {
  const atMs = Date.parse(textOf(value) ?? '');
  return Number.isNaN(atMs) ? {} : { atMs };
}
