import type { Affinity, LocalObjectReference, Toleration } from './kubernetes.ts';
import type { KubeVirtConfiguration } from './kubevirt-configuration.ts';
import type { Int, Int64, KubernetesObject } from './meta.ts';
import type { VMICondition } from './vmi-status.ts';

/** - */
export interface KubeVirt extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'KubeVirt';
  /** - */
  readonly spec: KubeVirtSpec;
  /** - */
  readonly status?: KubeVirtStatus;
}

/** - */
export interface KubeVirtSpec {
  /** - */
  readonly certificateRotateStrategy?: KubeVirtCertificateRotateStrategy;
  /** - */
  readonly configuration?: KubeVirtConfiguration;
  /** - */
  readonly customizeComponents?: CustomizeComponents;
  /** - */
  readonly imagePullPolicy?: string;
  /**
   * -
   * @listType atomic
   */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /** - */
  readonly imageRegistry?: string;
  /** - */
  readonly imageTag?: string;
  /** - */
  readonly infra?: ComponentConfig;
  /** - */
  readonly monitorAccount?: string;
  /** - */
  readonly monitorNamespace?: string;
  /** - */
  readonly productComponent?: string;
  /** - */
  readonly productName?: string;
  /** - */
  readonly productVersion?: string;
  /** - */
  readonly serviceMonitorNamespace?: string;
  /** - */
  readonly synchronizationPort?: string;
  /** - */
  readonly uninstallStrategy?: string;
  /** - */
  readonly workloadUpdateStrategy?: WorkloadUpdateStrategy;
  /** - */
  readonly workloads?: ComponentConfig;
}

/** - */
export interface KubeVirtCertificateRotateStrategy {
  /** - */
  readonly selfSigned?: KubeVirtSelfSignConfiguration;
}

/** - */
export interface KubeVirtSelfSignConfiguration {
  /** - */
  readonly ca?: CertConfig;
  /** - */
  readonly caOverlapInterval?: string;
  /** - */
  readonly caRotateInterval?: string;
  /** - */
  readonly certRotateInterval?: string;
  /** - */
  readonly server?: CertConfig;
}

/** - */
export interface CertConfig {
  /** - */
  readonly duration?: string;
  /** - */
  readonly renewBefore?: string;
}

/** - */
export interface CustomizeComponents {
  /** - */
  readonly flags?: ComponentFlags;
  /**
   * -
   * @listType atomic
   */
  readonly patches?: readonly CustomizeComponentsPatch[];
}

/** - */
export interface ComponentFlags {
  /** - */
  readonly api?: Readonly<Record<string, string>>;
  /** - */
  readonly controller?: Readonly<Record<string, string>>;
  /** - */
  readonly handler?: Readonly<Record<string, string>>;
}

/** - */
export interface CustomizeComponentsPatch {
  /** - */
  readonly patch: string;
  /**
   * -
   * @minLength 1
   */
  readonly resourceName: string;
  /**
   * -
   * @minLength 1
   */
  readonly resourceType: string;
  /** - */
  readonly type: string;
}

/** - */
export interface ComponentConfig {
  /** - */
  readonly nodePlacement?: NodePlacement;
  /** - */
  readonly replicas?: Int;
}

/** - */
export interface NodePlacement {
  /** - */
  readonly affinity?: Affinity;
  /** - */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** - */
  readonly tolerations?: readonly Toleration[];
}

/** - */
export interface WorkloadUpdateStrategy {
  /** - */
  readonly batchEvictionInterval?: string;
  /** - */
  readonly batchEvictionSize?: Int;
  /**
   * -
   * @listType atomic
   */
  readonly workloadUpdateMethods?: readonly string[];
}

/** - */
export interface KubeVirtStatus {
  /** - */
  readonly conditions?: readonly VMICondition[];
  /** - */
  readonly defaultArchitecture?: string;
  /**
   * -
   * @listType atomic
   */
  readonly generations?: readonly GenerationStatus[];
  /** - */
  readonly observedDeploymentConfig?: string;
  /** - */
  readonly observedDeploymentID?: string;
  /** - */
  readonly observedGeneration?: Int64;
  /** - */
  readonly observedKubeVirtRegistry?: string;
  /** - */
  readonly observedKubeVirtVersion?: string;
  /** - */
  readonly operatorVersion?: string;
  /** - */
  readonly outdatedVirtualMachineInstanceWorkloads?: Int;
  /** - */
  readonly phase?: string;
  /**
   * -
   * @listType atomic
   */
  readonly synchronizationAddresses?: readonly string[];
  /** - */
  readonly targetDeploymentConfig?: string;
  /** - */
  readonly targetDeploymentID?: string;
  /** - */
  readonly targetKubeVirtRegistry?: string;
  /** - */
  readonly targetKubeVirtVersion?: string;
}

/** - */
export interface GenerationStatus {
  /** - */
  readonly group: string;
  /** - */
  readonly hash?: string;
  /** - */
  readonly lastGeneration: Int64;
  /** - */
  readonly name: string;
  /** - */
  readonly namespace?: string;
  /** - */
  readonly resource: string;
}
