import type { TypedLocalObjectReference } from './kubernetes.ts';
import type { KubernetesObject, Time } from './meta.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachineExport extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineExport';
  /** - */
  readonly spec: VirtualMachineExportSpec;
  /** - */
  readonly status?: VirtualMachineExportStatus;
}

/** - */
export interface VirtualMachineExportSpec {
  /** - */
  readonly source: TypedLocalObjectReference;
  /** - */
  readonly tokenSecretRef?: string;
  /** - */
  readonly ttlDuration?: string;
}

/** - */
export interface VirtualMachineExportStatus {
  /**
   * -
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /** - */
  readonly links?: VirtualMachineExportLinks;
  /** - */
  readonly phase?: string;
  /** - */
  readonly serviceName?: string;
  /** - */
  readonly tokenSecretRef?: string;
  /** - */
  readonly ttlExpirationTime?: Time;
  /** - */
  readonly virtualMachineName?: string;
}

/** - */
export interface VirtualMachineExportLinks {
  /** - */
  readonly external?: VirtualMachineExportLink;
  /** - */
  readonly internal?: VirtualMachineExportLink;
}

/** - */
export interface VirtualMachineExportLink {
  /**
   * -
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly backups?: readonly VirtualMachineExportBackup[];
  /** - */
  readonly cert: string;
  /**
   * -
   * @listMapKeys ["type"]
   * @listType map
   */
  readonly manifests?: readonly VirtualMachineExportManifest[];
  /**
   * -
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly volumes?: readonly VirtualMachineExportVolume[];
}

/** - */
export interface VirtualMachineExportBackup {
  /**
   * -
   * @listMapKeys ["endpoint"]
   * @listType map
   */
  readonly endpoints?: readonly VirtualMachineExportBackupEndpoint[];
  /** - */
  readonly name: string;
}

/** - */
export interface VirtualMachineExportBackupEndpoint {
  /** - */
  readonly endpoint: string;
  /** - */
  readonly url: string;
}

/** - */
export interface VirtualMachineExportManifest {
  /** - */
  readonly type: string;
  /** - */
  readonly url: string;
}

/** - */
export interface VirtualMachineExportVolume {
  /**
   * -
   * @listMapKeys ["format"]
   * @listType map
   */
  readonly formats?: readonly VirtualMachineExportVolumeFormat[];
  /** - */
  readonly name: string;
}

/** - */
export interface VirtualMachineExportVolumeFormat {
  /** - */
  readonly format: string;
  /** - */
  readonly url: string;
}
