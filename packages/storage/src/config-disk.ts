/** Volumes that show Kubernetes data (ConfigMap, Secret, …) to the guest as a read-only disk. */
import type { Volume } from '@podvisor/api';
import type { ConfigDiskKind } from '@podvisor/api';

export interface ConfigDisk {
  readonly kind: ConfigDiskKind;
  readonly label: string;
}

/** The config disk that this volume asks for, if it is one. */
export function configDiskOf(volume: Volume): ConfigDisk | undefined {
  if (volume.configMap !== undefined)
    return { kind: 'configMap', label: volume.configMap.volumeLabel ?? 'cfgdata' };
  if (volume.secret !== undefined) return { kind: 'secret', label: volume.secret.volumeLabel ?? 'cfgdata' };
  if (volume.downwardAPI !== undefined)
    return { kind: 'downwardAPI', label: volume.downwardAPI.volumeLabel ?? 'cfgdata' };
  if (volume.serviceAccount !== undefined) return { kind: 'serviceAccount', label: 'cfgdata' };
  // Windows Setup looks for its answer file on any disk; the label is a courtesy to people.
  if (volume.sysprep !== undefined) return { kind: 'sysprep', label: 'unattendCD' };
  return undefined;
}
