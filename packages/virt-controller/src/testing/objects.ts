/** Small objects for tests. */
import type { Pod, VirtualMachine, VirtualMachineInstance, VMIStatus, VMStatus } from '@podvisor/api';
import { launcherPodName } from '../watch/vmi/pod-name.ts';

export const NOW_MS = Date.parse('2026-01-01T00:01:00Z');

export function vmWith(spec: Partial<VirtualMachine['spec']> = {}, status?: VMStatus): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm', namespace: 'default', uid: 'vm-uid', generation: 3, resourceVersion: '7' },
    spec: { runStrategy: 'Always', template: { spec: { domain: { devices: {} } } }, ...spec },
    status,
  };
}

export function vmiWith(
  status: VMIStatus = {},
  more: {
    readonly metadata?: VirtualMachineInstance['metadata'];
    readonly spec?: Partial<VirtualMachineInstance['spec']>;
  } = {},
): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: 'vm',
      namespace: 'default',
      uid: 'vmi-uid',
      resourceVersion: '9',
      annotations: { 'kubevirt.io/vm-generation': '3' },
      finalizers: [
        'kubevirt.io/foregroundDeleteVirtualMachine',
        'kubevirt.io/virtualMachineControllerFinalize',
      ],
      ...more.metadata,
    },
    spec: { domain: { devices: {} }, ...more.spec },
    status,
  };
}

export function podWith(status: Pod['status'] = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'pod',
      namespace: 'default',
      uid: 'pod-uid',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'compute', image: 'launcher:1' }] },
    status,
  };
}

/** A Pod whose launcher can take over. */
export const readyPod: Pod = podWith({
  phase: 'Running',
  qosClass: 'Burstable',
  containerStatuses: [
    { name: 'compute', ready: false, restartCount: 0, image: '', imageID: '', state: { running: {} } },
  ],
});

export const deleting = { deletionTimestamp: '2026-01-01T00:00:30Z' } as const;

/** The Pod that virt-controller makes for a VMI, by its name, labels and owner. */
export function launcherPodOf({ metadata }: VirtualMachineInstance): Pod {
  const { name = '', uid = '' } = metadata ?? {};
  const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name, uid, controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: launcherPodName(name, uid),
      namespace: 'default',
      labels: { 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': uid },
      ownerReferences: [owner],
    },
    spec: { containers: [{ name: 'compute', image: 'launcher:1' }] },
  };
}
