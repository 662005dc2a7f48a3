/** Runs the controllers of DataVolumes on caches of their own, against any API server. */
import type { KubernetesObject } from '@podvisor/api';
import {
  controllerTable,
  defineResource,
  Informer,
  type Log,
  type Resource,
  resources,
  SharedInformers,
} from '@podvisor/kube';
import { isStatus } from '@podvisor/base';
import type { DataVolumesContext } from './context.ts';
import { dataVolumeControllers } from './controllers.ts';

export type RunOptions = Pick<DataVolumesContext, 'client' | 'worker' | 'clock' | 'log'>;

const configs = defineResource<KubernetesObject>(
  'CDIConfig',
  'cdiconfigs',
  'cdi.kubevirt.io/v1beta1',
  'Cluster',
);

/** Resolves when the signal has ended it. */
export async function runDataVolumes(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, log } = options;
  const shared = new SharedInformers({ client, clock, log });
  const caches = {
    claims: shared.of(resources.persistentVolumeClaims),
    classes: shared.of(resources.storageClasses),
    pods: shared.of(resources.pods),
    dataVolumes: shared.of(resources.dataVolumes),
    dataSources: shared.of(resources.dataSources),
    profiles: shared.of(resources.storageProfiles),
  };
  const snapshots = optional(resources.volumeSnapshots, options);
  const rows = dataVolumeControllers({ ...options, ...caches, snapshots });
  shared.start(signal);
  snapshots.start(signal);
  await ensureConfig(options, signal);
  await shared.synced();
  log.info({ worker: options.worker.image }, 'DataVolumes are filled');
  await controllerTable(rows, { clock, log })(signal);
}

/** The one CDIConfig, which clients read for how much of a claim its file system takes. */
async function ensureConfig({ client }: RunOptions, signal: AbortSignal): Promise<void> {
  const config = { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDIConfig', metadata: { name: 'config' } };
  await client.create(configs, { ...config, ...{ spec: {} } }, {}, signal).catch((error: unknown) => {
    if (!isStatus(error, 'AlreadyExists')) throw error;
  });
}

/** A cache of a kind that the cluster may not have: it stays empty then, and says nothing. */
function optional<T extends KubernetesObject>(
  resource: Resource<T>,
  { client, clock, log }: RunOptions,
): Informer<T> {
  const quiet: Log = { info: log.info.bind(log), error: log.error.bind(log), warn: () => undefined };
  return new Informer<T>({ client, resource, clock, log: quiet });
}
