/** What virt-operator follows: the KubeVirt objects, all that it installed, and what its decisions depend on. */
import { type KubernetesObject, type KubeVirt, type Lease, type Node, type Pod } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { Informer, type KubeClient, type Log, type Resource, resources } from '@podvisor/kube';
import { nameOf, OWNER_LABEL } from '../install/ownership.ts';
import { resourceOf } from '../install/resource-of.ts';

/** Kinds that are installed; those of the Prometheus operator only where they exist. */
const KINDS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding'],
  ['v1', 'ServiceAccount'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
  ['rbac.authorization.k8s.io/v1', 'Role'],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding'],
  ['scheduling.k8s.io/v1', 'PriorityClass'],
  ['v1', 'Secret'],
  ['v1', 'ConfigMap'],
  ['v1', 'Service'],
  ['apiregistration.k8s.io/v1', 'APIService'],
  ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'DaemonSet'],
];
const MONITORING = 'monitoring.coreos.com/v1';

export interface CachesOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Kinds of the Prometheus operator that the cluster has. */
  readonly monitoringKinds: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Objects of one kind that are followed. */
export interface Followed {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly labelSelector?: string;
}

export class Caches {
  readonly kubeVirts: Informer<KubeVirt>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly leases: Informer<Lease>;
  /** Everything: without the right to read one of them nothing can be decided. */
  readonly followed: readonly Followed[];
  readonly #installed: readonly Informer<KubernetesObject>[];

  constructor({ client, namespace, monitoringKinds, clock, log }: CachesOptions) {
    const inform = <T extends KubernetesObject>(
      resource: Resource<T>,
      scope: Omit<Followed, 'resource'> = {},
    ): Informer<T> => new Informer<T>({ client, resource, ...scope, clock, log });
    const pods = { namespace, labelSelector: 'kubevirt.io' };
    this.kubeVirts = inform(resources.kubeVirts);
    this.nodes = inform(resources.nodes);
    this.leases = inform(resources.leases, { namespace });
    this.pods = inform(resources.pods, pods);
    const kinds = [...KINDS, ...monitoringKinds.map((kind) => [MONITORING, kind] as const)];
    const installed = kinds.map(([apiVersion, kind]) => ({
      resource: resourceOf({ apiVersion, kind }),
      labelSelector: `${OWNER_LABEL}=${namespace}`,
      // Roles are also in other namespaces; Secrets of others are none of our business.
      ...(kind === 'Secret' || kind === 'ConfigMap' ? { namespace } : {}),
    }));
    this.#installed = installed.map(({ resource, ...scope }) => inform(resource, scope));
    this.followed = [
      { resource: resources.kubeVirts },
      { resource: resources.nodes },
      { resource: resources.leases, namespace },
      { resource: resources.pods, ...pods },
      ...installed,
    ];
  }

  /** Calls `wake` whenever something changes; resolves when everything has been read once. */
  start(wake: () => void, signal: AbortSignal): Promise<void> {
    return startAll([this.kubeVirts, this.pods, this.nodes, this.leases, ...this.#installed], wake, signal);
  }

  /** The KubeVirt objects and no others, to tell them why nothing is done. */
  startKubeVirts(wake: () => void, signal: AbortSignal): Promise<void> {
    return startAll([this.kubeVirts], wake, signal);
  }

  /** Everything that carries our mark, by name. */
  installed(): ReadonlyMap<string, KubernetesObject> {
    const objects = this.#installed.flatMap((informer) => informer.list());
    return new Map(objects.map((object) => [nameOf(object), object]));
  }
}

type Startable = Pick<Informer<KubernetesObject>, 'start' | 'synced'> & {
  on(handler: Readonly<Record<'add' | 'update' | 'delete', () => void>>): void;
};

async function startAll(all: readonly Startable[], wake: () => void, signal: AbortSignal): Promise<void> {
  for (const informer of all) {
    informer.on({ add: wake, update: wake, delete: wake });
    informer.start(signal);
  }
  await Promise.all(all.map((informer) => informer.synced()));
}
