/** The Pods and workloads that stand for the components of the home, with KubeVirt's names and labels. Pure. */
import { createHash } from 'node:crypto';
import { API_VERSION, type Pod, type PodSpec } from '@podvisor/api';
import { MIRROR_ANNOTATION } from '@podvisor/kube';
import type { InstanceNode } from '@podvisor/sys';
import type { Manifest } from '@podvisor/virt-operator';
import {
  COMPONENT_NAMESPACE,
  type ComponentName,
  type HomeComponent,
  PROCESS_ANNOTATION,
} from './components.ts';

const LABEL = 'kubevirt.io';

function labelsOf(name: ComponentName): Readonly<Record<string, string>> {
  return {
    [LABEL]: name,
    'app.kubernetes.io/component': 'kubevirt',
    'app.kubernetes.io/managed-by': 'virt-operator',
    ...(name === 'virt-operator' ? { name } : {}),
  };
}

/** Nobody pulls it: it names the program and its version. */
export function imageOf(name: ComponentName): string {
  return `podvisor.local/${name}:${API_VERSION}`;
}

/** No ports: they would be the node's, and no other Pod could have them. */
function podSpec(name: ComponentName): PodSpec {
  return {
    containers: [{ name, image: imageOf(name), imagePullPolicy: 'Never' }],
    hostNetwork: true,
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    priorityClassName: 'system-node-critical',
    // The process does not end because somebody taints its node.
    tolerations: [{ operator: 'Exists' }],
  };
}

/** The mirror Pod of a component, as a kubelet makes it. Its hash changes when anything that is shown does. */
export function mirrorPod({ name, podName, process }: HomeComponent, node: InstanceNode): Pod {
  const spec = { ...podSpec(name), nodeName: node.name };
  const labels = labelsOf(name);
  const hash = createHash('sha256')
    .update(JSON.stringify({ spec, labels, process }))
    .digest('hex')
    .slice(0, 32);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName,
      namespace: COMPONENT_NAMESPACE,
      labels,
      annotations: {
        [MIRROR_ANNOTATION]: hash,
        'kubernetes.io/config.hash': hash,
        'kubernetes.io/config.source': 'podvisor',
        [PROCESS_ANNOTATION]: process,
      },
    },
    spec,
  };
}

/** Three Deployments and a DaemonSet. No controller makes Pods for them; their status follows the mirror Pods. */
export function componentWorkloads(): Manifest[] {
  return [
    workload('Deployment', 'virt-operator', { replicas: 1 }),
    workload('Deployment', 'virt-api', { replicas: 1 }),
    workload('Deployment', 'virt-controller', { replicas: 1 }),
    workload('DaemonSet', 'virt-handler', {}),
  ];
}

function workload(kind: string, name: ComponentName, size: object): Manifest {
  const labels = labelsOf(name);
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: {
      name,
      namespace: COMPONENT_NAMESPACE,
      labels,
      annotations: { [PROCESS_ANNOTATION]: name === 'virt-operator' ? 'control-plane' : name },
    },
    spec: {
      ...size,
      selector: { matchLabels: { [LABEL]: name } },
      template: { metadata: { labels }, spec: podSpec(name) },
    },
  };
}

/** Whether a workload stands for processes of the home. */
export function standsForProcess({
  metadata,
}: {
  readonly metadata: {
    readonly namespace?: string | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
}): boolean {
  return (
    metadata.namespace === COMPONENT_NAMESPACE && metadata.annotations?.[PROCESS_ANNOTATION] !== undefined
  );
}
