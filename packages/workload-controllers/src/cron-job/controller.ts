/** Starts Jobs when their time has come. */
import { isStatus, rfc3339 } from '@podvisor/base';
import {
  EventRecorder,
  type Informer,
  type KubeClient,
  keyOf,
  type ReconcileResult,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { controlledBy, controllerOf } from '../workloads/ownership.ts';
import { workloads } from '../workloads/resources.ts';
import type { Job } from '../workloads/types.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { jobName, planCronJob, referenceOf } from './reconcile.ts';
import type { CronJob } from './types.ts';

export interface CronJobControllerOptions extends ControllerOptions {
  readonly cronJobs: Informer<CronJob>;
  readonly jobs: Informer<Job>;
}

const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

export function cronJobController(options: CronJobControllerOptions): TableController {
  const { client, cronJobs, jobs, clock, log } = options;
  const events = new EventRecorder({ client, component: 'cronjob-controller', clock, log });
  const connect = (wake: Wake): void => {
    const look = (cronJob: CronJob): void => wake(keyOf(cronJob));
    const lookAtOwner = (job: Job): void => {
      const owner = controllerOf(job);
      if (owner?.kind === 'CronJob') wake(`${job.metadata.namespace}/${owner.name}`);
    };
    cronJobs.on({ add: look, update: look });
    jobs.on({ add: lookAtOwner, update: lookAtOwner, delete: lookAtOwner });
  };
  const reconcile = async (key: string, end: AbortSignal): Promise<ReconcileResult> => {
    const cronJob = cronJobs.get(key);
    if (cronJob === undefined || cronJob.metadata.deletionTimestamp !== undefined) return;
    const own = jobs
      .byIndex('owner', cronJob.metadata.uid ?? '')
      .filter((job) => controllerOf(job)?.uid === cronJob.metadata.uid);
    const plan = planCronJob(cronJob, own, clock.now());
    for (const { type, reason, message } of plan.events) events.event(cronJob, type, reason, message);
    for (const job of plan.delete) await remove(client, job, end);
    let status = plan.status;
    if (plan.start !== undefined) {
      const started = await start(client, cronJob, plan.start, end);
      if (started !== undefined) {
        events.event(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${started.metadata.name}`);
        status = { ...status, active: [...(status.active ?? []), referenceOf(started)] };
      }
    }
    await writeStatus(client, workloads.cronJobs, cronJob, status, end);
    return plan.againInMs === undefined ? undefined : { requeueAfterMs: plan.againInMs };
  };
  return { name: 'cron-job', workers: 2, connect, reconcile };
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
