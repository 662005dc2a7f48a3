/** How long it takes from the edit of a VM until its running guest has a disk more, or less. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { Informer, type KubeClient, resources } from '@podvisor/kube';
import { median } from '../network/compare.ts';

export async function makeClaim(
  client: KubeClient,
  name: string,
  volumeMode: 'Filesystem' | 'Block',
  storage: string,
): Promise<void> {
  await client.create(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage } } },
  });
}

/** Prints medians. */
export async function benchPlugging(client: KubeClient, name: string, rounds: number): Promise<void> {
  const stop = new AbortController();
  const vmis = new Informer<VirtualMachineInstance>({
    client,
    resource: resources.virtualMachineInstances,
    namespace: 'default',
  });
  let look: () => void = () => undefined;
  vmis.on({ add: () => look(), update: () => look() });
  vmis.start(stop.signal);
  await vmis.synced();
  const phaseOf = (volume: string): string | undefined =>
    vmis.get(`default/${name}`)?.status?.volumeStatus?.find((one) => one.name === volume)?.phase;
  const edited = async (volume: string, change: 'add' | 'remove'): Promise<number> => {
    const seen = Promise.withResolvers<void>();
    const wanted = change === 'add' ? 'Ready' : undefined;
    look = () => phaseOf(volume) === wanted && seen.resolve();
    const { spec } = await client.get(resources.virtualMachines, { namespace: 'default', name });
    const from = spec.template.spec;
    const startedAt = performance.now();
    const disks = from?.domain.devices.disks?.filter((one) => one.name !== volume) ?? [];
    const volumes = from?.volumes?.filter((one) => one.name !== volume) ?? [];
    const persistentVolumeClaim = { claimName: volume, hotpluggable: true };
    const body = [
      {
        op: 'replace',
        path: '/spec/template/spec/domain/devices/disks',
        value: change === 'add' ? [...disks, { name: volume, disk: { bus: 'scsi' } }] : disks,
      },
      {
        op: 'replace',
        path: '/spec/template/spec/volumes',
        value: change === 'add' ? [...volumes, { name: volume, persistentVolumeClaim }] : volumes,
      },
    ];
    await client.patch(
      resources.virtualMachines,
      { namespace: 'default', name },
      { type: 'json', body: body as [] },
    );
    look();
    await seen.promise;
    return performance.now() - startedAt;
  };
  try {
    for (const mode of ['Filesystem', 'Block'] as const) {
      const volume = `plugged-${mode.toLowerCase()}`;
      await makeClaim(client, volume, mode, '32Mi');
      const took = { add: [] as number[], remove: [] as number[] };
      for (let i = 0; i < rounds; i += 1)
        for (const change of ['add', 'remove'] as const) took[change].push(await edited(volume, change));
      console.log(
        `a ${mode} claim, median of ${rounds}: plugged ${median(took.add).toFixed(0)} ms after the edit, unplugged ${median(took.remove).toFixed(0)} ms`,
      );
    }
  } finally {
    stop.abort();
  }
}
