/** Objects that tests start from. */
import type { DomainState, VirtualMachineInstance, VMIStatus } from '@podvisor/api';
import { requireUid } from '@podvisor/base';

/** UID of the VMI that tests have. */
export const VMI_UID = requireUid('00000000-0000-4000-8000-000000000001');
/** UID of its launcher Pod. */
export const POD_UID = requireUid('00000000-0000-4000-8000-000000000101');

export function domainState(changes: Partial<DomainState> = {}): DomainState {
  return {
    name: 'shop_web',
    uuid: 'd1',
    vmiUid: VMI_UID,
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
    metadata: { namespace: 'shop', name: 'web', uid: VMI_UID, resourceVersion: '7', ...changes },
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
    status: { nodeName: 'n1', activePods: { [POD_UID]: 'n1' }, ...status },
  };
}
