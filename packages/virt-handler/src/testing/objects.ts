/** Objects that tests start from. */
import type { DomainState, VirtualMachineInstance, VMIStatus } from '@podvisor/api';

export function domainState(changes: Partial<DomainState> = {}): DomainState {
  return {
    name: 'shop_web',
    uuid: 'd1',
    vmiUid: 'uid-1',
    state: 'Running',
    reason: '',
    diskTargets: { os: 'vda' },
    interfaces: [{ name: 'default', mac: '02:00:00:00:00:05', source: 'domain' }],
    agentConnected: false,
    ...changes,
  };
}

export function vmiOf(
  status: VMIStatus,
  changes: Partial<VirtualMachineInstance['metadata'] & object> = {},
  graceSeconds?: number,
): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { namespace: 'shop', name: 'web', uid: 'uid-1', resourceVersion: '7', ...changes },
    spec: {
      ...(graceSeconds === undefined ? {} : { terminationGracePeriodSeconds: graceSeconds }),
      domain: {
        devices: {
          disks: [{ name: 'os', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {} }],
        },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [{ name: 'os', containerDisk: { image: 'x' } }],
    },
    status: { nodeName: 'n1', activePods: { 'pod-1': 'n1' }, ...status },
  };
}
