/** What an export needs next, from what is seen of its source and its server. Pure. */
import type {
  PersistentVolumeClaim,
  Pod,
  VirtualMachine,
  VirtualMachineBackup,
  VirtualMachineBackupTracker,
  VirtualMachineExport,
  VirtualMachineExportStatus,
  VirtualMachineInstance,
  VirtualMachineRestore,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
  VolumeSnapshot,
} from '@podvisor/api';
import { rfc3339, goDurationMs } from '@podvisor/base';
import { isPulled } from '../backup/decide.ts';
import { isTerminal } from '../backup/status.ts';
import { restoredClaim } from '../restore/plan.ts';
import { controllerOfKind, isControlledBy, ownerKinds } from '../ownership.ts';
import { claimsOf } from '../snapshot/content.ts';
import { isFinal } from '../vmi-phase.ts';
import { disksOf, type ServedDisk } from './backup.ts';
import { certificateOf, exportName, metaOf } from './plan.ts';
import { exportStatus } from './status.ts';

/** What the export names, as far as it is there. */
export interface ExportSources {
  readonly vm?: VirtualMachine;
  /** Of that VM, or of the VM that is backed up. */
  readonly vmi?: VirtualMachineInstance;
  readonly snapshot?: VirtualMachineSnapshot;
  readonly content?: VirtualMachineSnapshotContent;
  readonly backup?: VirtualMachineBackup;
  readonly tracker?: VirtualMachineBackupTracker;
}

export interface ExportObservation {
  readonly found: VirtualMachineExport;
  readonly sources: ExportSources;
  /** Those of `exportedClaims` that are there, by name. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  /** VolumeSnapshots of the content, by name. */
  readonly taken: ReadonlyMap<string, VolumeSnapshot>;
  /** The exporter's Pod. */
  readonly pod: Pod | undefined;
  readonly nowMs: number;
  /** A running guest that uses a claim, by the claim's name. */
  userOf(claim: string): string | undefined;
}

export interface ReadySource {
  readonly kind: 'ready';
  readonly claims: readonly PersistentVolumeClaim[];
  readonly vm?: VirtualMachine;
  /** Disks of a backup that is pulled, at the only node where they can be. */
  readonly backup?: { readonly disks: readonly ServedDisk[]; readonly nodeName: string };
}

type Waits = { readonly kind: 'waits'; readonly reason: string; readonly message: string };
type Source = ReadySource | Waits | { readonly kind: 'skipped' };

export type ExportState =
  | Exclude<Source, ReadySource>
  | (Omit<ReadySource, 'kind'> & { readonly kind: 'served'; readonly cert: string });

export type ExportPlan =
  | { readonly kind: 'expire' }
  | {
      readonly kind: 'keep';
      /** Claims of the export's own, filled from a snapshot; they go with it. */
      readonly createClaims: readonly PersistentVolumeClaim[];
      /** The token and the Service of the server, and its Pod where there is none. */
      readonly serve?: { readonly source: ReadySource; readonly createsPod: boolean };
      readonly status: VirtualMachineExportStatus;
      readonly requeueAfterMs: number;
    };

const DEFAULT_TTL_MS = 2 * 3_600_000;
/** What has a name that the export needs may be what is left of one that was. */
const LOOK_AGAIN_MS = 5_000;

const NAME_TAKEN = 'NameTaken';

const waits = (reason: string, message: string): Waits => ({ kind: 'waits', reason, message });

/** Names of the claims whose content is exported. */
export function exportedClaims(
  { metadata, spec }: VirtualMachineExport,
  { vm, content, backup }: ExportSources,
): readonly string[] {
  switch (spec.source.kind) {
    case 'PersistentVolumeClaim':
      return [spec.source.name];
    case 'VirtualMachine':
      return vm === undefined ? [] : claimsOf(vm).map(({ claimName }) => claimName);
    case 'VirtualMachineSnapshot':
      return (content?.spec.volumeBackups ?? []).map(({ volumeName }) => `${metadata?.name}-${volumeName}`);
    case 'VirtualMachineBackup':
      return backup?.spec.pvcName === undefined ? [] : [backup.spec.pvcName];
    default:
      return [];
  }
}

export function planExport(observed: ExportObservation): ExportPlan {
  const { found, pod, nowMs } = observed;
  const ttlMs = goDurationMs(found.spec.ttlDuration) ?? DEFAULT_TTL_MS;
  const endsMs = Date.parse(found.metadata?.creationTimestamp ?? '') + ttlMs;
  if (nowMs >= endsMs) return { kind: 'expire' };
  const createClaims = claimsToCreate(observed);
  const source = sourceOf(observed, createClaims);
  const isOurs = pod === undefined || isControlledBy(pod, found, ownerKinds.export);
  const state = !isOurs
    ? taken('Pod', exportName(found))
    : source.kind === 'ready'
      ? served(found, source, pod)
      : source;
  return {
    kind: 'keep',
    createClaims,
    ...(isOurs && source.kind === 'ready' ? { serve: { source, createsPod: pod === undefined } } : {}),
    status: exportStatus(found, state, rfc3339(endsMs), nowMs),
    requeueAfterMs: Math.min(endsMs - nowMs, isTaken(state) ? LOOK_AGAIN_MS : Number.POSITIVE_INFINITY),
  };
}

/** Something of somebody else has the name: what it says and serves is not this export's. */
function taken(kind: string, name: string): Waits {
  return waits(
    NAME_TAKEN,
    `${kind} ${name} is there already, and is not of this export: delete it, or give the export another name`,
  );
}

function isTaken(state: ExportState): boolean {
  return state.kind === 'waits' && state.reason === NAME_TAKEN;
}

function served({ status }: VirtualMachineExport, source: ReadySource, pod: Pod | undefined): ExportState {
  const isReady = pod?.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') === true;
  const unbound = source.claims.find(({ status }) => status?.phase !== 'Bound');
  if (!isReady && unbound !== undefined)
    return waits('NotBound', `PVC ${unbound.metadata.name} is not bound; the exporter pod waits for it`);
  if (!isReady) return waits('Initializing', 'The exporter pod is starting');
  // A Pod of an earlier version does not have it; the status is nobody's to write but ours.
  const cert = (pod && certificateOf(pod)) ?? status?.links?.internal?.cert ?? '';
  return { ...source, kind: 'served', cert };
}

function sourceOf(observed: ExportObservation, created: readonly PersistentVolumeClaim[]): Source {
  const { vm, vmi, snapshot, content } = observed.sources;
  const { kind, name } = observed.found.spec.source;
  switch (kind) {
    case 'PersistentVolumeClaim':
      return claimsReady(observed, undefined);
    case 'VirtualMachine':
      if (vm === undefined) return waits('NotFound', `VirtualMachine ${name} does not exist`);
      if (vmi !== undefined && !isFinal(vmi))
        return waits('InUse', `VirtualMachine ${name} is running: stop it, or export a snapshot of it`);
      return claimsOf(vm).length === 0 ? { kind: 'skipped' } : claimsReady(observed, vm);
    case 'VirtualMachineSnapshot':
      if (!isReadySnapshot(snapshot)) return waits('NotReady', `VirtualMachineSnapshot ${name} is not ready`);
      if ((content?.spec.volumeBackups ?? []).length === 0) return { kind: 'skipped' };
      if (created[0] !== undefined) return waits('NotBound', `PVC ${created[0].metadata.name} is not bound`);
      return claimsReady(observed, machineOf(content));
    case 'VirtualMachineBackup':
      return backupReady(observed);
    default:
      return waits('NotAvailable', `Exports of ${kind} are not available yet in this version`);
  }
}

function claimsReady(observed: ExportObservation, vm: VirtualMachine | undefined): Source {
  const { found, sources, claims, userOf } = observed;
  const ready: PersistentVolumeClaim[] = [];
  for (const name of exportedClaims(found, sources)) {
    const claim = claims.get(name);
    if (claim === undefined) return waits('NotFound', `PVC ${name} does not exist`);
    // Claims of a snapshot are made by the export itself.
    const isMade = found.spec.source.kind === 'VirtualMachineSnapshot';
    if (isMade && !isControlledBy(claim, found, ownerKinds.export)) return taken('PVC', name);
    if (!isThereOrComes(claim)) return waits('NotBound', `PVC ${name} is not bound`);
    const user = userOf(name);
    if (user !== undefined) return waits('InUse', `PVC ${name} is in use by the running guest ${user}`);
    ready.push(claim);
  }
  return { kind: 'ready', claims: ready, ...(vm === undefined ? {} : { vm }) };
}

/**
 * A class may make a volume only when a Pod wants it (WaitForFirstConsumer): for a claim out of a snapshot, and for
 * one that nobody has used yet, that is the exporter. What a DataVolume fills has somebody who comes first.
 */
function isThereOrComes(claim: PersistentVolumeClaim): boolean {
  const phase = claim.status?.phase;
  if (phase === 'Bound') return true;
  return phase !== 'Lost' && controllerOfKind(claim, ownerKinds.dataVolume) === undefined;
}

/** QEMU serves the disks at a socket in the claim, which its node has. */
function backupReady({ found, sources, claims }: ExportObservation): Source {
  const { backup, tracker, vmi } = sources;
  const { name } = found.spec.source;
  if (backup === undefined) return waits('NotFound', `VirtualMachineBackup ${name} does not exist`);
  const claim = claims.get(backup.spec.pvcName ?? '');
  const nodeName = vmi?.status?.nodeName;
  const isReady = isPulled(backup) && backup.status?.type !== undefined && !isTerminal(backup);
  const runtime = vmi?.status?.changedBlockTracking?.backupStatus ?? undefined;
  if (!isReady || claim === undefined || nodeName === undefined || runtime?.volumes === undefined)
    return waits('NotReady', `VirtualMachineBackup ${name} cannot be read`);
  return {
    kind: 'ready',
    claims: [claim],
    backup: { disks: disksOf(backup, tracker, runtime.volumes), nodeName },
  };
}

function isReadySnapshot(snapshot: VirtualMachineSnapshot | undefined): boolean {
  const { readyToUse, virtualMachineSnapshotContentName: content } = snapshot?.status ?? {};
  return readyToUse === true && content !== undefined;
}

function claimsToCreate({ found, sources, claims, taken }: ExportObservation): PersistentVolumeClaim[] {
  const { snapshot, content } = sources;
  if (found.spec.source.kind !== 'VirtualMachineSnapshot' || snapshot === undefined) return [];
  if (!isReadySnapshot(snapshot)) return [];
  const { name, namespace } = found.metadata ?? {};
  const restore: VirtualMachineRestore = {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineRestore',
    metadata: { name, namespace },
    spec: { target: snapshot.spec.source, virtualMachineSnapshotName: found.spec.source.name },
  };
  return (content?.spec.volumeBackups ?? []).flatMap((backup) => {
    const persistentVolumeClaim = `${name}-${backup.volumeName}`;
    if (claims.has(persistentVolumeClaim)) return [];
    const volumeSnapshotName = backup.volumeSnapshotName ?? '';
    const desired = { volumeName: backup.volumeName, persistentVolumeClaim, volumeSnapshotName };
    const claim = restoredClaim(restore, backup, desired, taken.get(volumeSnapshotName));
    return [{ ...claim, metadata: { ...claim.metadata, ...metaOf(found, persistentVolumeClaim) } }];
  });
}

function machineOf(content: VirtualMachineSnapshotContent | undefined): VirtualMachine | undefined {
  const source = content?.spec.source.virtualMachine;
  if (source?.spec === undefined) return undefined;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: source.metadata?.name, labels: source.metadata?.labels },
    spec: source.spec,
  };
}
