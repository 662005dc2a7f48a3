/** DataVolume templates of a VM: which to create, and whether the VM may start. Pure. */
import {
  annotations,
  type EmbeddedObjectMeta,
  labels,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type DataVolume,
} from '@podvisor/api';
import { controllerReference } from '../../ownership.ts';

/** What the cache knows about the storage of one namespace. */
export interface StorageView {
  /** False when the cluster does not serve DataVolumes at all. */
  readonly dataVolumesServed: boolean;
  dataVolume(name: string): DataVolume | undefined;
  claim(name: string): PersistentVolumeClaim | undefined;
  /** As in `VolumeView`. */
  fileSystemOverhead?(claim: PersistentVolumeClaim): string;
  /** The class that takes snapshots of a claim; undefined: its storage cannot. */
  snapshotClass(claim: PersistentVolumeClaim): string | undefined;
}

export type DataVolumePlan =
  | { readonly kind: 'ready' }
  /** Some are missing; `create` may be empty while others are still being filled. */
  | { readonly kind: 'wait'; readonly create: readonly DataVolume[] }
  | { readonly kind: 'failed'; readonly name: string }
  | { readonly kind: 'notServed' };

/** Phases in which the launcher Pod may be created: filled, or filled once a Pod consumes it. */
const STARTABLE: ReadonlySet<string> = new Set(['Succeeded', 'WaitForFirstConsumer', 'PendingPopulation']);

export function planDataVolumes(
  vm: VirtualMachine,
  storage: StorageView,
  setToStart: boolean,
): DataVolumePlan {
  const templates = vm.spec.dataVolumeTemplates ?? [];
  if (templates.length === 0) return { kind: 'ready' };
  const create: DataVolume[] = [];
  let waiting = false;
  for (const template of templates) {
    const meta = template.metadata ?? {};
    const name = meta.name ?? '';
    const existing = storage.dataVolume(name);
    // A claim without its DataVolume is one that was filled and whose DataVolume was tidied away.
    if (existing === undefined && storage.claim(name) !== undefined) continue;
    if (!storage.dataVolumesServed) return { kind: 'notServed' };
    const phase = existing?.status?.phase ?? '';
    if (phase === 'Failed') return { kind: 'failed', name };
    if (STARTABLE.has(phase)) continue;
    waiting = true;
    const delayed =
      vm.metadata?.annotations?.[annotations.immediateDataVolumeCreation] === 'false' && !setToStart;
    if (existing === undefined && !delayed) create.push(buildDataVolume(vm, meta, template.spec));
  }
  return waiting ? { kind: 'wait', create } : { kind: 'ready' };
}

function buildDataVolume(vm: VirtualMachine, meta: EmbeddedObjectMeta, spec: DataVolume['spec']): DataVolume {
  return {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: {
      name: meta.name,
      namespace: vm.metadata?.namespace,
      labels: { ...meta.labels, [labels.createdBy]: vm.metadata?.uid ?? '' },
      annotations: meta.annotations,
      ownerReferences: [controllerReference(vm, 'kubevirt.io/v1', 'VirtualMachine')],
    },
    spec,
  };
}

/** Names of the claims behind the VM's volumes, and how each stands. */
export function volumeClaims(vm: VirtualMachine): readonly string[] {
  const names: string[] = [];
  for (const volume of vm.spec.template?.spec?.volumes ?? []) {
    const name = volume.dataVolume?.name ?? volume.persistentVolumeClaim?.claimName;
    if (name !== undefined) names.push(name);
  }
  return names;
}
