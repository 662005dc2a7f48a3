/** Starts every controller on one set of informers. */
import {
  controllerTable,
  Informer,
  type KubeClient,
  type QueueMetrics,
  resources,
  type SharedInformers,
  type TableController,
} from '@podvisor/kube';
import type { PersistentVolumeClaim, Pod, StorageClass } from '@podvisor/api';
import type { VolumeData } from '@podvisor/home-contract';
import { type LoadBalancerRange, serviceResources } from '@podvisor/service-network';
import type { ControllerOptions } from './controller-options.ts';
import { autoscalers as autoscalerResource, autoscalerController } from './autoscaler/controller.ts';
import { cronJobController } from './cron-job/controller.ts';
import { daemonSetController } from './daemon-set/controller.ts';
import { deploymentController } from './deployment/controller.ts';
import { budgetResource, disruptionController } from './disruption/controller.ts';
import { endpointsController } from './endpoints/controller.ts';
import { garbageCollector } from './garbage-collector/controller.ts';
import { homeComponentController } from './home-component/controller.ts';
import { jobController } from './job/controller.ts';
import { balancedIndexes, loadBalancerController } from './load-balancer/controller.ts';
import { namespaceController } from './namespace/controller.ts';
import { nodeLifecycleController } from './node-lifecycle/controller.ts';
import { podGcController, podGcIndexes } from './pod-gc/controller.ts';
import { quotaResource, quotaController } from './quota/controller.ts';
import { replicaSetController } from './replica-set/controller.ts';
import type { ControllerAccount } from './rights.ts';
import { ServedResources } from './served-resources.ts';
import { ROOT_CA_ONLY, serviceAccountController } from './service-account/controller.ts';
import { volumeSnapshotControllers } from './volume-snapshot/controller.ts';
import { StorageObjects } from './storage-objects.ts';
import { statefulSetController } from './stateful-set/controller.ts';
import { taintEvictionController } from './taint-eviction/controller.ts';
import { volumeControllers } from './volume/controller.ts';
import { claimIndexes, podClaimIndexes, volumeIndexes } from './volume/indexes.ts';
import { workloads } from './workloads/resources.ts';

export interface ControllersOptions extends ControllerOptions {
  /** Each controller writes under its own account. */
  readonly clientOf: (account: ControllerAccount) => KubeClient;
  readonly informers: SharedInformers;
  /** PEM of the cluster's CA, for Pods. */
  readonly clusterCa: string;
  /** Who has the disk of local volumes. */
  readonly data: VolumeData;
  /** Addresses of Services of type LoadBalancer. */
  readonly loadBalancerRanges: readonly LoadBalancerRange[];
  /** Name of the instance. */
  readonly instance: string;
  /** Controllers of others, on the same caches. */
  readonly further: (shared: SharedCaches) => readonly TableController[];
  /** Hears of the queues. */
  readonly queues?: QueueMetrics;
}

/** What controllers beside Kubernetes' own share with them. */
export interface SharedCaches extends ControllerOptions {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
  readonly storage: StorageObjects;
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
  pods.addIndexers({ ...podGcIndexes, ...podClaimIndexes });
  const nodes = informers.of(resources.nodes);
  const namespaces = informers.of(resources.namespaces);
  const claims = informers.of(resources.persistentVolumeClaims);
  claims.addIndexers(claimIndexes);
  const volumes = informers.of(resources.persistentVolumes);
  volumes.addIndexers(volumeIndexes);
  const classes = informers.of(resources.storageClasses);
  const configMaps = new Informer({ client, clock, log, resource: resources.configMaps, ...ROOT_CA_ONLY });
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
  services.addIndexers(balancedIndexes);
  const slices = informers.of(serviceResources.endpointSlices);
  const endpoints = informers.of(serviceResources.endpoints);
  const served = new ServedResources({ client, informers, clock, log });
  informers.start(signal);
  configMaps.start(signal);
  await Promise.all([informers.synced(), configMaps.synced()]);
  const storage = new StorageObjects({ client, clock, log });
  const as = (account: ControllerAccount) => ({ client: options.clientOf(account), clock, log });
  const rows = [
    garbageCollector({ ...as('generic-garbage-collector'), served }),
    namespaceController({ ...as('namespace-controller'), namespaces, served }),
    serviceAccountController({
      ...as('service-account-controller'),
      namespaces,
      serviceAccounts,
      configMaps,
      clusterCa,
    }),
    ...volumeControllers({
      ...as('persistent-volume-binder'),
      claims,
      volumes,
      classes,
      pods,
      storage,
      data,
      instance,
    }),
    ...options.further({ client, clock, log, claims, classes, pods, storage }),
    ...volumeSnapshotControllers({ ...as('snapshot-controller'), claims, volumes, storage, data, pods }),
    podGcController({ ...as('pod-garbage-collector'), pods, nodes }),
    nodeLifecycleController({ ...as('node-controller'), nodes, pods, leases }),
    taintEvictionController({ ...as('taint-eviction-controller'), pods, nodes }),
    replicaSetController({ ...as('replicaset-controller'), replicaSets, pods }),
    deploymentController({ ...as('deployment-controller'), deployments, replicaSets, pods }),
    daemonSetController({ ...as('daemon-set-controller'), daemonSets, revisions, pods, nodes }),
    homeComponentController({ ...as('home-component-controller'), deployments, daemonSets, pods }),
    statefulSetController({ ...as('statefulset-controller'), statefulSets, revisions, pods, claims }),
    jobController({ ...as('job-controller'), jobs, pods }),
    cronJobController({ ...as('cronjob-controller'), cronJobs, jobs }),
    autoscalerController({ ...as('horizontal-pod-autoscaler'), autoscalers, served }),
    disruptionController({ ...as('disruption-controller'), budgets, replicaSets, pods }),
    quotaController({ ...as('resourcequota-controller'), informers, quotas, pods, services, claims }),
    endpointsController({ ...as('endpoint-controller'), services, slices, endpoints, pods }),
    loadBalancerController({ ...as('service-controller'), services, ranges: options.loadBalancerRanges }),
  ];
  // Rows add the indexes that they look things up by.
  storage.start(signal);
  const done = controllerTable(rows, { clock, log, metrics: options.queues })(signal);
  await served.start(signal);
  return { done };
}
