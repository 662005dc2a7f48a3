/** What storage classes can do for VMs, as StorageProfiles tell it; and whether DataSources are ready. Pure. */
import {
  type ClaimPropertySet,
  type DataSource,
  LOCAL_PROVISIONER,
  type StorageClass,
  type StorageProfile,
} from '@podvisor/api';
import { deepEqual, rfc3339 } from '@podvisor/base';

/** Every node reaches local volumes: a VM on one can move while it runs. */
const LOCAL: readonly ClaimPropertySet[] = [
  { accessModes: ['ReadWriteMany'], volumeMode: 'Filesystem' },
  { accessModes: ['ReadWriteMany'], volumeMode: 'Block' },
  { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem' },
  { accessModes: ['ReadWriteOnce'], volumeMode: 'Block' },
];

/** What the administrator set comes first. */
export function propertiesOf(
  storageClass: StorageClass | undefined,
  profile: StorageProfile | undefined,
): readonly ClaimPropertySet[] {
  return profile?.spec?.claimPropertySets ?? (storageClass?.provisioner === LOCAL_PROVISIONER ? LOCAL : []);
}

export interface ProfileObservation {
  readonly name: string;
  readonly storageClass: StorageClass;
  readonly profile: StorageProfile | undefined;
}

export interface ProfilePlan {
  readonly isNew: boolean;
  /** Undefined: it says so already. */
  readonly status: StorageProfile['status'];
}

export function planProfile({ storageClass, profile }: ProfileObservation): ProfilePlan {
  const status = profileStatus(storageClass, profile);
  if (profile === undefined) return { isNew: true, status };
  return { isNew: false, status: deepEqual(profile.status, status) ? undefined : status };
}

/** The profile of a class, as it shall be stored. */
function profileStatus(
  storageClass: StorageClass,
  profile: StorageProfile | undefined,
): NonNullable<StorageProfile['status']> {
  const isLocal = storageClass.provisioner === LOCAL_PROVISIONER;
  const { snapshotClass } = profile?.spec ?? {};
  return {
    storageClass: storageClass.metadata?.name,
    provisioner: storageClass.provisioner,
    claimPropertySets: propertiesOf(storageClass, profile),
    ...(isLocal
      ? { cloneStrategy: 'csi-clone', snapshotClass: 'local', dataImportCronSourceFormat: 'pvc' }
      : {}),
    ...(snapshotClass === undefined ? {} : { snapshotClass }),
  };
}

/** Status of a DataSource: ready when what it names is there. Undefined when nothing changed. */
export function dataSourceStatus(
  dataSource: DataSource,
  isThere: (kind: 'pvc' | 'snapshot' | 'dataSource', namespace: string, name: string) => boolean,
  nowMs: number,
): DataSource['status'] | undefined {
  const { source } = dataSource.spec;
  const kind = (['pvc', 'snapshot', 'dataSource'] as const).find((key) => source[key] !== undefined);
  const target = kind === undefined ? undefined : source[kind];
  const namespace = target?.namespace || (dataSource.metadata.namespace ?? '');
  const ready = kind !== undefined && target !== undefined && isThere(kind, namespace, target.name);
  const draft = ready
    ? {
        type: 'Ready',
        status: 'True' as const,
        reason: 'Ready',
        message: 'DataSource is ready to be consumed',
      }
    : target === undefined
      ? { type: 'Ready', status: 'False' as const, reason: 'NoSource', message: 'No source is set' }
      : {
          type: 'Ready',
          status: 'False' as const,
          reason: 'NotFound',
          message: `${kind} ${namespace}/${target.name} does not exist or is not ready`,
        };
  const old = dataSource.status?.conditions?.find(({ type }) => type === 'Ready');
  const { type, status, reason, message } = old ?? {};
  if (deepEqual({ type, status, reason, message }, draft)) return undefined;
  const now = rfc3339(nowMs);
  return { source, conditions: [{ ...draft, lastTransitionTime: now, lastHeartbeatTime: now }] };
}
