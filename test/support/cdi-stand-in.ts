/**
 * CDI as somebody else would have installed it: its kinds, under its own marks, and a controller that fills
 * DataVolumes, which is the test. What it must find is a cluster in which nobody else touches them.
 */
import type { DataVolume, KubernetesObject } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { dataVolumeDefinitions, resourceOf } from '@podvisor/virt-operator';
import { claimWith, writeDisk } from './disk-claim.ts';
import { eventually } from './eventually.ts';
import type { Instance } from './instance.ts';

const DEFINITION = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const labels = { 'operator.cdi.kubevirt.io/createVersion': 'v1.65.0', 'cdi.kubevirt.io': '' };
/** The kind by which CDI itself is installed. */
const ofCdi = {
  ...DEFINITION,
  metadata: { name: 'cdis.cdi.kubevirt.io' },
  spec: {
    group: 'cdi.kubevirt.io',
    scope: 'Cluster',
    names: { kind: 'CDI', plural: 'cdis' },
    versions: [
      { name: 'v1beta1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
};

export class CdiStandIn {
  readonly #instance: Instance;

  private constructor(instance: Instance) {
    this.#instance = instance;
  }

  static async install(instance: Instance): Promise<CdiStandIn> {
    for (const definition of [ofCdi, ...dataVolumeDefinitions()])
      await instance.client.create(resourceOf(DEFINITION), {
        ...definition,
        metadata: { ...definition.metadata, labels },
      } as KubernetesObject);
    return new CdiStandIn(instance);
  }

  /** Waits for the DataVolume, makes its claim with this in it, and says so. */
  async fill(name: string, image: Buffer): Promise<DataVolume> {
    const { client } = this.#instance;
    const key = { namespace: 'default', name };
    const found = await eventually('a DataVolume to fill', 60_000, () =>
      client.find(resources.dataVolumes, key),
    );
    await claimWith(this.#instance, name, (directory) => writeDisk(directory, image));
    const owner = {
      ...{ apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume', controller: true },
      ...{ name, uid: found.metadata?.uid ?? '' },
    };
    const body = { metadata: { ownerReferences: [owner] } };
    await client.patch(resources.persistentVolumeClaims, key, { type: 'merge', body });
    const status = { phase: 'Succeeded' as const, progress: '100.0%', claimName: name };
    return client.updateStatus(resources.dataVolumes, { ...found, status });
  }

  /** Its kinds that are still there as it installed them. */
  async kinds(): Promise<readonly string[]> {
    const { items } = await this.#instance.client.list(resourceOf(DEFINITION), {
      labelSelector: 'cdi.kubevirt.io',
    });
    const marks = items.flatMap(({ metadata }) =>
      Object.keys(metadata?.labels ?? {}).includes('operator.podvisor.io/installed-in')
        ? []
        : (metadata?.name ?? []),
    );
    return marks.toSorted();
  }

  async remove(): Promise<void> {
    for (const name of await this.kinds())
      await this.#instance.client.delete(resourceOf(DEFINITION), { name });
  }
}
