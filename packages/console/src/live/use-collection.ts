/** One connection per kind, however many views look at it. */
import type {
  DataVolume,
  KubernetesObject,
  VirtualMachine,
  VirtualMachineExport,
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
  VirtualMachineSnapshot,
} from '@podvisor/api';
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { Collection, type Snapshot } from './collection.ts';

export interface NodeObject extends KubernetesObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly allocatable?: Readonly<Record<string, string>>;
  };
}

export interface EventObject extends KubernetesObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly count?: number;
  readonly involvedObject?: { readonly kind?: string; readonly name?: string; readonly namespace?: string };
}

export interface ClaimObject extends KubernetesObject {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status?: { readonly phase?: string; readonly capacity?: Readonly<Record<string, string>> };
}

export interface Collections {
  readonly vms: Collection<VirtualMachine>;
  readonly vmis: Collection<VirtualMachineInstance>;
  readonly nodes: Collection<NodeObject>;
  readonly events: Collection<EventObject>;
  readonly migrations: Collection<VirtualMachineInstanceMigration>;
  readonly snapshots: Collection<VirtualMachineSnapshot>;
  readonly claims: Collection<ClaimObject>;
  readonly dataVolumes: Collection<DataVolume>;
  readonly exports: Collection<VirtualMachineExport>;
}

/** Of one namespace, or of all with `''`. */
export function collectionsOf(namespace: string): Collections {
  const inside = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return {
    vms: new Collection(`/apis/kubevirt.io/v1${inside}/virtualmachines`),
    vmis: new Collection(`/apis/kubevirt.io/v1${inside}/virtualmachineinstances`),
    nodes: new Collection('/api/v1/nodes'),
    events: new Collection(`/api/v1${inside}/events`),
    migrations: new Collection(`/apis/kubevirt.io/v1${inside}/virtualmachineinstancemigrations`),
    snapshots: new Collection(`/apis/snapshot.kubevirt.io/v1beta1${inside}/virtualmachinesnapshots`),
    claims: new Collection(`/api/v1${inside}/persistentvolumeclaims`),
    dataVolumes: new Collection(`/apis/cdi.kubevirt.io/v1beta1${inside}/datavolumes`),
    exports: new Collection(`/apis/export.kubevirt.io/v1${inside}/virtualmachineexports`),
  };
}

const others = new Map<string, Collection<KubernetesObject>>();

/** Of what only some views look at, by the path of its list. */
export function collectionAt<T extends KubernetesObject>(path: string): Collection<T> {
  const collection = others.get(path) ?? new Collection<KubernetesObject>(path);
  others.set(path, collection);
  return collection as unknown as Collection<T>;
}

/** What the page looks at; the page gives it once, at its top. */
export const Looking = createContext<Collections>(collectionsOf(''));

export function useCollections(): Collections {
  return useContext(Looking);
}

export function useCollection<T extends KubernetesObject>(collection: Collection<T>): Snapshot<T> {
  const [snapshot, setSnapshot] = useState(collection.snapshot);
  useEffect(() => {
    // Another collection: what the one before had is not its.
    setSnapshot(collection.snapshot);
    return collection.subscribe(() => setSnapshot(collection.snapshot));
  }, [collection]);
  return snapshot;
}
