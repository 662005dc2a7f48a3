/** DataVolumes in the control plane's process: as their own user, on the caches that it has anyway (decision 016). */
import { type DataVolumesContext, dataVolumeControllers } from '@podvisor/data-volumes';
import { Informer, type KubeClient, resources, type TableController } from '@podvisor/kube';
import { EMBEDDED_LAUNCHER_IMAGE } from '@podvisor/sys';
import type { SharedCaches } from '@podvisor/workload-controllers';

/** Programs of workers are in the same tree as those of launchers. */
const WORKER = { image: EMBEDDED_LAUNCHER_IMAGE, pullPolicy: 'IfNotPresent' } as const;

/** `client` shows who writes. */
export function embeddedDataVolumes(
  client: KubeClient,
  signal: AbortSignal,
): (shared: SharedCaches) => readonly TableController[] {
  return ({ claims, classes, pods, storage, clock, log }) => {
    const { dataVolumes, dataSources, snapshots } = storage;
    const profiles: DataVolumesContext['profiles'] = new Informer({
      client,
      resource: resources.storageProfiles,
      clock,
      log,
    });
    profiles.start(signal);
    return dataVolumeControllers({
      ...{ client, claims, classes, pods, dataVolumes, dataSources, profiles, snapshots },
      ...{ worker: WORKER, clock, log },
    });
  };
}
