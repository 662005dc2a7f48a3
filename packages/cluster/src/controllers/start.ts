/** Starts every controller on one set of informers. */
import type { Clock } from '@podvisor/base';
import { type KubeClient, type Log, resources } from '@podvisor/kube';
import { runDataVolumeController } from '../data-volumes/controller.ts';
import { runProfileController } from '../data-volumes/profile-controller.ts';
import type { VolumeData } from '../node-door/volume-data.ts';
import type { LoadBalancerRange } from '../services/load-balancer-range.ts';
import { serviceResources } from '../services/types.ts';
import { autoscalers as autoscalerResource, runAutoscalerController } from './autoscaler/controller.ts';
import { runCronJobController } from './cron-job/controller.ts';
import { runDaemonSetController } from './daemon-set/controller.ts';
import { runDeploymentController } from './deployment/controller.ts';
import { budgetResource, runDisruptionController } from './disruption/controller.ts';
import { runEndpointsController } from './endpoints/controller.ts';
import { runGarbageCollector } from './garbage-collector/controller.ts';
import { runJobController } from './job/controller.ts';
import { runLoadBalancerController } from './load-balancer/controller.ts';
import { runNamespaceController } from './namespace/controller.ts';
import { runNodeLifecycle } from './node-lifecycle/controller.ts';
import { runPodGc } from './pod-gc/controller.ts';
import { quotaResource, runQuotaController } from './quota/controller.ts';
import { runReplicaSetController } from './replica-set/controller.ts';
import { ServedResources } from './served-resources.ts';
import { runServiceAccountController } from './service-account/controller.ts';
import type { SharedInformers } from '../informers/shared-informers.ts';
import { runSnapshotController } from './volume-snapshot/controller.ts';
import { StorageObjects } from './storage-objects.ts';
import { runStatefulSetController } from './stateful-set/controller.ts';
import { runTaintEviction } from './taint-eviction/controller.ts';
import { runVolumeController } from './volume/controller.ts';
import { workloads } from './workloads/resources.ts';

export interface ControllersOptions {
  readonly client: KubeClient;
  readonly informers: SharedInformers;
  /** PEM of the cluster's CA, for Pods. */
  readonly clusterCa: string;
  /** Who has the disk of local volumes. */
  readonly data: VolumeData;
  /** Addresses of Services of type LoadBalancer. */
  readonly loadBalancerRanges: readonly LoadBalancerRange[];
  /** Name of the instance. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Starts the informers, waits for their first lists, and runs the controllers on full caches until the
 * signal ends. Resolves when they run; `done` when they have ended.
 */
export async function startControllers(
  options: ControllersOptions,
  signal: AbortSignal,
): Promise<{ readonly done: Promise<void> }> {
  const { client, informers, clock, log, clusterCa, data, instance } = options;
  const pods = informers.of(resources.pods);
  const nodes = informers.of(resources.nodes);
  const namespaces = informers.of(resources.namespaces);
  const claims = informers.of(resources.persistentVolumeClaims);
  const volumes = informers.of(resources.persistentVolumes);
  const classes = informers.of(resources.storageClasses);
  const configMaps = informers.of(resources.configMaps);
  const serviceAccounts = informers.of(resources.serviceAccounts);
  const leases = informers.of(resources.leases);
  const deployments = informers.of(workloads.deployments);
  const replicaSets = informers.of(workloads.replicaSets);
  const daemonSets = informers.of(workloads.daemonSets);
  const revisions = informers.of(workloads.revisions);
  const statefulSets = informers.of(workloads.statefulSets);
  const jobs = informers.of(workloads.jobs);
  const cronJobs = informers.of(workloads.cronJobs);
  const autoscalers = informers.of(autoscalerResource);
  const budgets = informers.of(budgetResource);
  const quotas = informers.of(quotaResource);
  const services = informers.of(serviceResources.services);
  const slices = informers.of(serviceResources.endpointSlices);
  const endpoints = informers.of(serviceResources.endpoints);
  const served = new ServedResources({ client, informers, clock, log });
  informers.start(signal);
  await informers.synced();
  const common = { client, clock, log };
  const storage = new StorageObjects(common);
  storage.start(signal);
  const running = [
    runGarbageCollector({ ...common, served }, signal),
    runNamespaceController({ ...common, namespaces, served }, signal),
    runServiceAccountController({ ...common, namespaces, serviceAccounts, configMaps, clusterCa }, signal),
    runVolumeController({ ...common, claims, volumes, classes, pods, storage, data, instance }, signal),
    runDataVolumeController({ ...common, claims, classes, pods, storage }, signal),
    runProfileController({ ...common, claims, classes, storage }, signal),
    runSnapshotController({ ...common, claims, volumes, storage, data, pods }, signal),
    runPodGc({ ...common, pods, nodes }, signal),
    runNodeLifecycle({ ...common, nodes, pods, leases }, signal),
    runTaintEviction({ ...common, pods, nodes }, signal),
    runReplicaSetController({ ...common, replicaSets, pods }, signal),
    runDeploymentController({ ...common, deployments, replicaSets, pods }, signal),
    runDaemonSetController({ ...common, daemonSets, revisions, pods, nodes }, signal),
    runStatefulSetController({ ...common, statefulSets, revisions, pods, claims }, signal),
    runJobController({ ...common, jobs, pods }, signal),
    runCronJobController({ ...common, cronJobs, jobs }, signal),
    runAutoscalerController({ ...common, autoscalers, served }, signal),
    runDisruptionController({ ...common, budgets, replicaSets, pods }, signal),
    runQuotaController({ ...common, informers, quotas, pods, services, claims }, signal),
    runEndpointsController({ ...common, services, slices, endpoints, pods }, signal),
    runLoadBalancerController({ ...common, services, ranges: options.loadBalancerRanges }, signal),
  ];
  await served.start(signal);
  return { done: Promise.all(running).then(() => undefined) };
}
