/** The Node object that this kubelet stands for. Pure. */
import type { Condition, Node } from '@podvisor/api';
import { type InstanceNode, nodeAddresses, podCidrs } from '@podvisor/sys';
import { MACHINE_LABEL } from '@podvisor/home-contract';
import { architecture, type Machine, nodeResources } from './machine.ts';

type Devices = Parameters<typeof nodeResources>[1];

export function nodeLabels(node: InstanceNode, instance: string): Readonly<Record<string, string>> {
  return {
    [MACHINE_LABEL]: instance,
    'beta.kubernetes.io/arch': architecture(),
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture(),
    'kubernetes.io/hostname': node.name,
    'kubernetes.io/os': 'linux',
  };
}

/** For the first registration. */
export function newNode(node: InstanceNode, instance: string): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: node.name, labels: nodeLabels(node, instance) },
    spec: {
      podCIDR: node.podCidr,
      podCIDRs: podCidrs(node),
    },
  };
}

type NodeStatus = NonNullable<Node['status']>;

/** Status as of now; times of conditions that did not change are kept. */
export function nodeStatus(
  node: InstanceNode,
  machine: Machine,
  devices: Devices,
  before: NodeStatus | undefined,
  now: string,
): NodeStatus {
  const drafts: readonly Condition[] = [
    pressure('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    pressure('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    pressure('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  ];
  const conditions = drafts.map((draft) => {
    const old = before?.conditions?.find((c) => c.type === draft.type);
    const same = old !== undefined && old.status === draft.status;
    return {
      ...draft,
      // Written once, not on a timer: the Lease is the heartbeat.
      lastHeartbeatTime: same && 'lastHeartbeatTime' in old ? old.lastHeartbeatTime : now,
      lastTransitionTime: same ? (old.lastTransitionTime ?? now) : now,
    };
  });
  return {
    ...nodeResources(machine, devices),
    conditions,
    addresses: [
      ...nodeAddresses(node).map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: node.name },
    ],
    nodeInfo: machine.info,
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
  };
}

function pressure(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message };
}
