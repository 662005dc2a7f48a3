/**
 * What firmware and TPM remember, when the guest moves. A claim that both nodes can write stays as it is. Otherwise the
 * target has a claim of its own, to which the state goes with the guest; it counts from when the guest runs there, and
 * the source's goes. Until then, and after a failure, the source's counts. Pure.
 */
import {
  annotations,
  type ClusterConfig,
  type MigrationState,
  type PersistentVolumeClaim,
  type Pod,
  tracksChanges,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { STATE_VOLUME } from '@podvisor/translate';
import type { VolumeView } from '../vmi/volumes.ts';
import { buildStateClaim, claimNameFor, currentStateClaim, STATE_LABEL, stateOwner } from './state-claim.ts';

/** What becomes of the claims of a migration. */
export type StateClaimsEnd =
  /** The guest arrived: the label to one, and the other goes. */
  | { readonly kind: 'keep'; readonly claim: string; readonly instead: string }
  /** It did not. */
  | { readonly kind: 'drop'; readonly claim: string };

/** Name of the target's claim; the source's own when it is shared. Undefined: nothing is kept. */
export function targetStateClaimName(
  migration: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance,
  volumes: VolumeView,
): string | undefined {
  const name = currentStateClaim(vmi, volumes.ownedClaims?.(stateOwner(vmi)) ?? []);
  const current = name === undefined ? undefined : volumes.claim(name);
  // Overlays with the changed blocks are opened by both nodes, as disks are: they stay where they are.
  const isShared = current?.spec.accessModes?.includes('ReadWriteMany') === true || tracksChanges(vmi);
  return current === undefined || isShared
    ? name
    : claimNameFor(vmi.metadata?.name, migration.metadata?.uid ?? '');
}

/** The target's claim, which does not count yet; undefined when none has to be made. */
export function buildTargetStateClaim(
  migration: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance,
  volumes: VolumeView,
  config: ClusterConfig,
): PersistentVolumeClaim | undefined {
  const name = targetStateClaimName(migration, vmi, volumes);
  if (name === undefined || volumes.claim(name) !== undefined) return undefined;
  const { metadata, ...claim } = buildStateClaim(vmi, config);
  return {
    ...claim,
    metadata: {
      ...metadata,
      name,
      labels: {},
      annotations: { [annotations.migrationJobName]: migration.metadata?.name ?? '' },
    },
  };
}

/** What follows for the claims of a migration; undefined: nothing, or nothing yet. `record`: what the VMI says of it. */
export function stateClaimsEnd(
  { metadata, spec }: VirtualMachineInstanceMigration,
  record: MigrationState | undefined,
  isOver: boolean,
  volumes: VolumeView,
): StateClaimsEnd | undefined {
  const { sourcePersistentStatePVCName: source, targetPersistentStatePVCName: named } = record ?? {};
  const target = named ?? claimNameFor(spec.vmiName, metadata?.uid ?? '');
  const claim = volumes.claim(target);
  if (claim === undefined || source === target) return undefined;
  const isKept = claim.metadata.labels?.[STATE_LABEL] !== undefined;
  const hasArrived =
    record?.failed !== true &&
    (record?.completed === true || record?.targetNodeDomainReadyTimestamp !== undefined);
  if (!hasArrived || source === undefined)
    return isOver && !isKept ? { kind: 'drop', claim: target } : undefined;
  const left = volumes.claim(source);
  const isDone = isKept && (left === undefined || left.metadata.deletionTimestamp !== undefined);
  return isDone ? undefined : { kind: 'keep', claim: target, instead: source };
}

/** Names of the claims for the record of a migration; none where nothing is kept. */
export function stateClaimsOf(
  vmi: VirtualMachineInstance,
  target: Pod,
  volumes: VolumeView,
): Pick<MigrationState, 'sourcePersistentStatePVCName' | 'targetPersistentStatePVCName'> {
  const source = currentStateClaim(vmi, volumes.ownedClaims?.(stateOwner(vmi)) ?? []);
  const mounted = target.spec.volumes?.find(({ name }) => name === STATE_VOLUME);
  const name = mounted?.persistentVolumeClaim?.claimName;
  return source === undefined || name === undefined
    ? {}
    : { sourcePersistentStatePVCName: source, targetPersistentStatePVCName: name };
}
