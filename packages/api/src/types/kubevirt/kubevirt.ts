import type { Affinity, LocalObjectReference, Toleration } from '../kubernetes/kubernetes.ts';
import type { KubeVirtConfiguration } from './kubevirt-configuration.ts';
import type { Int, Int64, KubernetesObject } from '../kubernetes/meta.ts';
import type { VMICondition } from '../vmi/vmi-status.ts';

/** The installation itself: what is installed, and how it behaves. */
export interface KubeVirt extends KubernetesObject {
  readonly apiVersion: string;
  readonly kind: 'KubeVirt';
  /** What should be installed, and how it should behave. */
  readonly spec: KubeVirtSpec;
  /** What is installed. */
  readonly status?: KubeVirtStatus;
}

/** What should be installed, and how it should behave. */
export interface KubeVirtSpec {
  /** How certificates are renewed. */
  readonly certificateRotateStrategy?: KubeVirtCertificateRotateStrategy;
  /** How the cluster's virtual machines behave. */
  readonly configuration?: KubeVirtConfiguration;
  /** Changes to the installed objects. */
  readonly customizeComponents?: CustomizeComponents;
  /** When images of components are pulled. */
  readonly imagePullPolicy?: string;
  /**
   * Secrets with the credentials of the registry.
   * @listType atomic
   */
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  /** Registry of the images. */
  readonly imageRegistry?: string;
  /** Version of the images. */
  readonly imageTag?: string;
  /** Where virt-api and virt-controller run, and how many. */
  readonly infra?: ComponentConfig;
  /** Service account of the monitoring system. */
  readonly monitorAccount?: string;
  /** Namespace of the monitoring system. */
  readonly monitorNamespace?: string;
  /** Label app.kubernetes.io/component of all objects. */
  readonly productComponent?: string;
  /** Label app.kubernetes.io/part-of of all objects. */
  readonly productName?: string;
  /** Label app.kubernetes.io/version of all objects. */
  readonly productVersion?: string;
  /** Namespace of the ServiceMonitor. */
  readonly serviceMonitorNamespace?: string;
  /** Port of the synchronization controller. */
  readonly synchronizationPort?: string;
  /** What deletion does while workloads exist: RemoveWorkloads or BlockUninstallIfWorkloadsExist. */
  readonly uninstallStrategy?: string;
  /** How running guests come to a new version. */
  readonly workloadUpdateStrategy?: WorkloadUpdateStrategy;
  /** Where virt-handler, and so the guests, run. */
  readonly workloads?: ComponentConfig;
}

/** How certificates are renewed. */
export interface KubeVirtCertificateRotateStrategy {
  /** Certificates that the installation signs itself. */
  readonly selfSigned?: KubeVirtSelfSignConfiguration;
}

/** Lifetimes of certificates that the installation signs itself. */
export interface KubeVirtSelfSignConfiguration {
  /** Lifetime of the authority. */
  readonly ca?: CertConfig;
  /** Old form of ca.renewBefore. */
  readonly caOverlapInterval?: string;
  /** Old form of ca.duration. */
  readonly caRotateInterval?: string;
  /** Old form of server.duration. */
  readonly certRotateInterval?: string;
  /** Lifetime of the certificates of components. */
  readonly server?: CertConfig;
}

/** Lifetime of a certificate. */
export interface CertConfig {
  /** How long it is valid. */
  readonly duration?: string;
  /** How long before its end it is renewed. */
  readonly renewBefore?: string;
}

/** Changes to the installed objects. */
export interface CustomizeComponents {
  /** Further flags of components. */
  readonly flags?: ComponentFlags;
  /**
   * Patches of objects.
   * @listType atomic
   */
  readonly patches?: readonly CustomizeComponentsPatch[];
}

/** Further flags of components. */
export interface ComponentFlags {
  /** Flags of virt-api. */
  readonly api?: Readonly<Record<string, string>>;
  /** Flags of virt-controller. */
  readonly controller?: Readonly<Record<string, string>>;
  /** Flags of virt-handler. */
  readonly handler?: Readonly<Record<string, string>>;
}

/** A patch of an installed object. */
export interface CustomizeComponentsPatch {
  /** The patch, as JSON. */
  readonly patch: string;
  /**
   * Name of the object.
   * @minLength 1
   */
  readonly resourceName: string;
  /**
   * Kind of the object.
   * @minLength 1
   */
  readonly resourceType: string;
  /** json, merge or strategic. */
  readonly type: string;
}

/** Where components run, and how many. */
export interface ComponentConfig {
  /** Nodes that they run on. */
  readonly nodePlacement?: NodePlacement;
  /** How many run. */
  readonly replicas?: Int;
}

/** Nodes that components run on. */
export interface NodePlacement {
  /** Which nodes and neighbours they want or avoid. */
  readonly affinity?: Affinity;
  /** Labels that the node must have. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Taints that they put up with. */
  readonly tolerations?: readonly Toleration[];
}

/** How running guests come to a new version. */
export interface WorkloadUpdateStrategy {
  /** Time between two batches. */
  readonly batchEvictionInterval?: string;
  /** Guests in a batch. */
  readonly batchEvictionSize?: Int;
  /**
   * LiveMigrate and Evict, in the order in which they are tried.
   * @listType atomic
   */
  readonly workloadUpdateMethods?: readonly string[];
}

/** What is installed. */
export interface KubeVirtStatus {
  /** Available, Progressing, Degraded and other conditions. */
  readonly conditions?: readonly VMICondition[];
  /** Architecture of guests that name none. */
  readonly defaultArchitecture?: string;
  /**
   * Generations of the installed objects.
   * @listType atomic
   */
  readonly generations?: readonly GenerationStatus[];
  /** Configuration of the version that runs. */
  readonly observedDeploymentConfig?: string;
  /** Hash of that configuration. */
  readonly observedDeploymentID?: string;
  /** Generation of the spec that was last looked at. */
  readonly observedGeneration?: Int64;
  /** Registry of the version that runs. */
  readonly observedKubeVirtRegistry?: string;
  /** The version that runs. */
  readonly observedKubeVirtVersion?: string;
  /** Version of the operator. */
  readonly operatorVersion?: string;
  /** Guests that still run in an older launcher. */
  readonly outdatedVirtualMachineInstanceWorkloads?: Int;
  /** Deploying, Deployed, Deleting or Deleted. */
  readonly phase?: string;
  /**
   * Addresses at which another cluster finds this one.
   * @listType atomic
   */
  readonly synchronizationAddresses?: readonly string[];
  /** Configuration of the version that is being installed. */
  readonly targetDeploymentConfig?: string;
  /** Hash of that configuration. */
  readonly targetDeploymentID?: string;
  /** Registry of the version that is being installed. */
  readonly targetKubeVirtRegistry?: string;
  /** The version that is being installed. */
  readonly targetKubeVirtVersion?: string;
}

/** Generation of an installed object. */
export interface GenerationStatus {
  /** Its API group. */
  readonly group: string;
  /** Hash of its content. */
  readonly hash?: string;
  /** Its generation when it was last written. */
  readonly lastGeneration: Int64;
  /** Its name. */
  readonly name: string;
  /** Its namespace. */
  readonly namespace?: string;
  /** Its resource. */
  readonly resource: string;
}
