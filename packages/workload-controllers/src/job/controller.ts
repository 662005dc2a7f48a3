/** Runs the Pods of Jobs to completion. */
import type { Job, Pod } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import {
  controller,
  type Informer,
  type KubeClient,
  keyOf,
  type ReconcileResult,
  splitKey,
  type TableController,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { again } from '../workloads/again.ts';
import { controlledBy } from '../workloads/ownership.ts';
import { PodControl } from '../workloads/pod-control.ts';
import { podFromTemplate } from '../workloads/pod-from-template.ts';
import { workloads } from '../workloads/resources.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { INDEX, type JobObservation } from './facts.ts';
import { type JobPass, planJobPass, statusAfter } from './reconcile.ts';

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
  const observe = (key: string): JobObservation | undefined => {
    const job = jobs.get(key);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
    return { job, owned: control.owned(job), isUpToDate: control.isUpToDate(job), now: clock.now() };
  };
  const apply = async (
    pass: JobPass,
    { job, owned }: JobObservation,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    if (pass.kind === 'wait') return again(pass.ms);
    if (pass.kind === 'expire') {
      await expire(client, job, signal);
      return undefined;
    }
    await control.claim(job, owned, signal);
    if (pass.kind === 'claim') return undefined;
    const { plan } = pass;
    await control.delete(job, plan.delete, signal);
    const made = plan.create.map((index) => jobPod(job, index));
    await control.create(job, made, signal);
    const written = await writeStatus(client, resource, job, statusAfter(job, plan), signal);
    if (written && plan.event !== undefined)
      control.events.event(job, plan.event.type, plan.event.reason, plan.event.message);
    return again(plan.againInMs);
  };
  return controller({
    name: 'job',
    wakes: [(wake) => control.connect(wake)],
    steps: { observe, plan: planJobPass, apply },
  });
}

async function expire(client: KubeClient, job: Job, signal: AbortSignal): Promise<void> {
  const { uid, resourceVersion } = job.metadata;
  try {
    await client.delete(
      workloads.jobs,
      splitKey(keyOf(job)),
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
