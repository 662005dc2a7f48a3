/** A claim with a disk image of the test's own making in it. */
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { defineResource, resources } from '@podvisor/kube';
import { entriesBelow } from '@podvisor/sys';
import { eventually } from './eventually.ts';
import type { Instance } from './instance.ts';

const QEMU_UID = 107;
const CLASS = 'bind-now';
const storageClasses = defineResource<KubernetesObject>(
  'StorageClass',
  'storageclasses',
  'storage.k8s.io/v1',
  'Cluster',
);

/** Makes the claim in namespace default, waits until it is bound, and calls `fill` with its directory. */
export async function claimWith(
  { client, home }: Instance,
  name: string,
  fill: (directory: string) => void,
  accessMode = 'ReadWriteMany',
): Promise<void> {
  await client
    .create(storageClasses, {
      metadata: { name: CLASS },
      ...{ provisioner: 'podvisor.io/local', volumeBindingMode: 'Immediate' },
    })
    .catch((error: unknown) => {
      if (!isStatus(error, 'AlreadyExists')) throw error;
    });
  await client.create(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default' },
    spec: {
      accessModes: [accessMode],
      storageClassName: CLASS,
      resources: { requests: { storage: '1Mi' } },
    },
  });
  const volume = await eventually('the claim is bound', 30_000, async () => {
    const claim = await client.get(resources.persistentVolumeClaims, { namespace: 'default', name });
    return claim.status?.phase === 'Bound' ? claim.spec.volumeName : undefined;
  });
  const directory = await eventually('the volume has a directory', 30_000, () => {
    const found = [...entriesBelow(join(home, 'volumes'))].find(({ name: entry }) => entry === volume);
    return found === undefined ? undefined : join(found.parentPath, found.name);
  });
  fill(directory);
}

/** Puts a disk image where a launcher looks for it; answers its path. */
export function writeDisk(directory: string, image: Buffer): string {
  const disk = join(directory, 'disk.img');
  writeFileSync(disk, image);
  chownSync(disk, QEMU_UID, QEMU_UID);
  return disk;
}
