/** A VM on a claim whose guest counts its boots on its own disk; the count is read from the host. */
import { chownSync, openSync, readdirSync, readSync, closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject, VirtualMachine } from '@podvisor/api';
import { defineResource, resources } from '@podvisor/kube';
import { tinyGuestBoots, tinyGuestDisk } from '../../packages/virt-launcher/src/testing/tiny-guest.ts';
import { eventually } from '../support/eventually.ts';
import type { Instance } from '../support/instance.ts';

const QEMU_UID = 107;
const storageClasses = defineResource<KubernetesObject>(
  'StorageClass',
  'storageclasses',
  'storage.k8s.io/v1',
  'Cluster',
);

export class CountingVm {
  readonly name: string;
  readonly #disk: string;

  private constructor(name: string, disk: string) {
    this.name = name;
    this.#disk = disk;
  }

  /** Makes claim, disk and VM; it is not started. */
  static async create({ client, home }: Instance, name: string): Promise<CountingVm> {
    const bindNow = {
      metadata: { name: 'bind-now' },
      provisioner: 'podvisor.io/local',
      volumeBindingMode: 'Immediate',
    };
    await client.create(storageClasses, bindNow);
    await client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'default' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'bind-now',
        resources: { requests: { storage: '1Mi' } },
      },
    });
    const volume = await eventually('the claim is bound', 20_000, async () => {
      const claim = await client.get(resources.persistentVolumeClaims, { namespace: 'default', name });
      return claim.status?.phase === 'Bound' ? claim.spec.volumeName : undefined;
    });
    const directory = await eventually('the volume has a directory', 20_000, () => {
      const found = readdirSync(join(home, 'volumes'), { recursive: true }).map(String);
      const match = found.find((path) => path === volume || path.endsWith(`/${volume}`));
      return match === undefined ? undefined : join(home, 'volumes', match);
    });
    const disk = join(directory, 'disk.img');
    writeFileSync(disk, tinyGuestDisk());
    chownSync(disk, QEMU_UID, QEMU_UID);
    await client.create(resources.virtualMachines, countingVm(name));
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
