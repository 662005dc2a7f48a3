/** The kinds that own Pods, as far as their controllers read and write them. Names and meanings are Kubernetes'. */
import type {
  Condition,
  ControllerRevision,
  IntOrString,
  KubernetesObject,
  LabelSelector,
  ObjectMeta,
  PersistentVolumeClaim,
  PodSpec,
} from '@podvisor/api';

export interface PodTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec: PodSpec;
}

/** An object that owns Pods made from a template. */
export interface Workload extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly template: PodTemplate;
  };
}

/** An object whose Pods count as available when they have been ready for some time. */
export interface LastingWorkload extends Workload {
  readonly spec: Workload['spec'] & { readonly minReadySeconds?: number };
}

export interface ReplicaSet extends LastingWorkload {
  readonly spec: LastingWorkload['spec'] & { readonly replicas?: number };
  readonly status?: ReplicaSetStatus;
}

export interface ReplicaSetStatus {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

/** `lastUpdateTime` is known to Deployments only. */
export type DeploymentCondition = Condition & { readonly lastUpdateTime?: string };

export interface Deployment extends LastingWorkload {
  readonly spec: LastingWorkload['spec'] & {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly revisionHistoryLimit?: number;
    readonly progressDeadlineSeconds?: number;
    readonly strategy?: {
      readonly type?: 'RollingUpdate' | 'Recreate';
      readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString };
    };
  };
  readonly status?: DeploymentStatus;
}

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly DeploymentCondition[];
}

/** `Rolling`: what may be said of a rolling update. */
export interface UpdateStrategy<Rolling> {
  readonly type?: 'RollingUpdate' | 'OnDelete';
  readonly rollingUpdate?: Rolling;
}

export interface DaemonSet extends LastingWorkload {
  readonly spec: LastingWorkload['spec'] & {
    readonly updateStrategy?: UpdateStrategy<{
      readonly maxUnavailable?: IntOrString;
      readonly maxSurge?: IntOrString;
    }>;
    readonly revisionHistoryLimit?: number;
  };
  readonly status?: DaemonSetStatus;
}

export interface DaemonSetStatus {
  readonly currentNumberScheduled: number;
  readonly numberMisscheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberReady: number;
  readonly observedGeneration?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
}

export interface StatefulSet extends LastingWorkload {
  readonly spec: LastingWorkload['spec'] & {
    readonly replicas?: number;
    readonly serviceName?: string;
    readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
    readonly updateStrategy?: UpdateStrategy<{
      readonly maxUnavailable?: IntOrString;
      readonly partition?: number;
    }>;
    readonly revisionHistoryLimit?: number;
    readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
    readonly ordinals?: { readonly start?: number };
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenDeleted?: string;
      readonly whenScaled?: string;
    };
  };
  readonly status?: StatefulSetStatus;
}

export interface StatefulSetStatus {
  readonly observedGeneration?: number;
  readonly replicas: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
}

export interface Job extends Workload {
  readonly spec: Workload['spec'] & {
    readonly parallelism?: number;
    readonly completions?: number;
    readonly backoffLimit?: number;
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly completionMode?: 'NonIndexed' | 'Indexed';
    readonly suspend?: boolean;
  };
  readonly status?: JobStatus;
}

export interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly completedIndexes?: string;
  readonly conditions?: readonly Condition[];
  readonly uncountedTerminatedPods?: Readonly<Record<string, readonly string[]>>;
}

export type Revision = ControllerRevision & { readonly metadata: ObjectMeta };
