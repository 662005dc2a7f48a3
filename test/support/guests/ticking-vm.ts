/** A VM whose guest ticks (ticking-guest.ts), from a claim. */
import type { VirtualMachine } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { tickingGuestDisk } from '../../../packages/virt-launcher/src/testing/ticking-guest.ts';
import { claimWith, writeDisk } from '../disk-claim.ts';
import type { Instance } from '../instance.ts';
import { preferring } from './journal-vm.ts';

/** Makes its claim and the VM, which starts; answers the path of its disk on the host. */
export async function createTickingVm(
  instance: Instance,
  name: string,
  preferredNode: string,
  accessMode?: string,
): Promise<string> {
  let disk = '';
  const fill = (directory: string): void => {
    disk = writeDisk(directory, tickingGuestDisk());
  };
  await claimWith(instance, name, fill, accessMode);
  await instance.client.create(resources.virtualMachines, tickingVm(name, preferredNode));
  return disk;
}

function tickingVm(name: string, preferredNode: string): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: {
      runStrategy: 'Always',
      template: {
        spec: {
          domain: {
            memory: { guest: '32Mi' },
            devices: {
              autoattachPodInterface: false,
              disks: [{ name: 'boot', disk: { bus: 'virtio' } }],
            },
          },
          affinity: preferring(preferredNode),
          terminationGracePeriodSeconds: 0,
          volumes: [{ name: 'boot', persistentVolumeClaim: { claimName: name } }],
        },
      },
    },
  };
}
