/** The smallest guest that there is: firmware, an empty disk and a NIC. */
import type { VirtualMachineInstance } from '@podvisor/api';

/**
 * The Pod asks for no more than the guest, so that it is placed by what it uses. Stopped: its virtual CPUs never begin.
 * Pure.
 */
export function smallestVmi(name: string, namespace: string, isStopped = false): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace },
    spec: {
      domain: {
        memory: { guest: '32Mi' },
        resources: { requests: { cpu: '1m' }, overcommitGuestOverhead: true },
        devices: {
          autoattachGraphicsDevice: false,
          disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {} }],
        },
      },
      networks: [{ name: 'default', pod: {} }],
      terminationGracePeriodSeconds: 0,
      ...(isStopped ? { startStrategy: 'Paused' } : {}),
      volumes: [{ name: 'root', emptyDisk: { capacity: '1Mi' } }],
    },
  };
}
