import type { StandardCondition, TypedLocalObjectReference } from '../kubernetes/kubernetes.ts';
import type { KubernetesObject, Time } from '../kubernetes/meta.ts';

/** A backup of a virtual machine's disks. */
export interface VirtualMachineBackup extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineBackup';
  /**
   * What is backed up, and to where.
   * @validations [{"message":"spec is immutable after creation","rule":"self == oldSelf"},{"message":"pvcName is required","rule":"has(self.pvcName) && self.pvcName != \"\""},{"message":"tokenSecretRef is required when mode is Pull","rule":"!has(self.mode) || self.mode != 'Pull' || (has(self.tokenSecretRef) && self.tokenSecretRef != \"\")"}]
   */
  readonly spec: VirtualMachineBackupSpec;
  /** How far the backup is. */
  readonly status?: VirtualMachineBackupStatus;
}

/** What is backed up, and to where. */
export interface VirtualMachineBackupSpec {
  /** Copies everything, also when a checkpoint exists. */
  readonly forceFullBackup?: boolean;
  /** Push writes into a claim, Pull lets a client read. */
  readonly mode?: 'Push' | 'Pull';
  /** Claim that receives the backup, or scratch space for Pull. */
  readonly pvcName?: string;
  /** Does not freeze the guest's filesystems. */
  readonly skipQuiesce?: boolean;
  /**
   * The VirtualMachine, or the VirtualMachineBackupTracker for incremental backups.
   * @validations [{"message":"apiGroup is required","rule":"has(self.apiGroup)"},{"message":"apiGroup must be kubevirt.io or backup.kubevirt.io","rule":"!has(self.apiGroup) || self.apiGroup == 'kubevirt.io' || self.apiGroup == 'backup.kubevirt.io'"},{"message":"kind must be VirtualMachine for kubevirt.io or VirtualMachineBackupTracker for backup.kubevirt.io","rule":"!has(self.apiGroup) || (self.apiGroup == 'kubevirt.io' && self.kind == 'VirtualMachine') || (self.apiGroup == 'backup.kubevirt.io' && self.kind == 'VirtualMachineBackupTracker')"},{"message":"name is required","rule":"self.name != ''"}]
   */
  readonly source: TypedLocalObjectReference;
  /** Secret with the token that readers need, for Pull. */
  readonly tokenSecretRef?: string;
  /** How long a Pull backup can be read. */
  readonly ttlDuration?: string;
}

/** How far a backup is. */
export interface VirtualMachineBackupStatus {
  /** Checkpoint that the backup made. */
  readonly checkpointName?: string;
  /**
   * Progressing, Complete, Failed and Quiesced.
   * @listMapKeys ["type"]
   * @listType map
   */
  readonly conditions?: readonly StandardCondition[];
  /** Certificate of the server, for Pull. */
  readonly endpointCert?: string;
  /** UID of the export that serves the backup, for Pull. */
  readonly exportUID?: string;
  /**
   * Volumes in the backup.
   * @listType atomic
   */
  readonly includedVolumes?: readonly BackupIncludedVolume[];
  /** Full or Incremental. */
  readonly type?: string;
}

/** A volume in a backup. */
export interface BackupIncludedVolume {
  /** Address of its data, for Pull. */
  readonly dataEndpoint?: string;
  /** Address of its map of changes, for Pull. */
  readonly mapEndpoint?: string;
  /** Its name. */
  readonly volumeName: string;
}

/** Remembers the last checkpoint of a machine, for incremental backups. */
export interface VirtualMachineBackupTracker extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineBackupTracker';
  /**
   * The machine.
   * @validations [{"message":"spec is immutable after creation","rule":"self == oldSelf"}]
   */
  readonly spec: VirtualMachineBackupTrackerSpec;
  /** The last checkpoint. */
  readonly status?: VirtualMachineBackupTrackerStatus;
}

/** The machine whose checkpoints are remembered. */
export interface VirtualMachineBackupTrackerSpec {
  /**
   * The virtual machine.
   * @validations [{"message":"apiGroup must be kubevirt.io","rule":"has(self.apiGroup) && self.apiGroup == 'kubevirt.io'"},{"message":"kind must be VirtualMachine","rule":"self.kind == 'VirtualMachine'"},{"message":"name is required","rule":"self.name != ''"}]
   */
  readonly source: TypedLocalObjectReference;
}

/** The last checkpoint. */
export interface VirtualMachineBackupTrackerStatus {
  /** True after a restart, until the checkpoint is known to QEMU again. */
  readonly checkpointRedefinitionRequired?: boolean;
  /** The last checkpoint. */
  readonly latestCheckpoint?: BackupCheckpoint;
}

/** A point in time from which changes are known. */
export interface BackupCheckpoint {
  /** When it was made. */
  readonly creationTime?: Time;
  /** Its name. */
  readonly name?: string;
  /**
   * Volumes that it covers.
   * @listType atomic
   */
  readonly volumes?: readonly BackupIncludedVolume[];
}
