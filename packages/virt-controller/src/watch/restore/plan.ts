/** What a restore makes of a snapshot's content: claims from its VolumeSnapshots, and the VM that uses them. Pure. */
import {
  claimName,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineRestore,
  type VirtualMachineSnapshotContent,
  type VMSpec,
  type VolumeBackup,
  type VolumeRestore,
  type VolumeSnapshot,
} from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { controllerReference } from '../ownership.ts';
import { patchObject } from './json-patch.ts';

export const LAST_RESTORE = 'restore.kubevirt.io/lastRestoreUID';
/** Which restore a claim was made by. */
export const RESTORE_NAME = 'restore.kubevirt.io/name';

/** Annotations that tell of the life of the old claim. */
const OF_THE_OLD =
  /^(pv\.kubernetes\.io\/|volume\.(beta\.)?kubernetes\.io\/|cdi\.kubevirt\.io\/storage\.(condition|pod|import|clone|prePopulated|populatedFor)|kubectl\.kubernetes\.io\/last-applied)/;

/** One entry for each volume of the snapshot. */
export function volumeRestores(
  restore: VirtualMachineRestore,
  content: VirtualMachineSnapshotContent,
): readonly VolumeRestore[] {
  return (content.spec.volumeBackups ?? []).flatMap((backup): VolumeRestore[] => {
    if (backup.volumeSnapshotName === undefined) return [];
    return [
      {
        volumeName: backup.volumeName,
        persistentVolumeClaim: claimFor(restore, backup),
        volumeSnapshotName: backup.volumeSnapshotName,
      },
    ];
  });
}

function claimFor({ metadata, spec }: VirtualMachineRestore, backup: VolumeBackup): string {
  const override = spec.volumeRestoreOverrides?.find(({ volumeName }) => volumeName === backup.volumeName);
  if (override?.restoreName) return override.restoreName;
  switch (spec.volumeRestorePolicy) {
    case 'InPlace':
      return backup.persistentVolumeClaim.metadata?.name ?? '';
    case 'PrefixTargetName':
      return `${spec.target.name}-${backup.volumeName}`;
    default:
      return `restore-${metadata?.uid}-${backup.volumeName}`;
  }
}

/** The claim of one restored volume; filled by the storage from the VolumeSnapshot. */
export function restoredClaim(
  restore: VirtualMachineRestore,
  backup: VolumeBackup,
  { persistentVolumeClaim: name, volumeSnapshotName }: VolumeRestore,
  taken: VolumeSnapshot | undefined,
): PersistentVolumeClaim {
  const { metadata = {}, spec = {} } = backup.persistentVolumeClaim;
  const override = restore.spec.volumeRestoreOverrides?.find(
    ({ volumeName }) => volumeName === backup.volumeName,
  );
  const kept = Object.entries(metadata.annotations ?? {}).filter(([key]) => !OF_THE_OLD.test(key));
  const source = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: volumeSnapshotName };
  const asked = spec.resources?.requests?.['storage'];
  const smallest = taken?.status?.restoreSize;
  const storage =
    asked !== undefined &&
    (smallest === undefined || parseQuantity(asked).compare(parseQuantity(smallest)) >= 0)
      ? asked
      : smallest;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: restore.metadata?.namespace,
      labels: { ...metadata.labels, ...override?.labels },
      annotations: {
        ...Object.fromEntries(kept),
        ...override?.annotations,
        [RESTORE_NAME]: restore.metadata?.name ?? '',
      },
    },
    spec: {
      accessModes: spec.accessModes,
      storageClassName: spec.storageClassName,
      volumeMode: spec.volumeMode === 'Block' ? 'Block' : 'Filesystem',
      resources: { requests: { ...(storage === undefined ? {} : { storage }) } },
      dataSource: source,
      dataSourceRef: source,
    },
  };
}

/** The VM as it will be: the snapshot's spec on the restored claims, stopped. */
export function restoredVm(
  restore: VirtualMachineRestore,
  content: VirtualMachineSnapshotContent,
  restores: readonly VolumeRestore[],
  target: VirtualMachine | undefined,
): VirtualMachine {
  const source = content.spec.source.virtualMachine;
  if (source?.spec === undefined) throw new Error('the snapshot holds no VirtualMachine');
  const annotations = { [LAST_RESTORE]: `${restore.metadata?.name}-${restore.metadata?.uid}` };
  const spec = halted(withClaims(source.spec, restores));
  if (target !== undefined) {
    const metadata = { ...target.metadata, annotations: { ...target.metadata?.annotations, ...annotations } };
    return patchObject({ ...target, metadata, spec }, restore.spec.patches ?? []);
  }
  const own = Object.entries(source.metadata?.annotations ?? {}).filter(([key]) => !OF_THE_OLD.test(key));
  const isOther = source.metadata?.name !== restore.spec.target.name;
  const fresh: VirtualMachine = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      name: restore.spec.target.name,
      namespace: restore.metadata?.namespace,
      labels: { ...source.metadata?.labels },
      annotations: { ...Object.fromEntries(own), ...annotations },
    },
    spec: isOther ? withNewIdentity(spec) : spec,
  };
  return patchObject(fresh, restore.spec.patches ?? []);
}

/** Restored claims are claims: the DataVolumes that filled the old ones have no part in them. */
function withClaims(spec: VMSpec, restores: readonly VolumeRestore[]): VMSpec {
  const inner = spec.template.spec;
  if (inner === undefined) return spec;
  const claims = new Map(restores.map((r) => [r.volumeName, r.persistentVolumeClaim]));
  const replaced = new Set<string>();
  const volumes = inner.volumes?.map((volume) => {
    const claim = claims.get(volume.name);
    if (claim === undefined) return volume;
    if (volume.dataVolume !== undefined) replaced.add(volume.dataVolume.name);
    if (claimName(volume) === claim && volume.dataVolume === undefined) return volume;
    const hotpluggable =
      volume.persistentVolumeClaim?.hotpluggable ?? volume.dataVolume?.hotpluggable ?? undefined;
    return {
      name: volume.name,
      persistentVolumeClaim: { claimName: claim, ...(hotpluggable === undefined ? {} : { hotpluggable }) },
    };
  });
  const templates = spec.dataVolumeTemplates?.filter(({ metadata }) => !replaced.has(metadata?.name ?? ''));
  return {
    ...spec,
    dataVolumeTemplates: templates === undefined || templates.length === 0 ? undefined : templates,
    template: { ...spec.template, spec: { ...inner, volumes } },
  };
}

function halted(spec: VMSpec): VMSpec {
  return spec.runStrategy === undefined ? { ...spec, running: false } : { ...spec, runStrategy: 'Halted' };
}

/** A second machine is not the first one: it gets a UUID and addresses of its own. */
function withNewIdentity(spec: VMSpec): VMSpec {
  const inner = spec.template.spec;
  if (inner === undefined) return spec;
  const { firmware, devices } = inner.domain;
  const interfaces = devices.interfaces?.map(({ macAddress: _mac, ...nic }) => nic);
  const { uuid: _uuid, ...rest } = firmware ?? {};
  const domain = {
    ...inner.domain,
    ...(firmware === undefined ? {} : { firmware: rest }),
    devices: { ...devices, ...(interfaces === undefined ? {} : { interfaces }) },
  };
  return { ...spec, template: { ...spec.template, spec: { ...inner, domain } } };
}

/** The reference by which a claim goes with its VM. */
export function ownedBy(claim: PersistentVolumeClaim, vm: VirtualMachine): PersistentVolumeClaim['metadata'] {
  const reference = { ...controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine'), controller: true };
  return { ...claim.metadata, ownerReferences: [reference] };
}
