/** What the controllers share: caches, configuration, events, and what has been done and not yet seen. */
import type { KubeVirt, VirtualMachineInstance, VirtualMachineSnapshot } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import {
  EventRecorder,
  Expectations,
  type Informer,
  type KubeClient,
  type Log,
  type QueueMetrics,
  LiveConfig,
} from '@podvisor/kube';
import { BY_MANAGER, BY_NAMESPACE, managerKey } from './caches/indexes.ts';
import { type CacheClient, type Caches, createCaches } from './caches.ts';
import { createStorageCaches, type StorageCaches } from './storage-caches.ts';
import { namespaceFacts } from './watch/namespace-facts.ts';
import { HandlerLiveness } from './watch/node/liveness.ts';
import { containerDiskForm } from './watch/vmi/container-disk-form.ts';
import { fileSystemOverhead } from './watch/vmi/file-system-overhead.ts';
import type { LauncherPodContext } from './watch/vmi/launcher-pod.ts';
import type { VolumeView } from './watch/vmi/volumes.ts';

/** What the controllers use of the API. */
export type ControllerClient = CacheClient &
  Pick<KubeClient, 'find' | 'create' | 'update' | 'updateStatus' | 'patch' | 'delete' | 'raw'>;

export interface ControllersOptions {
  readonly client: ControllerClient;
  /** Where Podvisor is installed. */
  readonly namespace: string;
  readonly launcherImage: string;
  readonly passtSeccompProfile?: string;
  readonly virtiofsSeccompProfile?: string;
  readonly runtimeDefaultSeccomp?: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** The KubeVirt object, where somebody follows it already: one watch is enough for a process. */
  readonly kubeVirts?: Informer<KubeVirt>;
  /** Called once, when all caches are filled and the workers start. */
  onReady?(caches: Caches): void;
  /** Called once, before the caches start: hears of every snapshot. */
  onSnapshots?(informer: Informer<VirtualMachineSnapshot>): void;
  readonly queues?: QueueMetrics;
}

export interface ControllerContext extends ControllersOptions {
  readonly caches: Caches;
  readonly storage: StorageCaches;
  readonly config: LiveConfig;
  readonly recorder: EventRecorder;
  readonly expectations: {
    /** By the UID of a VM, replica set or pool: what it made and deleted. */
    readonly owners: Expectations;
    /** By VMI UID: Pods made. */
    readonly vmis: Expectations;
    /** By migration UID: target Pods; by VMI UID: migrations asked for. */
    readonly migrations: Expectations;
  };
  readonly liveness: HandlerLiveness;
  /** Claims and DataVolumes of a namespace. */
  volumes(namespace: string): VolumeView;
  /** What a launcher Pod of this VMI is rendered from. */
  podContext(vmi: VirtualMachineInstance): LauncherPodContext;
}

export function createContext(options: ControllersOptions): ControllerContext {
  const { client, clock, log, namespace } = options;
  const caches = createCaches(client, namespace, log, options.kubeVirts);
  const config = new LiveConfig(log);
  const volumes = (of: string): VolumeView => volumesIn(caches, of);
  return {
    ...options,
    caches,
    storage: createStorageCaches(client, log),
    config,
    recorder: new EventRecorder({ client, component: 'virtualmachine-controller', clock, log }),
    expectations: {
      owners: new Expectations(clock),
      vmis: new Expectations(clock),
      migrations: new Expectations(clock),
    },
    liveness: new HandlerLiveness(clock),
    volumes,
    podContext: ({ metadata }) => {
      const { namespace: of = '' } = metadata ?? {};
      return {
        launcherImage: options.launcherImage,
        passtSeccompProfile: options.passtSeccompProfile,
        virtiofsSeccompProfile: options.virtiofsSeccompProfile,
        runtimeDefaultSeccomp: options.runtimeDefaultSeccomp,
        config: config.current,
        containerDisks: containerDiskForm(config.current, caches.nodes.list()),
        volumes: volumes(of),
        namespace: namespaceFacts(caches.namespaces.get(of), caches.quotas.byIndex(BY_NAMESPACE, of)),
      };
    },
  };
}

function volumesIn(caches: Caches, namespace: string): VolumeView {
  return {
    claim: (name) => caches.claims.get(`${namespace}/${name}`),
    ownedClaims: (uid) => caches.claims.byIndex(BY_MANAGER, managerKey(namespace, uid)),
    fileSystemOverhead: (claim) => fileSystemOverhead(claim, caches.cdiConfigs.get('', 'config')),
    dataVolumePhase: (name) => {
      const found = caches.dataVolumes.get(namespace, name);
      return found === undefined ? undefined : (found.status?.phase ?? '');
    },
  };
}
