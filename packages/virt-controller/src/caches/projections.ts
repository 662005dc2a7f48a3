/**
 * What the caches keep of objects that they only read: the fields that a controller looks at, and nothing else.
 * A controller that reads one more field adds it here.
 */
import { annotations, labels, type Namespace, type Node, nodeLabelPrefixes, type Pod } from '@podvisor/api';
import { NETWORK_INFO } from '@podvisor/translate';
import { GUEST_CONTAINER } from '../watch/vm/place-to-grow.ts';
import { namesDevices, POD_NETWORKS } from '../watch/vmi/pod-networks.ts';

type Container = Pod['spec']['containers'][number];

/** Of a namespace only its labels are read. */
export function projectNamespace({ metadata }: Namespace): Namespace {
  const { name, uid, resourceVersion, labels: own } = metadata ?? {};
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid, resourceVersion, labels: own } };
}

/**
 * Of a node: its labels, what keeps Pods away from it, what runs them, and whether somebody said that it is off. Its
 * heartbeats change none of these.
 */
export function projectNode({ metadata, spec, status }: Node): Node {
  const { name, uid, resourceVersion, labels: own } = metadata;
  const { kubeletVersion = '', containerRuntimeVersion = '' } = status?.nodeInfo ?? {};
  const fence = metadata.annotations?.[annotations.fence];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid,
      resourceVersion,
      labels: own,
      ...(fence === undefined ? {} : { annotations: { [annotations.fence]: fence } }),
    },
    spec: { unschedulable: spec?.unschedulable, taints: spec?.taints },
    status: {
      nodeInfo: { kubeletVersion, containerRuntimeVersion },
      // Whether a guest can grow where it is.
      allocatable: { memory: status?.allocatable?.['memory'] ?? '0' },
    },
  };
}

/** Annotations of a launcher Pod that are read. */
const READ_ANNOTATIONS = [
  annotations.ephemeralProvisioning,
  annotations.evictionInProgress,
  annotations.memoryOverheadBytes,
  annotations.migrationJobName,
  annotations.migrationTargetReadyTimestamp,
  NETWORK_INFO,
  POD_NETWORKS,
];

/** Labels that say what a Pod was made for. */
const IDENTITY_LABELS: readonly string[] = [labels.createdBy, labels.migrationJobUID];

/** What a guest's CPU asks of a node: goes along with every move. */
const CPU_SELECTORS = [
  nodeLabelPrefixes.cpuModelMigration,
  nodeLabelPrefixes.cpuFeature,
  nodeLabelPrefixes.cpuVendor,
];

/** Launcher Pods are large and never written back: only what is read is kept. */
export function projectPod(pod: Pod): Pod {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp } = pod.metadata;
  const { ownerReferences, finalizers } = pod.metadata;
  const kept = only(
    pod.metadata.annotations,
    (key, value) => READ_ANNOTATIONS.includes(key) || namesDevices(key, value),
  );
  const marks = only(pod.metadata.labels, (key) => IDENTITY_LABELS.includes(key));
  const job = marks?.[labels.migrationJobUID];
  const nodeSelector = only(pod.spec.nodeSelector, (key) =>
    CPU_SELECTORS.some((prefix) => key.startsWith(prefix)),
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      creationTimestamp,
      deletionTimestamp,
      ownerReferences,
      ...(finalizers && { finalizers }),
      ...(marks && { labels: marks }),
      annotations: kept,
    },
    spec: {
      nodeName: pod.spec.nodeName,
      ...(nodeSelector && { nodeSelector }),
      // A migration's target must have the claims that its VMI names.
      ...(job && {
        volumes: (pod.spec.volumes ?? []).filter(({ persistentVolumeClaim: c }) => c !== undefined),
      }),
      containers: pod.spec.containers.map(({ name: own, image, resources }) => ({
        name: own,
        image,
        ...(own === GUEST_CONTAINER && { resources: sizesOf(resources) }),
      })),
    },
    status: pod.status,
  };
}

/** CPU and memory; devices are not read. */
function sizesOf(found: Container['resources']): Container['resources'] {
  const sizes = (all: Readonly<Record<string, string | number>> | undefined) => {
    const { cpu, memory } = all ?? {};
    return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
  };
  return { requests: sizes(found?.requests), limits: sizes(found?.limits) };
}

/** Of an attachment Pod, what it holds and how it stands. */
export function projectAttachmentPod(pod: Pod): Pod {
  return {
    ...projectPod(pod),
    spec: { nodeName: pod.spec.nodeName, containers: [], volumes: pod.spec.volumes },
  };
}

/** The entries of a map whose keys are wanted; undefined when there are none. */
function only(
  map: Readonly<Record<string, string>> | undefined,
  wanted: (key: string, value: string) => boolean,
): Readonly<Record<string, string>> | undefined {
  const kept = Object.entries(map ?? {}).filter(([key, value]) => wanted(key, value));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
