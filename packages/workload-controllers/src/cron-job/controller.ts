/** Starts Jobs when their time has come. */
import { controllerKey, type CronJob, type Job } from '@podvisor/api';
import { isStatus, rfc3339 } from '@podvisor/base';
import {
  controller,
  EventRecorder,
  type Informer,
  type KubeClient,
  keyOf,
  onChange,
  type ReconcileResult,
  type TableController,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { again } from '../workloads/again.ts';
import { controlledBy, managedBy } from '../workloads/ownership.ts';
import { workloads } from '../workloads/resources.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { type CronJobObservation, type CronPlan, jobName, planCronJob, referenceOf } from './reconcile.ts';

export interface CronJobControllerOptions extends ControllerOptions {
  readonly cronJobs: Informer<CronJob>;
  readonly jobs: Informer<Job>;
}

const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

export function cronJobController(options: CronJobControllerOptions): TableController {
  const { client, cronJobs, jobs, clock, log } = options;
  const events = new EventRecorder({ client, component: 'cronjob-controller', clock, log });
  const ownersOf = (job: Job): readonly string[] => {
    const key = controllerKey(job, workloads.cronJobs);
    return key === undefined ? [] : [key];
  };
  const observe = (key: string): CronJobObservation | undefined => {
    const cronJob = cronJobs.get(key);
    if (cronJob === undefined || cronJob.metadata.deletionTimestamp !== undefined) return undefined;
    return { cronJob, jobs: managedBy(jobs, workloads.cronJobs, cronJob), now: clock.now() };
  };
  const apply = async (
    plan: CronPlan,
    { cronJob }: CronJobObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    for (const { type, reason, message } of plan.events) events.event(cronJob, type, reason, message);
    for (const job of plan.delete) await remove(client, job, signal);
    let status = plan.status;
    if (plan.start !== undefined) {
      const started = await start(client, cronJob, plan.start, signal);
      if (started !== undefined) {
        events.event(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${started.metadata.name}`);
        status = { ...status, active: [...(status.active ?? []), referenceOf(started)] };
      }
    }
    await writeStatus(client, workloads.cronJobs, cronJob, status, signal);
    return again(plan.againInMs);
  };
  return controller({
    name: 'cron-job',
    workers: 2,
    wakes: [onChange(cronJobs, (cronJob) => [keyOf(cronJob)], ['add', 'update']), onChange(jobs, ownersOf)],
    steps: { observe, plan: ({ cronJob, jobs: own, now }) => planCronJob(cronJob, own, now), apply },
  });
}

/** Undefined when the Job of that time is there already: somebody was faster, or our status write was lost. */
async function start(
  client: KubeClient,
  cronJob: CronJob,
  at: number,
  signal: AbortSignal,
): Promise<Job | undefined> {
  const { metadata: template, spec } = cronJob.spec.jobTemplate;
  const job: Job = {
    metadata: {
      name: jobName(cronJob, at),
      namespace: cronJob.metadata.namespace,
      labels: template?.labels,
      annotations: { ...template?.annotations, [SCHEDULED_AT]: rfc3339(at) },
      ownerReferences: [controlledBy(workloads.cronJobs, cronJob)],
    },
    spec,
  };
  try {
    return await client.create(workloads.jobs, job, {}, signal);
  } catch (error) {
    if (isStatus(error, 'AlreadyExists')) return undefined;
    throw error;
  }
}

async function remove(client: KubeClient, { metadata }: Job, signal: AbortSignal): Promise<void> {
  const { namespace, name = '', uid } = metadata;
  try {
    await client.delete(
      workloads.jobs,
      { namespace, name },
      { propagationPolicy: 'Background', preconditions: { uid } },
      signal,
    );
  } catch (error) {
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
  }
}
