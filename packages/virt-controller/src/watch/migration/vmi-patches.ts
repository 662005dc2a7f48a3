/**
 * What virt-controller writes to the VMI of a migration (docs/contracts.md, section Migration). Pure. Each patch
 * tests the record that it was decided on, so that a decision on an old record changes nothing.
 */
import {
  labels,
  type MigrationConfiguration,
  type MigrationState,
  type Pod,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { rfc3339 } from '@podvisor/base';
import { type JsonPatchOperation, guardedChange, stillHas } from '@podvisor/kube';
import type { stateClaimsOf } from '../backend-storage/hand-over.ts';

type Vmi = VirtualMachineInstance;
export type Patch = readonly JsonPatchOperation[];

const STATE = '/status/migrationState';
const TARGET_LABEL = `/metadata/labels/${labels.migrationTargetNodeName.replaceAll('/', '~1')}`;

export const ABORTED = 'Live migration has been aborted';

/** What the hand-off says beside the names of Pods and nodes. */
export interface HandOff {
  readonly configuration: MigrationConfiguration;
  readonly policyName: string | undefined;
  readonly memoryOverhead: string | undefined;
}

/** The new record: target virt-handler takes over from here. */
export function handOffState(
  migration: VirtualMachineInstanceMigration,
  vmi: Vmi,
  pods: {
    readonly source: Pod | undefined;
    readonly target: Pod;
    /** Holds the claims that are plugged into the guest. */
    readonly attachmentUid: string | undefined;
  },
  { configuration, policyName, memoryOverhead }: HandOff,
  stateClaims: ReturnType<typeof stateClaimsOf>,
): MigrationState {
  return {
    migrationUid: migration.metadata?.uid,
    sourceNode: vmi.status?.nodeName,
    ...(pods.source === undefined ? {} : { sourcePod: pods.source.metadata.name }),
    targetNode: pods.target.spec.nodeName,
    targetPod: pods.target.metadata.name,
    ...stateClaims,
    ...(pods.attachmentUid === undefined ? {} : { targetAttachmentPodUID: pods.attachmentUid }),
    migrationConfiguration: configuration,
    migrationNetworkType: configuration.network === undefined ? 'pod' : 'migration',
    ...(policyName === undefined ? {} : { migrationPolicyName: policyName }),
    ...(memoryOverhead === undefined ? {} : { targetMemoryOverhead: memoryOverhead }),
  };
}

/** Holds only while the guest is where it was, on the same claims, and no other migration was recorded meanwhile. */
export function handOffPatch(vmi: Vmi, state: MigrationState): Patch {
  return [
    stillHas('/status/nodeName', vmi.status?.nodeName),
    stillHas('/spec/volumes', vmi.spec.volumes),
    ...guardedChange(STATE, vmi.status?.migrationState, state),
    ...setLabel(vmi, state.targetNode ?? ''),
  ];
}

/** The end of a migration that the source has not begun, written for it. */
export function failPatch(vmi: Vmi, reason: string, isAbort: boolean, nowMs: number): Patch {
  const state: MigrationState = {
    ...vmi.status?.migrationState,
    ...(isAbort ? { abortRequested: true, abortStatus: 'Succeeded' } : {}),
    completed: true,
    failed: true,
    failureReason: reason,
    endTimestamp: rfc3339(nowMs),
  };
  return [...guardedChange(STATE, vmi.status?.migrationState, state), ...removeTargetLabel(vmi)];
}

/** Asks the source to abort what it has begun. */
export function abortPatch(vmi: Vmi): Patch {
  return [sameState(vmi), { op: 'add', path: `${STATE}/abortRequested`, value: true }];
}

/** After a failure no node is a target any more. Empty when none is. */
export function forgetTargetPatch(vmi: Vmi): Patch {
  const remove = removeTargetLabel(vmi);
  return remove.length === 0 ? [] : [sameState(vmi), ...remove];
}

function sameState({ status }: Vmi): JsonPatchOperation {
  return stillHas(STATE, status?.migrationState);
}

function setLabel({ metadata }: Vmi, value: string): Patch {
  return metadata?.labels === undefined
    ? [{ op: 'add', path: '/metadata/labels', value: { [labels.migrationTargetNodeName]: value } }]
    : [{ op: 'add', path: TARGET_LABEL, value }];
}

function removeTargetLabel({ metadata }: Vmi): Patch {
  return guardedChange(TARGET_LABEL, metadata?.labels?.[labels.migrationTargetNodeName], undefined);
}
