/** Runs the Pods of Jobs to completion. */
import type { Pod } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import {
  type Informer,
  type KubeClient,
  type ReconcileResult,
  splitKey,
  type TableController,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { controlledBy } from '../workloads/ownership.ts';
import { PodControl } from '../workloads/pod-control.ts';
import { podFromTemplate } from '../workloads/pod-from-template.ts';
import { workloads } from '../workloads/resources.ts';
import type { Job } from '../workloads/types.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { expiresInMs, INDEX, isOver, planJob } from './reconcile.ts';

export interface JobControllerOptions extends ControllerOptions {
  readonly jobs: Informer<Job>;
  readonly pods: Informer<Pod>;
}

export function jobController(options: JobControllerOptions): TableController {
  const { client, jobs, pods, clock, log } = options;
  const resource = workloads.jobs;
  const control = new PodControl({
    client,
    resource,
    owners: jobs,
    pods,
    component: 'job-controller',
    clock,
    log,
  });
  const reconcile = async (key: string, end: AbortSignal): Promise<ReconcileResult> => {
    const job = jobs.get(key);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return;
    if (isOver(job)) {
      const ms = expiresInMs(job, clock.now());
      if (ms === undefined) return;
      if (ms > 0) return { requeueAfterMs: ms };
      await expire(client, key, job, end);
      return;
    }
    const own = await control.claimed(job, end);
    if (!control.isUpToDate(job)) return;
    const plan = planJob(job, own, clock.now());
    await control.delete(job, plan.delete, end);
    await control.create(
      job,
      plan.create.map((index) => jobPod(job, index)),
      end,
    );
    const active =
      (plan.status.active ?? 0) +
      plan.create.length -
      (isOver({ ...job, status: plan.status }) ? 0 : plan.delete.length);
    const status = { ...plan.status, active: active > 0 ? active : undefined };
    const written = await writeStatus(client, resource, job, status, end);
    if (written && plan.event !== undefined)
      control.events.event(job, plan.event.type, plan.event.reason, plan.event.message);
    return plan.againInMs === undefined ? undefined : { requeueAfterMs: plan.againInMs };
  };
  return { name: 'job', workers: 4, connect: (wake) => control.connect(wake), reconcile };
}

async function expire(client: KubeClient, key: string, job: Job, signal: AbortSignal): Promise<void> {
  const { uid, resourceVersion } = job.metadata;
  try {
    await client.delete(
      workloads.jobs,
      splitKey(key),
      { propagationPolicy: 'Foreground', preconditions: { uid, resourceVersion } },
      signal,
    );
  } catch (error) {
    // Somebody changed or deleted it meanwhile: its event brings us back.
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
  }
}

function jobPod(job: Job, index: number | undefined): Pod {
  const { template } = job.spec;
  const reference = controlledBy(workloads.jobs, job);
  if (index === undefined) return podFromTemplate(job, template, reference);
  const label = { [INDEX]: String(index) };
  const pod = podFromTemplate(job, template, reference, { generateName: `${job.metadata.name}-${index}-` });
  const env = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${INDEX}']` } },
  };
  const withIndex = (containers: typeof pod.spec.containers): typeof pod.spec.containers =>
    containers.map((container) => ({ ...container, env: [...(container.env ?? []), env] }));
  return {
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, ...label },
      annotations: { ...pod.metadata.annotations, ...label },
    },
    spec: {
      ...pod.spec,
      hostname: `${job.metadata.name}-${index}`,
      containers: withIndex(pod.spec.containers),
      ...(pod.spec.initContainers === undefined
        ? {}
        : { initContainers: withIndex(pod.spec.initContainers) }),
    },
  };
}
