/** Keeps StorageProfiles beside storage classes, and the status of DataSources. */
import type { DataSource, KubernetesObject } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { controller, keyOf, onChange, resources, type TableController, type Wake } from '@podvisor/kube';
import type { DataVolumesContext } from './context.ts';
import {
  dataSourceStatus,
  planProfile,
  type ProfileObservation,
  type ProfilePlan,
} from './storage-profiles.ts';
import { BY_CLAIM, BY_SNAPSHOT, BY_SOURCE } from './waiting.ts';

/** The rows of StorageProfiles and of DataSources. */
export function profileControllers(options: DataVolumesContext): readonly TableController[] {
  return [
    controller({
      name: 'storage-profile',
      workers: 1,
      wakes: [(wake) => wakeProfiles(options, wake)],
      steps: {
        observe: (name) => observeProfile(name, options),
        plan: planProfile,
        apply: (plan, { name }, signal) => applyProfile(name, plan, options, signal),
      },
    }),
    controller({
      name: 'data-source',
      workers: 1,
      wakes: [(wake) => wakeSources(options, wake)],
      steps: {
        observe: (key) => observeSource(key, options),
        plan: ({ source, isReady, now }) => dataSourceStatus(source, isReady, now),
        apply: (status, { source }, signal) => tellSource(source, status, options, signal),
      },
    }),
  ];
}

function wakeProfiles({ classes, profiles }: DataVolumesContext, wake: Wake): void {
  onChange(classes, ({ metadata }) => [metadata?.name ?? ''], ['add', 'update'])(wake);
  onChange(profiles, ({ metadata }) => [metadata?.name ?? ''])(wake);
}

function wakeSources({ claims, dataSources, snapshots }: DataVolumesContext, wake: Wake): void {
  const naming =
    (index: string) =>
    (object: KubernetesObject): readonly string[] =>
      dataSources.byIndex(index, keyOf(object)).map(keyOf);
  onChange(dataSources, (source) => [keyOf(source)])(wake);
  onChange(dataSources, naming(BY_SOURCE), ['add', 'delete'])(wake);
  onChange(snapshots, naming(BY_SNAPSHOT))(wake);
  onChange(claims, naming(BY_CLAIM), ['add', 'delete'])(wake);
  claims.on({
    update: (claim, old) => {
      if (old.status?.phase !== claim.status?.phase) naming(BY_CLAIM)(claim).forEach((key) => wake(key));
    },
  });
}

function observeProfile(
  name: string,
  { classes, profiles }: DataVolumesContext,
): ProfileObservation | undefined {
  const storageClass = classes.get(name);
  return storageClass === undefined ? undefined : { name, storageClass, profile: profiles.get(name) };
}

async function applyProfile(
  name: string,
  { isNew, status }: ProfilePlan,
  { client }: DataVolumesContext,
  signal: AbortSignal,
): Promise<undefined> {
  if (isNew) {
    const body = {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'StorageProfile',
      metadata: { name, labels: { app: 'containerized-data-importer' } },
      spec: {},
    };
    await client.create(resources.storageProfiles, body, {}, signal).catch((error: unknown) => {
      if (!isStatus(error, 'AlreadyExists')) throw error;
    });
  }
  if (status === undefined) return;
  const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
  await client.patch(resources.storageProfiles, { name }, patch, signal);
}

interface SourceObservation {
  readonly source: DataSource;
  readonly isReady: Parameters<typeof dataSourceStatus>[1];
  readonly now: number;
}

function observeSource(
  key: string,
  { claims, dataSources, snapshots, clock }: DataVolumesContext,
): SourceObservation | undefined {
  const source = dataSources.get(key);
  if (source === undefined) return undefined;
  const isReady: SourceObservation['isReady'] = (kind, namespace, name) => {
    const where = `${namespace}/${name}`;
    if (kind === 'pvc') return claims.get(where)?.status?.phase === 'Bound';
    if (kind === 'snapshot') return snapshots.get(where)?.status?.readyToUse === true;
    return dataSources.get(where) !== undefined;
  };
  return { source, isReady, now: clock.now() };
}

/** `status` undefined: it says so already. */
async function tellSource(
  { metadata: { namespace, name = '' } }: DataSource,
  status: DataSource['status'],
  { client }: DataVolumesContext,
  signal: AbortSignal,
): Promise<undefined> {
  if (status === undefined) return;
  const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
  await client.patch(resources.dataSources, { namespace, name }, patch, signal);
}
