/** What a snapshot of a VM holds: its spec as it runs, and the claims behind its volumes. Pure. */
import {
  claimName,
  finalizers,
  type PersistentVolumeClaim,
  type SnapshotPersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineSnapshot,
  type VirtualMachineSnapshotContent,
  type VMSpec,
  type VolumeBackup,
} from '@podvisor/api';
import { memoryBackupOf } from './memory.ts';

export interface SnapshotSource {
  readonly vm: VirtualMachine;
  readonly vmi: VirtualMachineInstance | undefined;
  /** The spec that the running VMI was started from. */
  readonly startedFrom: VMSpec | undefined;
}

/** A volume with a claim, and the class that can take a snapshot of it. */
export interface SourceVolume {
  readonly name: string;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly claimName: string;
  /** Undefined: its storage cannot take snapshots. */
  readonly snapshotClass: string | undefined;
}

export function contentName(snapshot: VirtualMachineSnapshot): string {
  return `vmsnapshot-content-${snapshot.metadata?.uid}`;
}

export function volumeSnapshotName(snapshot: VirtualMachineSnapshot, volume: string): string {
  return `vmsnapshot-${snapshot.metadata?.uid}-volume-${volume}`;
}

/** Names of the volumes with claims, by volume; those that are made anew at each start hold nothing to keep. */
export function claimsOf({
  spec,
}: VirtualMachine): readonly { readonly name: string; readonly claimName: string }[] {
  return (spec.template?.spec?.volumes ?? []).flatMap((volume) => {
    const claim = volume.ephemeral === undefined ? claimName(volume) : undefined;
    return claim === undefined ? [] : [{ name: volume.name, claimName: claim }];
  });
}

export function buildContent(
  snapshot: VirtualMachineSnapshot,
  source: SnapshotSource,
  volumes: readonly SourceVolume[],
): VirtualMachineSnapshotContent {
  return {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshotContent',
    metadata: {
      name: contentName(snapshot),
      namespace: snapshot.metadata?.namespace,
      finalizers: [finalizers.snapshotContent],
    },
    spec: {
      virtualMachineSnapshotName: snapshot.metadata?.name,
      source: { virtualMachine: virtualMachineOf(source) },
      ...memoryBackupOf(snapshot, source.vmi),
      volumeBackups: volumes.flatMap(({ name, claim, snapshotClass }): VolumeBackup[] => {
        if (claim === undefined || snapshotClass === undefined) return [];
        const { name: claimed, namespace, labels, annotations } = claim.metadata;
        return [
          {
            volumeName: name,
            persistentVolumeClaim: {
              metadata: { name: claimed, namespace, labels, annotations },
              spec: claimSpec(claim),
            },
            volumeSnapshotName: volumeSnapshotName(snapshot, name),
          },
        ];
      }),
    },
  };
}

/** What another claim of its kind is made from. */
function claimSpec({ spec }: PersistentVolumeClaim): SnapshotPersistentVolumeClaim['spec'] {
  const { accessModes, resources, storageClassName, volumeMode, volumeName, selector } = spec;
  const { requests, limits } = resources ?? {};
  return { accessModes, resources: { requests, limits }, storageClassName, volumeMode, volumeName, selector };
}

/** A running VM is what it was started as, with the volumes that it has now: later edits wait for a restart. */
function virtualMachineOf({
  vm,
  vmi,
  startedFrom,
}: SnapshotSource): VirtualMachineSnapshotContent['spec']['source']['virtualMachine'] {
  const { name, namespace, labels, annotations, uid, generation } = vm.metadata ?? {};
  const metadata = { name, namespace, labels, annotations, uid, generation };
  return {
    metadata,
    spec: vmi === undefined || startedFrom === undefined ? vm.spec : asRunning(vm.spec, startedFrom),
  };
}

function asRunning(now: VMSpec, started: VMSpec): VMSpec {
  const { spec, ...template } = started.template;
  if (spec === undefined) return now;
  const { volumes, domain } = now.template.spec ?? spec;
  const devices = { ...spec.domain.devices, disks: domain.devices.disks };
  return {
    ...started,
    ...(now.dataVolumeTemplates === undefined ? {} : { dataVolumeTemplates: now.dataVolumeTemplates }),
    template: { ...template, spec: { ...spec, volumes, domain: { ...spec.domain, devices } } },
  };
}
