import type { Int64, KubernetesObject, Time } from './meta.ts';

/** - */
export interface VirtualMachineBackup extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'VirtualMachineBackup';
  /**
   * -
   * @validations [{"message":"spec is immutable after creation","rule":"self == oldSelf"},{"message":"pvcName is required","rule":"has(self.pvcName) && self.pvcName != \"\""},{"message":"tokenSecretRef is required when mode is Pull","rule":"!has(self.mode) || self.mode != 'Pull' || (has(self.tokenSecretRef) && self.tokenSecretRef != \"\")"}]
   */
  readonly spec: VirtualMachineBackupSpec;
  /**
   * -
   */
  readonly status?: VirtualMachineBackupStatus;
}

/** - */
export interface VirtualMachineBackupSpec {
  /**
   * -
   */
  readonly forceFullBackup?: boolean;
  /**
   * -
   */
  readonly mode?: 'Push' | 'Pull';
  /**
   * -
   */
  readonly pvcName?: string;
  /**
   * -
   */
  readonly skipQuiesce?: boolean;
  /**
   * -
   * @mapType atomic
   * @validations [{"message":"apiGroup is required","rule":"has(self.apiGroup)"},{"message":"apiGroup must be kubevirt.io or backup.kubevirt.io","rule":"!has(self.apiGroup) || self.apiGroup == 'kubevirt.io' || self.apiGroup == 'backup.kubevirt.io'"},{"message":"kind must be VirtualMachine for kubevirt.io or VirtualMachineBackupTracker for backup.kubevirt.io","rule":"!has(self.apiGroup) || (self.apiGroup == 'kubevirt.io' && self.kind == 'VirtualMachine') || (self.apiGroup == 'backup.kubevirt.io' && self.kind == 'VirtualMachineBackupTracker')"},{"message":"name is required","rule":"self.name != ''"}]
   */
  readonly source: VirtualMachineBackupSpecSource;
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
export interface VirtualMachineBackupSpecSource {
  /**
   * -
   */
  readonly apiGroup?: string;
  /**
   * -
   */
  readonly kind: string;
  /**
   * -
   */
  readonly name: string;
}

/** - */
export interface VirtualMachineBackupStatus {
  /**
   * -
   */
  readonly checkpointName?: string;
  /**
   * -
   * @listMapKeys ["type"]
   * @listType map
   */
  readonly conditions?: readonly Conditions[];
  /**
   * -
   */
  readonly endpointCert?: string;
  /**
   * -
   */
  readonly exportUID?: string;
  /**
   * -
   * @listType atomic
   */
  readonly includedVolumes?: readonly IncludedVolumes[];
  /**
   * -
   */
  readonly type?: string;
}

/** - */
export interface Conditions {
  /**
   * -
   */
  readonly lastTransitionTime: Time;
  /**
   * -
   * @maxLength 32768
   */
  readonly message: string;
  /**
   * -
   * @minimum 0
   */
  readonly observedGeneration?: Int64;
  /**
   * -
   * @maxLength 1024
   * @minLength 1
   * @pattern ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
   */
  readonly reason: string;
  /**
   * -
   */
  readonly status: 'True' | 'False' | 'Unknown';
  /**
   * -
   * @maxLength 316
   * @pattern ^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\u002f)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$
   */
  readonly type: string;
}

/** - */
export interface IncludedVolumes {
  /**
   * -
   */
  readonly dataEndpoint?: string;
  /**
   * -
   */
  readonly mapEndpoint?: string;
  /**
   * -
   */
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
  /**
   * -
   */
  readonly status?: VirtualMachineBackupTrackerStatus;
}

/** - */
export interface VirtualMachineBackupTrackerSpec {
  /**
   * -
   * @mapType atomic
   * @validations [{"message":"apiGroup must be kubevirt.io","rule":"has(self.apiGroup) && self.apiGroup == 'kubevirt.io'"},{"message":"kind must be VirtualMachine","rule":"self.kind == 'VirtualMachine'"},{"message":"name is required","rule":"self.name != ''"}]
   */
  readonly source: VirtualMachineBackupTrackerSpecSource;
}

/** - */
export interface VirtualMachineBackupTrackerSpecSource {
  /**
   * -
   */
  readonly apiGroup?: string;
  /**
   * -
   */
  readonly kind: string;
  /**
   * -
   */
  readonly name: string;
}

/** - */
export interface VirtualMachineBackupTrackerStatus {
  /**
   * -
   */
  readonly checkpointRedefinitionRequired?: boolean;
  /**
   * -
   */
  readonly latestCheckpoint?: LatestCheckpoint;
}

/** - */
export interface LatestCheckpoint {
  /**
   * -
   */
  readonly creationTime?: Time;
  /**
   * -
   */
  readonly name?: string;
  /**
   * -
   * @listType atomic
   */
  readonly volumes?: readonly IncludedVolumes[];
}
