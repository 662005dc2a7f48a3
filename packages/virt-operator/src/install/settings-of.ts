/** From the KubeVirt object and the cluster to the settings of an installation. Pure. */
import { createHash } from 'node:crypto';
import { API_VERSION, type KubeVirt, type Node } from '@podvisor/api';
import type { Deployment } from '../status/status.ts';
import type { Monitoring, PodComponents } from './settings.ts';
import { wantsUserNamespaces } from './user-namespaces.ts';
import { wantsWebPage } from './web-page/choice.ts';

export interface OperatorImage {
  /** Registry and path before the name of the operator's own image. */
  readonly registry: string;
  readonly tag: string;
}

/** `REGISTRY/virt-operator:TAG` → its parts. Throws an error for people. */
export function parseOperatorImage(image: string): OperatorImage {
  const match = /^(.+)\/virt-operator:([\w][\w.-]*)$/.exec(image);
  if (match === null)
    throw new Error(
      `--image ${image}: expected REGISTRY/virt-operator:TAG, from which the other images follow`,
    );
  return { registry: match[1] ?? '', tag: match[2] ?? '' };
}

export interface ClusterFacts {
  readonly nodes: readonly Node[];
  /** Kinds of the Prometheus operator that the cluster has. */
  readonly monitoringKinds: Monitoring['kinds'];
  readonly runbooks?: string;
}

export function podComponents(kubevirt: KubeVirt, image: OperatorImage, facts: ClusterFacts): PodComponents {
  const { spec } = kubevirt;
  const namespace = kubevirt.metadata?.namespace ?? '';
  const account = {
    name: spec.monitorAccount ?? 'prometheus-k8s',
    namespace: spec.monitorNamespace ?? 'monitoring',
  };
  return {
    kind: 'pods',
    registry: spec.imageRegistry ?? image.registry,
    tag: spec.imageTag ?? image.tag,
    pullPolicy: spec.imagePullPolicy ?? 'IfNotPresent',
    pullSecrets: spec.imagePullSecrets ?? [],
    replicas: spec.infra?.replicas ?? (facts.nodes.length > 1 ? 2 : 1),
    infraPlacement: spec.infra?.nodePlacement ?? {},
    workloadPlacement: spec.workloads?.nodePlacement ?? {},
    webPage: wantsWebPage(kubevirt),
    userNamespaces: wantsUserNamespaces(kubevirt, facts.nodes),
    flags: spec.customizeComponents?.flags ?? {},
    ...(facts.monitoringKinds.length === 0
      ? {}
      : {
          monitoring: {
            namespace: spec.serviceMonitorNamespace ?? spec.monitorNamespace ?? namespace,
            account,
            kinds: facts.monitoringKinds,
            ...(facts.runbooks === undefined ? {} : { runbooks: facts.runbooks }),
          },
        }),
  };
}

/** Names what is installed: two objects with the same id are installed in the same way. */
export function deploymentOf(kubevirt: KubeVirt, components: PodComponents): Deployment {
  const { registry, tag } = components;
  const config = JSON.stringify({
    version: API_VERSION,
    namespace: kubevirt.metadata?.namespace,
    registry,
    tag,
    imagePullPolicy: components.pullPolicy,
    imagePullSecrets: components.pullSecrets,
    flags: components.flags,
    patches: kubevirt.spec.customizeComponents?.patches ?? [],
    infra: components.infraPlacement,
    workloads: components.workloadPlacement,
    product: [kubevirt.spec.productName, kubevirt.spec.productVersion, kubevirt.spec.productComponent],
  });
  return { version: tag, registry, id: createHash('sha1').update(config).digest('hex'), config };
}

/** That of most nodes; guests that name none get it. */
export function defaultArchitecture(nodes: readonly Node[]): string {
  const counts = new Map<string, number>();
  for (const { metadata } of nodes) {
    const name = metadata.labels?.['kubernetes.io/arch'] ?? 'amd64';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'amd64';
}
