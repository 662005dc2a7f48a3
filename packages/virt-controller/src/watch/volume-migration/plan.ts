/**
 * A VM whose `updateVolumesStrategy` is Migration names other claims: the running guest's disks are copied there by
 * a migration, which the workload updater makes when it sees the condition VolumesChange. Pure.
 *
 * From the first patch on the VMI's spec names the new claims, and `status.migratedVolumes` says that the guest is
 * still on the old ones. Only the node that takes the guest over removes that, in the write by which it takes over.
 * So neither this patch nor the one that takes it back may meet a migration under way.
 */
import {
  isFinalMigrationPhase,
  type MigratedVolume,
  movesVolumes,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import { Amount } from '@podvisor/base';
import { type JsonPatchOperation, guardedChange, stillHas } from '@podvisor/kube';
import { type Condition, findCondition, setCondition } from '../conditions.ts';
import type { StorageView } from '../vm/volumes/data-volumes.ts';
import { type ChangedVolume, changedVolumes, isRevert, migratedVolumes, withChanged } from './changed.ts';
import { obstacle, refusal } from './validate.ts';

type Migration = VirtualMachineInstanceMigration;
type Vmi = VirtualMachineInstance;

export const VOLUMES_CHANGE = 'VolumesChange';
const CANCELLED = 'VolumesChangeCancellation';
/** Word for word what clients of KubeVirt look for. */
const ONLY_BACK = 'The volume can only be reverted to the previous version during the update';

const ONE_NODE =
  'the volumes wait for a second node: their disks are copied to a new Pod of the guest, which never runs beside the old one';

export interface VolumeUpdateView {
  readonly vm: VirtualMachine;
  readonly vmi: Vmi;
  readonly storage: StorageView;
  /** Of the VMI. */
  readonly migrations: readonly Migration[];
  /** Another node than the VMI's could run it, as far as virt-handlers say. */
  readonly hasOtherNode: boolean;
  readonly nowMs: number;
}

export type VolumeUpdate =
  | { readonly kind: 'none' }
  /** Cannot be done while the guest runs. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Cannot be done now. */
  | { readonly kind: 'waits'; readonly message: string }
  /** The migrations in the way have to end first. */
  | { readonly kind: 'stop'; readonly migrations: readonly Migration[]; readonly message: string }
  | { readonly kind: 'patch'; readonly patch: readonly JsonPatchOperation[] };

const NONE: VolumeUpdate = { kind: 'none' };

export function planVolumeUpdate(view: VolumeUpdateView): VolumeUpdate {
  const { vm, vmi, storage } = view;
  const changed = changedVolumes(vm.spec.template?.spec?.volumes ?? [], vmi);
  if (movesVolumes(vmi)) return planMoving(view, changed);
  if (changed.length === 0 || vm.spec.updateVolumesStrategy !== 'Migration') return NONE;
  if (vmi.status?.phase !== 'Running') return NONE;
  const wait = obstacle(changed, storage);
  if (wait !== undefined) return { kind: 'waits', message: wait };
  const moved = migratedVolumes(changed, storage);
  const message = refusal(vmi, changed, moved);
  if (message !== undefined) return { kind: 'refused', message };
  const busy = underWay(view);
  if (busy !== undefined) return { kind: 'waits', message: `the volumes are moved after ${busy}` };
  if (!view.hasOtherNode) return { kind: 'waits', message: ONE_NODE };
  return { kind: 'patch', patch: beginPatch(vmi, changed, moved, view.nowMs) };
}

/** Under way: all that may still change is that it is not wanted any more. */
function planMoving(view: VolumeUpdateView, changed: readonly ChangedVolume[]): VolumeUpdate {
  const { vmi, migrations, nowMs } = view;
  if (changed.length === 0) return planMessage(view);
  if (!isRevert(changed, vmi.status?.migratedVolumes ?? [])) return { kind: 'waits', message: ONLY_BACK };
  const open = migrations.filter(isOpen);
  const busy = underWay(view);
  if (open.length > 0)
    return {
      kind: 'stop',
      migrations: open.filter(({ metadata }) => metadata?.deletionTimestamp === undefined),
      message: `the volumes are put back when ${busy ?? 'their migration'} has stopped`,
    };
  if (busy !== undefined) return { kind: 'waits', message: `the volumes are put back after ${busy}` };
  return { kind: 'patch', patch: revertPatch(vmi, changed, nowMs) };
}

function isOpen({ status }: Migration): boolean {
  return !isFinalMigrationPhase(status?.phase);
}

/** A migration that may have a target Pod with the claims as they are now, or a guest that may have moved. */
function underWay({ vmi, migrations }: VolumeUpdateView): string | undefined {
  const open = migrations.find(isOpen);
  if (open !== undefined) return `migration ${open.metadata?.name}`;
  const { completed, failed, migrationUid, targetNode } = vmi.status?.migrationState ?? {};
  if (migrationUid === undefined) return undefined;
  const isSettled = completed === true && (failed === true || vmi.status?.nodeName === targetNode);
  return isSettled ? undefined : 'the migration under way';
}

/** The condition tells why an attempt failed; the next one is made by itself. */
function planMessage({ vmi, migrations, nowMs }: VolumeUpdateView): VolumeUpdate {
  const old = vmi.status?.conditions ?? [];
  const moved = vmi.status?.migratedVolumes ?? [];
  const conditions = setCondition(old, changeCondition(vmi, moved, lastFailure(vmi, migrations)), nowMs);
  if (conditions === old) return NONE;
  return {
    kind: 'patch',
    patch: [...test(vmi), { op: 'add', path: '/status/conditions', value: conditions }],
  };
}

/** Why the last attempt to move the volumes failed; undefined: none has. */
function lastFailure({ status }: Vmi, migrations: readonly Migration[]): string | undefined {
  const since = findCondition(status?.conditions, VOLUMES_CHANGE)?.lastTransitionTime;
  if (since === undefined || since === null) return undefined;
  const created = ({ metadata }: Migration): string => metadata?.creationTimestamp ?? '';
  const failed = migrations
    .filter((migration) => migration.status?.phase === 'Failed' && created(migration) >= since)
    .toSorted((a, b) => created(b).localeCompare(created(a)));
  return failed[0] === undefined
    ? undefined
    : (failed[0].status?.migrationState?.failureReason ?? 'no reason is given');
}

function changeCondition(vmi: Vmi, moved: readonly MigratedVolume[], failure?: string): Condition {
  const trouble =
    failure === undefined
      ? ''
      : `; the last attempt failed, the guest is on its old claims and it is tried again: ${failure}`;
  const texts = moved.map(({ volumeName, sourcePVCInfo, destinationPVCInfo }) => {
    const size = vmi.status?.volumeStatus?.find(({ name }) => name === volumeName)?.size;
    const amount = size === undefined ? '' : ` (${Amount.ofBytes(Number(size)).toString()})`;
    return `${volumeName}${amount} from ${sourcePVCInfo?.claimName} to ${destinationPVCInfo?.claimName}`;
  });
  return { type: VOLUMES_CHANGE, status: 'True', message: `migrate volumes: ${texts.join(', ')}${trouble}` };
}

function beginPatch(
  vmi: Vmi,
  changed: readonly ChangedVolume[],
  moved: readonly MigratedVolume[],
  nowMs: number,
): readonly JsonPatchOperation[] {
  const conditions = setCondition(vmi.status?.conditions ?? [], changeCondition(vmi, moved), nowMs);
  return [
    ...test(vmi),
    { op: 'add', path: '/status/migratedVolumes', value: moved },
    { op: 'add', path: '/spec/volumes', value: withChanged(vmi.spec.volumes ?? [], changed) },
    { op: 'add', path: '/status/conditions', value: conditions },
  ];
}

function revertPatch(
  vmi: Vmi,
  changed: readonly ChangedVolume[],
  nowMs: number,
): readonly JsonPatchOperation[] {
  const cancelled = { type: VOLUMES_CHANGE, status: 'False', reason: CANCELLED };
  return [
    ...test(vmi),
    ...guardedChange('/status/migratedVolumes', vmi.status?.migratedVolumes, undefined),
    { op: 'add', path: '/spec/volumes', value: withChanged(vmi.spec.volumes ?? [], changed) },
    {
      op: 'add',
      path: '/status/conditions',
      value: setCondition(vmi.status?.conditions ?? [], cancelled, nowMs),
    },
  ];
}

/** Holds while nobody else has changed what was looked at: the hand-off of a migration changes its record. */
function test({ spec, status }: Vmi): readonly JsonPatchOperation[] {
  return [
    stillHas('/spec/volumes', spec.volumes),
    stillHas('/status/nodeName', status?.nodeName),
    stillHas('/status/conditions', status?.conditions),
    stillHas('/status/migrationState', status?.migrationState),
  ];
}
