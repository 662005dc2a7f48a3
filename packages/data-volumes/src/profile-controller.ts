/** Keeps StorageProfiles beside storage classes, and the status of DataSources. */
import { deepEqual, isStatus } from '@podvisor/base';
import { keyOf, onChange, resources, type TableController, type Wake } from '@podvisor/kube';
import type { DataVolumesContext } from './context.ts';
import { dataSourceStatus, profileStatus } from './storage-profiles.ts';

/** The rows of StorageProfiles and of DataSources. */
export function profileControllers(options: DataVolumesContext): readonly TableController[] {
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

function wakeProfiles({ classes, profiles }: DataVolumesContext, wake: Wake): void {
  onChange(classes, ({ metadata }) => [metadata?.name ?? ''], ['add', 'update'])(wake);
  onChange(profiles, ({ metadata }) => [metadata?.name ?? ''])(wake);
}

function wakeSources({ claims, dataSources, snapshots }: DataVolumesContext, wake: Wake): void {
  const all = (): readonly string[] => dataSources.list().map(keyOf);
  onChange(dataSources, all, ['add', 'delete'])(wake);
  onChange(dataSources, (source) => [keyOf(source)], ['update'])(wake);
  onChange(snapshots, all)(wake);
  onChange(claims, all, ['add', 'delete'])(wake);
  claims.on({
    update: (claim, old) => {
      if (old.status?.phase !== claim.status?.phase) all().forEach((key) => wake(key));
    },
  });
}

async function keepProfile(
  name: string,
  { client, classes, profiles }: DataVolumesContext,
  signal: AbortSignal,
): Promise<void> {
  const storageClass = classes.list().find(({ metadata }) => metadata?.name === name);
  if (storageClass === undefined) return;
  const profile = profiles.get(name);
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
  { client, claims, dataSources, snapshots, clock }: DataVolumesContext,
  signal: AbortSignal,
): Promise<void> {
  const source = dataSources.get(key);
  if (source === undefined) return;
  const status = dataSourceStatus(
    source,
    (kind, namespace, name) => {
      const where = `${namespace}/${name}`;
      if (kind === 'pvc') return claims.get(where)?.status?.phase === 'Bound';
      if (kind === 'snapshot') return snapshots.get(where)?.status?.readyToUse === true;
      return dataSources.get(where) !== undefined;
    },
    clock.now(),
  );
  if (status === undefined) return;
  const { namespace, name = '' } = source.metadata;
  const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
  await client.patch(resources.dataSources, { namespace, name }, patch, signal);
}
