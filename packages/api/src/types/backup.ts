import type { StandardCondition, TypedLocalObjectReference } from './kubernetes.ts';
import type { KubernetesObject, Time } from './meta.ts';

/** - */
export interface VirtualMachineBackup extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineBackup';
  /**
   * -
   * @validations [{"message":"spec is immutable after creation","rule":"self == oldSelf"},{"message":"pvcName is required","rule":"has(self.pvcName) && self.pvcName != \"\""},{"message":"tokenSecretRef is required when mode is Pull","rule":"!has(self.mode) || self.mode != 'Pull' || (has(self.tokenSecretRef) && self.tokenSecretRef != \"\")"}]
   */
  readonly spec: VirtualMachineBackupSpec;
  /** - */
  readonly status?: VirtualMachineBackupStatus;
}

/** - */
export interface VirtualMachineBackupSpec {
  /** - */
  readonly forceFullBackup?: boolean;
  /** - */
  readonly mode?: 'Push' | 'Pull';
  /** - */
  readonly pvcName?: string;
  /** - */
  readonly skipQuiesce?: boolean;
  /**
   * -
   * @validations [{"message":"apiGroup is required","rule":"has(self.apiGroup)"},{"message":"apiGroup must be kubevirt.io or backup.kubevirt.io","rule":"!has(self.apiGroup) || self.apiGroup == 'kubevirt.io' || self.apiGroup == 'backup.kubevirt.io'"},{"message":"kind must be VirtualMachine for kubevirt.io or VirtualMachineBackupTracker for backup.kubevirt.io","rule":"!has(self.apiGroup) || (self.apiGroup == 'kubevirt.io' && self.kind == 'VirtualMachine') || (self.apiGroup == 'backup.kubevirt.io' && self.kind == 'VirtualMachineBackupTracker')"},{"message":"name is required","rule":"self.name != ''"}]
   */
  readonly source: TypedLocalObjectReference;
  /** - */
  readonly tokenSecretRef?: string;
  /** - */
  readonly ttlDuration?: string;
}

/** - */
export interface VirtualMachineBackupStatus {
  /** - */
  readonly checkpointName?: string;
  /**
   * -
   * @listMapKeys ["type"]
   * @listType map
   */
  readonly conditions?: readonly StandardCondition[];
  /** - */
  readonly endpointCert?: string;
  /** - */
  readonly exportUID?: string;
  /**
   * -
   * @listType atomic
   */
  readonly includedVolumes?: readonly BackupIncludedVolume[];
  /** - */
  readonly type?: string;
}

/** - */
export interface BackupIncludedVolume {
  /** - */
  readonly dataEndpoint?: string;
  /** - */
  readonly mapEndpoint?: string;
  /** - */
  readonly volumeName: string;
}

/** - */
export interface VirtualMachineBackupTracker extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineBackupTracker';
  /**
   * -
   * @validations [{"message":"spec is immutable after creation","rule":"self == oldSelf"}]
   */
  readonly spec: VirtualMachineBackupTrackerSpec;
  /** - */
  readonly status?: VirtualMachineBackupTrackerStatus;
}

/** - */
export interface VirtualMachineBackupTrackerSpec {
  /**
   * -
   * @validations [{"message":"apiGroup must be kubevirt.io","rule":"has(self.apiGroup) && self.apiGroup == 'kubevirt.io'"},{"message":"kind must be VirtualMachine","rule":"self.kind == 'VirtualMachine'"},{"message":"name is required","rule":"self.name != ''"}]
   */
  readonly source: TypedLocalObjectReference;
}

/** - */
export interface VirtualMachineBackupTrackerStatus {
  /** - */
  readonly checkpointRedefinitionRequired?: boolean;
  /** - */
  readonly latestCheckpoint?: BackupCheckpoint;
}

/** - */
export interface BackupCheckpoint {
  /** - */
  readonly creationTime?: Time;
  /** - */
  readonly name?: string;
  /**
   * -
   * @listType atomic
   */
  readonly volumes?: readonly BackupIncludedVolume[];
}
