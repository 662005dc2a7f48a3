/** What a restore makes of a snapshot's content: claims from its VolumeSnapshots, and the VM that uses them. Pure. */
import {
  claimName,
  isMemoryDump,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineRestore,
  type VirtualMachineSnapshotContent,
  type VMSpec,
  type VolumeBackup,
  type VolumeRestore,
  type VolumeSnapshot,
  type DataVolume,
  withClonePin,
} from '@podvisor/api';
import { parseQuantity } from '@podvisor/base';
import { patchObject } from './json-patch.ts';

/** On a DataVolume: the claim of this name is filled already. */
const PRE_POPULATED = 'cdi.kubevirt.io/storage.prePopulated';
export const LAST_RESTORE = 'restore.kubevirt.io/lastRestoreUID';
/** Which restore a claim was made by. */
export const RESTORE_NAME = 'restore.kubevirt.io/name';

/**
 * Annotations that tell of the life of the old claim, as KubeVirt knows them. What asks for a fill (an upload, an import)
 * goes with what says that it was done: the storage fills the new claim, and nobody else may.
 */
const OF_THE_OLD =
  /^(pv\.kubernetes\.io|volume\.(beta\.)?kubernetes\.io|k8s\.io\/Clone(Request|Of)|cdi\.kubevirt\.io\/(?!storage\.contentType$)|podvisor\.io\/fill-progress|kubectl\.kubernetes\.io\/last-applied)/;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** One entry for each volume of the snapshot. */
export function volumeRestores(
  restore: VirtualMachineRestore,
  content: VirtualMachineSnapshotContent,
): readonly VolumeRestore[] {
  const source = content.spec.source.virtualMachine?.spec;
  const dumps = new Set(source?.template.spec?.volumes?.filter(isMemoryDump).map(({ name }) => name));
  return (content.spec.volumeBackups ?? []).flatMap((backup): VolumeRestore[] => {
    // A dump of memory tells of the guest that was; the restored VM has none.
    if (backup.volumeSnapshotName === undefined || dumps.has(backup.volumeName)) return [];
    const claim = claimFor(restore, backup);
    return [
      {
        volumeName: backup.volumeName,
        persistentVolumeClaim: claim,
        volumeSnapshotName: backup.volumeSnapshotName,
        ...(templateOf(source, backup.volumeName) === undefined ? {} : { dataVolumeName: claim }),
      },
    ];
  });
}

type DataVolumeTemplate = NonNullable<VMSpec['dataVolumeTemplates']>[number];

/** The template of the DataVolume behind a volume; DataVolumes of somebody else have none. */
function templateOf(spec: VMSpec | undefined, volumeName: string): DataVolumeTemplate | undefined {
  const volume = spec?.template.spec?.volumes?.find(({ name }) => name === volumeName);
  const name = volume?.dataVolume?.name;
  return name === undefined
    ? undefined
    : spec?.dataVolumeTemplates?.find(({ metadata }) => metadata?.name === name);
}

/** DataVolumes for the templates of the restored VM. Their claims are filled: nothing is imported again. */
export function restoredDataVolumes(
  restore: VirtualMachineRestore,
  content: VirtualMachineSnapshotContent,
  restores: readonly VolumeRestore[],
): readonly DataVolume[] {
  const source = content.spec.source.virtualMachine?.spec;
  return restores.flatMap(({ volumeName, dataVolumeName, persistentVolumeClaim }): DataVolume[] => {
    const template = templateOf(source, volumeName);
    if (template === undefined || dataVolumeName === undefined) return [];
    const { labels, annotations } = template.metadata ?? {};
    const dataVolume: DataVolume = {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: {
        name: dataVolumeName,
        namespace: restore.metadata?.namespace,
        labels,
        annotations: { ...annotations, [PRE_POPULATED]: persistentVolumeClaim },
      },
      spec: template.spec,
    };
    // Nobody was asked whether its source may be read, and nothing is to be read of it.
    return [withClonePin(dataVolume, undefined)];
  });
}

/** DataVolumes of `old`'s templates that the restored VM has no use for. */
export function obsoleteDataVolumes(old: VMSpec, restored: VMSpec): readonly string[] {
  const names = (spec: VMSpec): readonly string[] =>
    (spec.dataVolumeTemplates ?? []).flatMap(({ metadata }) => metadata?.name ?? []);
  const kept = new Set(names(restored));
  return names(old).filter((name) => !kept.has(name));
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
  const own = Object.entries(source.metadata?.annotations ?? {}).filter(([key]) => key !== LAST_APPLIED);
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

/**
 * The VM on its restored claims. A DataVolume of one of its templates becomes one of the new name, and so does the
 * template; one of somebody else becomes a plain claim.
 */
function withClaims(spec: VMSpec, restores: readonly VolumeRestore[]): VMSpec {
  const inner = spec.template.spec;
  if (inner === undefined) return spec;
  const claims = new Map(restores.map((r) => [r.volumeName, r]));
  /** Old name → new name. */
  const renamed = new Map<string, string>();
  const disks = inner.volumes?.filter((volume) => !isMemoryDump(volume));
  const volumes = disks?.map((volume) => {
    const restored = claims.get(volume.name);
    if (restored === undefined) return volume;
    const claim = restored.persistentVolumeClaim;
    if (volume.dataVolume !== undefined && restored.dataVolumeName !== undefined) {
      renamed.set(volume.dataVolume.name, restored.dataVolumeName);
      return { ...volume, dataVolume: { ...volume.dataVolume, name: restored.dataVolumeName } };
    }
    if (claimName(volume) === claim && volume.dataVolume === undefined) return volume;
    const hotpluggable =
      volume.persistentVolumeClaim?.hotpluggable ?? volume.dataVolume?.hotpluggable ?? undefined;
    return {
      name: volume.name,
      persistentVolumeClaim: { claimName: claim, ...(hotpluggable === undefined ? {} : { hotpluggable }) },
    };
  });
  const templates = spec.dataVolumeTemplates?.map((template) => {
    const name = renamed.get(template.metadata?.name ?? '');
    return name === undefined ? template : { ...template, metadata: { ...template.metadata, name } };
  });
  return {
    ...spec,
    dataVolumeTemplates: templates,
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
