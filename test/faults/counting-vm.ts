/** A VM on a claim whose guest counts its boots on its own disk; the count is read from the host. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { VirtualMachine } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { tinyGuestBoots, tinyGuestDisk } from '../../packages/virt-launcher/src/testing/tiny-guest.ts';
import { claimWith, writeDisk } from '../support/disk-claim.ts';
import type { Instance } from '../support/instance.ts';

export class CountingVm {
  readonly name: string;
  readonly #disk: string;

  private constructor(name: string, disk: string) {
    this.name = name;
    this.#disk = disk;
  }

  /** Makes claim, disk and VM; it is not started. */
  static async create(instance: Instance, name: string): Promise<CountingVm> {
    let disk = '';
    await claimWith(instance, name, (directory) => (disk = writeDisk(directory, tinyGuestDisk())));
    await instance.client.create(resources.virtualMachines, countingVm(name));
    return new CountingVm(name, disk);
  }

  /** How often its guest has booted, ever. */
  boots(): number {
    const sectors = Buffer.alloc(1024);
    const file = openSync(this.#disk, 'r');
    try {
      readSync(file, sectors, 0, sectors.length, 0);
    } finally {
      closeSync(file);
    }
    return tinyGuestBoots(sectors);
  }
}

function countingVm(name: string): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: {
      runStrategy: 'Halted',
      template: {
        spec: {
          domain: {
            memory: { guest: '64Mi' },
            devices: {
              disks: [{ name: 'boot', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          terminationGracePeriodSeconds: 20,
          volumes: [{ name: 'boot', persistentVolumeClaim: { claimName: name } }],
        },
      },
    },
  };
}
