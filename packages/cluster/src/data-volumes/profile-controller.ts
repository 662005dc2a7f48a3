/** Keeps StorageProfiles beside storage classes, and the status of DataSources. */
import type { PersistentVolumeClaim, StorageClass } from '@podvisor/api';
import { type Clock, deepEqual, isStatus } from '@podvisor/base';
import {
  type Informer,
  type KubeClient,
  keyOf,
  type Log,
  resources,
  onChange,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { StorageObjects } from '@podvisor/workload-controllers';
import { dataSourceStatus, profileStatus } from './storage-profiles.ts';

export interface ProfileControllerOptions {
  readonly client: KubeClient;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly classes: Informer<StorageClass>;
  readonly storage: StorageObjects;
  readonly clock: Clock;
  readonly log: Log;
}

/** The rows of StorageProfiles and of DataSources. */
export function profileControllers(options: ProfileControllerOptions): readonly TableController[] {
  return [
    {
      name: 'storage-profile',
      workers: 1,
      connect: (wake) => wakeProfiles(options, wake),
      reconcile: (name, end) => keepProfile(name, options, end),
    },
    {
      name: 'data-source',
      workers: 1,
      connect: (wake) => wakeSources(options, wake),
      reconcile: (key, end) => tellSource(key, options, end),
    },
  ];
}

function wakeProfiles({ classes, storage }: ProfileControllerOptions, wake: Wake): void {
  onChange(classes, ({ metadata }) => [metadata?.name ?? ''], ['add', 'update'])(wake);
  onChange(storage.profiles, ({ metadata }) => [metadata?.name ?? ''])(wake);
}

function wakeSources({ claims, storage }: ProfileControllerOptions, wake: Wake): void {
  const all = (): readonly string[] => storage.dataSources.list().map(keyOf);
  onChange(storage.dataSources, all, ['add', 'delete'])(wake);
  onChange(storage.dataSources, (source) => [keyOf(source)], ['update'])(wake);
  onChange(storage.snapshots, all)(wake);
  onChange(claims, all, ['add', 'delete'])(wake);
  claims.on({
    update: (claim, old) => {
      if (old.status?.phase !== claim.status?.phase) all().forEach((key) => wake(key));
    },
  });
}

async function keepProfile(
  name: string,
  { client, classes, storage }: ProfileControllerOptions,
  signal: AbortSignal,
): Promise<void> {
  const storageClass = classes.list().find(({ metadata }) => metadata?.name === name);
  if (storageClass === undefined) return;
  const profile = storage.profiles.get(name);
  const status = profileStatus(storageClass, profile);
  if (profile === undefined) {
    const body = {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'StorageProfile',
      metadata: { name, labels: { app: 'containerized-data-importer' } },
      spec: {},
    };
    await client.create(resources.storageProfiles, body, {}, signal).catch((error: unknown) => {
      if (!isStatus(error, 'AlreadyExists')) throw error;
    });
  } else if (deepEqual(profile.status, status)) return;
  const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
  await client.patch(resources.storageProfiles, { name }, patch, signal);
}

async function tellSource(
  key: string,
  { client, claims, storage, clock }: ProfileControllerOptions,
  signal: AbortSignal,
): Promise<void> {
  const source = storage.dataSources.get(key);
  if (source === undefined) return;
  const status = dataSourceStatus(
    source,
    (kind, namespace, name) => {
      const where = `${namespace}/${name}`;
      if (kind === 'pvc') return claims.get(where)?.status?.phase === 'Bound';
      if (kind === 'snapshot') return storage.snapshots.get(where)?.status?.readyToUse === true;
      return storage.dataSources.get(where) !== undefined;
    },
    clock.now(),
  );
  if (status === undefined) return;
  const { namespace, name = '' } = source.metadata;
  const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
  await client.patch(resources.dataSources, { namespace, name }, patch, signal);
}
