import type { TypedLocalObjectReference } from '../kubernetes/kubernetes.ts';
import type { KubernetesObject, Time } from '../kubernetes/meta.ts';
import type { VMICondition } from '../vmi/vmi-status.ts';

/** Offers a machine's volumes for download. */
export interface VirtualMachineExport extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineExport';
  /** What is offered, and for how long. */
  readonly spec: VirtualMachineExportSpec;
  /** Where it is found. */
  readonly status?: VirtualMachineExportStatus;
}

/** What is offered, and for how long. */
export interface VirtualMachineExportSpec {
  /**
   * A VirtualMachine, VirtualMachineSnapshot, VirtualMachineBackup, VirtualMachineTemplate or
   * PersistentVolumeClaim.
   */
  readonly source: TypedLocalObjectReference;
  /** Secret with the token that downloads need; one is made when unset. */
  readonly tokenSecretRef?: string;
  /** How long the export lives; 2h when unset. */
  readonly ttlDuration?: string;
}

/** Where an export is found. */
export interface VirtualMachineExportStatus {
  /**
   * Ready, PVCReady and other conditions.
   * @listType atomic
   */
  readonly conditions?: readonly VMICondition[];
  /** Addresses of what is offered. */
  readonly links?: VirtualMachineExportLinks;
  /** Pending, Ready, Terminated or Skipped. */
  readonly phase?: string;
  /** Service of the export. */
  readonly serviceName?: string;
  /** Secret with the token. */
  readonly tokenSecretRef?: string;
  /** When the export ends. */
  readonly ttlExpirationTime?: Time;
  /** Machine that the volumes belong to. */
  readonly virtualMachineName?: string;
}

/** Addresses of an export. */
export interface VirtualMachineExportLinks {
  /** From outside the cluster. */
  readonly external?: VirtualMachineExportLink;
  /** From inside the cluster. */
  readonly internal?: VirtualMachineExportLink;
}

/** Addresses of an export, from one side. */
export interface VirtualMachineExportLink {
  /**
   * Backups that can be read.
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly backups?: readonly VirtualMachineExportBackup[];
  /** Certificate of the server, PEM. */
  readonly cert: string;
  /**
   * Manifests that recreate the machine.
   * @listMapKeys ["type"]
   * @listType map
   */
  readonly manifests?: readonly VirtualMachineExportManifest[];
  /**
   * Volumes that can be downloaded.
   * @listMapKeys ["name"]
   * @listType map
   */
  readonly volumes?: readonly VirtualMachineExportVolume[];
}

/** A backup that can be read. */
export interface VirtualMachineExportBackup {
  /**
   * What can be read of it.
   * @listMapKeys ["endpoint"]
   * @listType map
   */
  readonly endpoints?: readonly VirtualMachineExportBackupEndpoint[];
  /** Its name. */
  readonly name: string;
}

/** A part of a backup that can be read. */
export interface VirtualMachineExportBackupEndpoint {
  /** What it is: data or map. */
  readonly endpoint: string;
  /** Its address. */
  readonly url: string;
}

/** A manifest that recreates the machine. */
export interface VirtualMachineExportManifest {
  /** all, auth-header-secret or oci. */
  readonly type: string;
  /** Its address. */
  readonly url: string;
}

/** A volume that can be downloaded. */
export interface VirtualMachineExportVolume {
  /**
   * Formats that it is offered in.
   * @listMapKeys ["format"]
   * @listType map
   */
  readonly formats?: readonly VirtualMachineExportVolumeFormat[];
  /** Its name. */
  readonly name: string;
}

/** A format of a volume. */
export interface VirtualMachineExportVolumeFormat {
  /** raw, gzip, dir or tar.gz. */
  readonly format: string;
  /** Its address. */
  readonly url: string;
}
