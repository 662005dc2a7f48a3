/**
 * Kubernetes' own kinds: the interfaces are made from the embedded API server's description of them
 * (decision 020), those that others name are listed here.
 */
import type { PersistentVolumeClaimSpec } from './gen/embedded.ts';
import type { PodVolume } from './gen/kinds.ts';
import type { Quantity } from './meta.ts';

export type {
  AppArmorProfile,
  CertificateSigningRequest,
  Condition,
  ConfigMap,
  Container,
  ContainerPort,
  ContainerState,
  ContainerStatus,
  ControllerRevision,
  CronJob,
  CronJobStatus,
  DaemonSet,
  DaemonSetStatus,
  Deployment,
  DeploymentStatus,
  Endpoint,
  EndpointAddress,
  EndpointPort,
  Endpoints,
  EndpointSlice,
  EndpointSubset,
  EnvVar,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
  HPAScalingRules,
  Job,
  JobStatus,
  KeyToPath,
  Lease,
  LifecycleHandler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  Namespace,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  Node,
  ObjectReference,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PodDisruptionBudgetStatus,
  PodProbe,
  PodResources,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
  PodVolume,
  ReplicaSet,
  ReplicaSetStatus,
  ResourceQuota,
  SeccompProfile,
  Secret,
  SecurityContext,
  SELinuxOptions,
  Service,
  ServicePort,
  StatefulSet,
  StatefulSetStatus,
  StorageClass,
  Taint,
  VolumeMount,
} from './gen/kinds.ts';

export type ResourceList = Readonly<Record<string, Quantity>>;

/** What a volume of a Pod is made of: all of it but its name. */
export type PodVolumeSource = Omit<PodVolume, 'name'>;

/** The object whose content a claim starts with. */
export type ClaimSource = NonNullable<PersistentVolumeClaimSpec['dataSource']>;
