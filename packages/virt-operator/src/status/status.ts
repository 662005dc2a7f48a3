/**
 * The status of the KubeVirt object, as KubeVirt's clients read it (behaviour book, section 12). Pure.
 *
 * `Synchronized` is False while something stands in the way, and says what; virt-controller uses it too
 * (`InvalidConfiguration`), so only what the operator said is taken back.
 */
import type { KubeVirt, KubeVirtStatus, VMICondition } from '@podvisor/api';
import { deepEqual, rfc3339 } from '@podvisor/base';

/** How far the installation is. */
export type InstallState =
  /** `created`: every object is there, and the components are not ready yet. */
  | { readonly kind: 'deploying'; readonly created: boolean; readonly message?: string }
  | { readonly kind: 'deployed' }
  /** Something stands in the way; what runs goes on. `reason` is one word, `message` says the way out. */
  | { readonly kind: 'blocked'; readonly reason: string; readonly message: string }
  | { readonly kind: 'deleting'; readonly message?: string };

/** What is installed, or is being installed. */
export interface Deployment {
  readonly version: string;
  readonly registry: string;
  /** Hash of all that the images and settings of components depend on. */
  readonly id: string;
  /** The same as JSON, for people. */
  readonly config?: string;
}

export interface StatusFacts {
  readonly state: InstallState;
  readonly operatorVersion: string;
  readonly target: Deployment;
  readonly defaultArchitecture: string;
  /** About DataVolumes of ours, where somebody asked for them. */
  readonly dataVolumes?: Pick<VMICondition, 'status' | 'reason' | 'message'>;
}

type Conditions = readonly VMICondition[];
type Said = readonly [type: string, status: 'True' | 'False', reason: string, message: string];

/** The status that is due; undefined when the object says so already. */
export function plannedStatus(
  kubevirt: KubeVirt,
  facts: StatusFacts,
  nowMs: number,
): KubeVirtStatus | undefined {
  const old = kubevirt.status ?? {};
  const { state, target } = facts;
  const isOther = old.observedDeploymentID !== undefined && old.observedDeploymentID !== facts.target.id;
  const next: KubeVirtStatus = {
    ...old,
    phase: phaseOf(state, old.phase, isOther),
    conditions: conditionsOf(old, facts, isOther, nowMs),
    operatorVersion: facts.operatorVersion,
    defaultArchitecture: facts.defaultArchitecture,
    targetKubeVirtVersion: target.version,
    targetKubeVirtRegistry: target.registry,
    targetDeploymentID: target.id,
    ...(target.config === undefined ? {} : { targetDeploymentConfig: target.config }),
    ...(state.kind === 'deployed'
      ? {
          observedKubeVirtVersion: target.version,
          observedKubeVirtRegistry: target.registry,
          observedDeploymentID: target.id,
          ...(target.config === undefined ? {} : { observedDeploymentConfig: target.config }),
        }
      : {}),
    ...(kubevirt.metadata?.generation === undefined
      ? {}
      : { observedGeneration: kubevirt.metadata.generation }),
  };
  return deepEqual(next, old) ? undefined : next;
}

/** A phase that was reached is not lost by a problem: guests and their components go on. */
function phaseOf(state: InstallState, old: string | undefined, isOther: boolean): string {
  switch (state.kind) {
    case 'deployed':
      return 'Deployed';
    case 'deleting':
      return 'Deleting';
    case 'deploying':
      return old === 'Deployed' && !isOther ? old : 'Deploying';
    default:
      return old ?? 'Deploying';
  }
}

const BLOCKED = 'Synchronized';
const DATA_VOLUMES = 'DataVolumes';
/** Reasons of `Synchronized` that are not the operator's. */
const OF_OTHERS = new Set(['InvalidConfiguration']);

function conditionsOf(
  old: KubeVirtStatus,
  { state, target, dataVolumes }: StatusFacts,
  isOther: boolean,
  nowMs: number,
): Conditions {
  let conditions: Conditions = old.conditions ?? [];
  for (const [type, status, reason, message] of saidOf(old, state, target, isOther))
    conditions = withCondition(conditions, { type, status, reason, message }, nowMs);
  if (dataVolumes !== undefined)
    conditions = withCondition(conditions, { type: DATA_VOLUMES, ...dataVolumes }, nowMs);
  else if (state.kind === 'deployed') conditions = conditions.filter(({ type }) => type !== DATA_VOLUMES);
  const said = conditions.find(({ type }) => type === BLOCKED)?.reason ?? '';
  return state.kind === 'blocked' || OF_OTHERS.has(said)
    ? conditions
    : conditions.filter(({ type }) => type !== BLOCKED);
}

function saidOf(
  old: KubeVirtStatus,
  state: InstallState,
  target: Deployment,
  isOther: boolean,
): readonly Said[] {
  const created: Said = ['Created', 'True', 'AllResourcesCreated', 'All resources were created.'];
  switch (state.kind) {
    case 'deployed': {
      const [reason, message] = ['AllComponentsReady', 'All components are ready.'];
      return [
        created,
        ['Available', 'True', reason, message],
        ['Progressing', 'False', reason, message],
        ['Degraded', 'False', reason, message],
      ];
    }
    case 'deleting': {
      const [reason, message] = ['DeletionInProgress', state.message ?? 'Deletion was triggered'];
      return [
        ['Available', 'False', reason, message],
        ['Progressing', 'False', reason, message],
        ['Degraded', 'True', reason, message],
      ];
    }
    case 'deploying': {
      const reason = isOther ? 'UpdateInProgress' : 'DeploymentInProgress';
      const plain = isOther
        ? `Transitioning from previous version ${old.observedKubeVirtVersion} with registry ${old.observedKubeVirtRegistry} to target version ${target.version} using registry ${target.registry}`
        : `Deploying version ${target.version} with registry ${target.registry}`;
      const message = state.message === undefined ? plain : `${plain}: ${state.message}`;
      return [
        ...(state.created ? [created] : []),
        ['Available', isOther ? 'True' : 'False', reason, message],
        ['Progressing', 'True', reason, message],
        ['Degraded', isOther ? 'True' : 'False', reason, message],
      ];
    }
    default:
      return [[BLOCKED, 'False', state.reason, state.message]];
  }
}

function withCondition(
  conditions: Conditions,
  next: Omit<VMICondition, 'lastTransitionTime' | 'lastProbeTime'>,
  nowMs: number,
): Conditions {
  const old = conditions.find(({ type }) => type === next.type);
  if (old?.status === next.status && old.reason === next.reason && old.message === next.message)
    return conditions;
  const now = rfc3339(nowMs);
  const lastTransitionTime = old?.status === next.status ? (old.lastTransitionTime ?? now) : now;
  const built = { ...next, lastProbeTime: now, lastTransitionTime };
  return old === undefined ? [...conditions, built] : conditions.map((c) => (c === old ? built : c));
}
