/** Where the API serves the kinds that own Pods. */
import type { CronJob, DaemonSet, Deployment, Job, ReplicaSet, StatefulSet } from '@podvisor/api';
import { defineResource } from '@podvisor/kube';
import type { Revision } from './types.ts';

export const workloads = {
  deployments: defineResource<Deployment>('Deployment', 'deployments', 'apps/v1'),
  replicaSets: defineResource<ReplicaSet>('ReplicaSet', 'replicasets', 'apps/v1'),
  daemonSets: defineResource<DaemonSet>('DaemonSet', 'daemonsets', 'apps/v1'),
  statefulSets: defineResource<StatefulSet>('StatefulSet', 'statefulsets', 'apps/v1'),
  revisions: defineResource<Revision>('ControllerRevision', 'controllerrevisions', 'apps/v1'),
  cronJobs: defineResource<CronJob>('CronJob', 'cronjobs', 'batch/v1'),
  jobs: defineResource<Job>('Job', 'jobs', 'batch/v1'),
} as const;
