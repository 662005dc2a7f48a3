import type { KubernetesObject, Time } from './meta.ts';
import type { DataSource } from './vm.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface VirtualMachineExport extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineExport';
  /**
   * -
   */
  readonly spec: VirtualMachineExportSpec;
  /**
   * -
   */
  readonly status?: VirtualMachineExportStatus;
}

/** - */
export interface VirtualMachineExportSpec {
  /**
   * -
   * @mapType atomic
   */
  readonly source: DataSource;
  /**
   * -
   */
  readonly tokenSecretRef?: string;
  /**
   * -
   */
  readonly ttlDuration?: string;
}

/** - */
export interface VirtualMachineExportStatus {
  /**
   * -
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /**
   * -
   */
  readonly links?: Links;
  /**
   * -
   */
  readonly phase?: string;
  /**
   * -
   */
  readonly serviceName?: string;
  /**
   * -
   */
  readonly tokenSecretRef?: string;
  /**
   * -
   */
  readonly ttlExpirationTime?: Time;
  /**
   * -
   */
  readonly virtualMachineName?: string;
}

/** - */
export interface Links {
  /**
   * -
   */
  readonly external?: External;
  /**
   * -
   */
  readonly internal?: External;
}

/** - */
export interface External {
  /**
   * -
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly backups?: readonly Backups[];
  /**
   * -
   */
  readonly cert: string;
  /**
   * -
   * @listMapKeys ["type"]
   * @listType map
   */
  readonly manifests?: readonly Manifests[];
  /**
   * -
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly volumes?: readonly ExportVolume[];
}

/** - */
export interface Backups {
  /**
   * -
   * @listMapKeys ["endpoint"]
   * @listType map
   */
  readonly endpoints?: readonly Endpoints[];
  /**
   * -
   */
  readonly name: string;
}

/** - */
export interface Endpoints {
  /**
   * -
   */
  readonly endpoint: string;
  /**
   * -
   */
  readonly url: string;
}

/** - */
export interface Manifests {
  /**
   * -
   */
  readonly type: string;
  /**
   * -
   */
  readonly url: string;
}

/** - */
export interface ExportVolume {
  /**
   * -
   * @listMapKeys ["format"]
   * @listType map
   */
  readonly formats?: readonly Formats[];
  /**
   * -
   */
  readonly name: string;
}

/** - */
export interface Formats {
  /**
   * -
   */
  readonly format: string;
  /**
   * -
   */
  readonly url: string;
}
