/** Keeps StorageProfiles beside storage classes, and the status of DataSources. */
import type { PersistentVolumeClaim, StorageClass } from '@podvisor/api';
import { type Clock, deepEqual, isStatus } from '@podvisor/base';
import {
  type Informer,
  type KubeClient,
  keyOf,
  type Log,
  resources,
  runController,
  WorkQueue,
} from '@podvisor/kube';
import type { StorageObjects } from '../controllers/storage-objects.ts';
import { dataSourceStatus, profileStatus } from './storage-profiles.ts';

export interface ProfileControllerOptions {
  readonly client: KubeClient;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly classes: Informer<StorageClass>;
  readonly storage: StorageObjects;
  readonly clock: Clock;
  readonly log: Log;
}

export function runProfileController(
  options: ProfileControllerOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const { claims, classes, storage, clock, log } = options;
  const profiles = new WorkQueue({ clock });
  const sources = new WorkQueue({ clock });
  const addProfile = (object: StorageClass | { metadata?: StorageClass['metadata'] }): void =>
    profiles.add(object.metadata?.name ?? '');
  const allSources = (): void => storage.dataSources.list().forEach((source) => sources.add(keyOf(source)));
  const claimChanged = (claim: PersistentVolumeClaim, old?: PersistentVolumeClaim): void => {
    if (old === undefined || old.status?.phase !== claim.status?.phase) allSources();
  };
  classes.on({ add: addProfile, update: addProfile });
  storage.profiles.on({ add: addProfile, update: addProfile, delete: addProfile });
  storage.dataSources.on({
    add: allSources,
    update: (source) => sources.add(keyOf(source)),
    delete: allSources,
  });
  storage.snapshots.on({ add: allSources, update: allSources, delete: allSources });
  claims.on({
    add: (claim) => claimChanged(claim),
    update: claimChanged,
    delete: (claim) => claimChanged(claim),
  });
  return Promise.all([
    runController(
      {
        name: 'storage-profile',
        queue: profiles,
        workers: 1,
        log,
        reconcile: (name, end) => keepProfile(name, options, end),
      },
      signal,
    ),
    runController(
      {
        name: 'data-source',
        queue: sources,
        workers: 1,
        log,
        reconcile: (key, end) => tellSource(key, options, end),
      },
      signal,
    ),
  ]);
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
