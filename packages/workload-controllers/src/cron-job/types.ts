/** CronJobs, as far as their controller reads and writes them. */
import type { KubernetesObject, ObjectMeta } from '@podvisor/api';
import type { Job } from '../workloads/types.ts';

export interface CronJob extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly schedule: string;
    readonly timeZone?: string;
    readonly suspend?: boolean;
    readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
    readonly startingDeadlineSeconds?: number;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate: { readonly metadata?: ObjectMeta; readonly spec: Job['spec'] };
  };
  readonly status?: CronJobStatus;
}

export interface CronJobStatus {
  readonly active?: readonly JobReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

export interface JobReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}
