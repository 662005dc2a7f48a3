/** What virt-handler follows in the API: its own VMIs, their Pods, and the configuration. */
import {
  annotations,
  type ClusterConfig,
  controllerOfKind,
  type KubeVirt,
  labels,
  type OwnerReference,
  ownerKinds,
  type Pod,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { Informer, type ListWatcher, type Log, resources, LiveConfig } from '@podvisor/kube';

/** An API server that comes back should find us soon: VMs may be waiting to be stopped. */
const BACKOFF = { firstMs: 100, maxMs: 2_000 };

export class NodeCaches {
  readonly vmis: Informer<VirtualMachineInstance>;
  /** VMIs that a migration brings here. */
  readonly targets: Informer<VirtualMachineInstance>;
  readonly pods: Informer<Pod>;
  readonly kubeVirts: Informer<KubeVirt>;
  readonly #config: LiveConfig;

  constructor(client: ListWatcher, nodeName: string, namespace: string, log: Log) {
    this.vmis = new Informer({
      client,
      resource: resources.virtualMachineInstances,
      labelSelector: `${labels.nodeName}=${nodeName}`,
      backoff: BACKOFF,
      log,
    });
    this.targets = new Informer({
      client,
      resource: resources.virtualMachineInstances,
      labelSelector: `${labels.migrationTargetNodeName}=${nodeName}`,
      backoff: BACKOFF,
      log,
    });
    this.pods = new Informer({
      client,
      resource: resources.pods,
      labelSelector: `${labels.app}=virt-launcher`,
      fieldSelector: `spec.nodeName=${nodeName}`,
      indexers: { uid: (pod: Pod) => [pod.metadata.uid ?? ''] },
      backoff: BACKOFF,
      log,
    });
    this.kubeVirts = new Informer({
      client,
      resource: resources.kubeVirts,
      namespace,
      backoff: BACKOFF,
      log,
    });
    this.#config = new LiveConfig(log);
    const observe = (object: KubeVirt): void => this.#config.observe(object);
    this.kubeVirts.on({ add: observe, update: observe });
  }

  async start(signal: AbortSignal): Promise<void> {
    const all = [this.vmis, this.targets, this.pods, this.kubeVirts];
    for (const informer of all) informer.start(signal);
    await Promise.all(all.map((informer) => informer.synced()));
  }

  podByUid(podUid: string): Pod | undefined {
    return this.pods.byIndex('uid', podUid)[0];
  }

  /** What the installation says about addresses of its Pod network. */
  addressPromise(): string | undefined {
    return this.kubeVirts.list()[0]?.metadata?.annotations?.[annotations.podNetworkKeepsAddresses];
  }

  /** Settings of the installation; the defaults without a KubeVirt object, or before it was taken into service. */
  get config(): ClusterConfig {
    return this.#config.current;
  }
}

/** Key of the VMI that owns a launcher Pod. */
export function vmiKeyOf(pod: Pod): string | undefined {
  const owner = ownerOf(pod);
  return owner === undefined ? undefined : `${pod.metadata.namespace}/${owner.name}`;
}

/** UID of the VMI that owns a launcher Pod; empty: none does. */
export function ownerUid(pod: Pod): string {
  return ownerOf(pod)?.uid ?? '';
}

function ownerOf(pod: Pod): OwnerReference | undefined {
  return controllerOfKind(pod, ownerKinds.vmi);
}
