/**
 * KubeVirt as its own operator leaves a cluster: its kinds under its own marks, its virt-operator (which never runs
 * here), and a KubeVirt object that goes only when the operator lets it. What the operator does then, the test does.
 */
import { crds, type KubernetesObject, type KubeVirt } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { KUBEVIRT_CRD, resourceOf } from '@podvisor/virt-operator';
import { eventually } from './eventually.ts';
import type { Instance } from './instance.ts';

const DEFINITION = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' };
const OPERATOR = { namespace: 'kubevirt', name: 'virt-operator' };
const OBJECT = { namespace: 'kubevirt', name: 'kubevirt' };
const labels = { 'kubevirt.io': 'virt-operator' };
const deployment: KubernetesObject & Record<string, unknown> = {
  ...DEPLOYMENT,
  metadata: { ...OPERATOR, labels },
  spec: {
    replicas: 0,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels: { ...labels, name: 'virt-operator' } },
      spec: {
        containers: [
          {
            name: 'virt-operator',
            image: 'quay.io/kubevirt/virt-operator:v1.6.0',
            command: ['virt-operator'],
            args: ['--port', '8443', '-v', '2'],
          },
        ],
      },
    },
  },
};

export class KubeVirtStandIn {
  readonly #instance: Instance;

  private constructor(instance: Instance) {
    this.#instance = instance;
  }

  static async install(instance: Instance): Promise<KubeVirtStandIn> {
    const { client } = instance;
    await client.create(resources.namespaces, { metadata: { name: 'kubevirt' } });
    for (const definition of crds) {
      const marks: Record<string, string> =
        definition.metadata.name === KUBEVIRT_CRD
          ? { 'operator.kubevirt.io': '' }
          : { 'app.kubernetes.io/managed-by': 'virt-operator', 'kubevirt.io': '' };
      const metadata = { ...definition.metadata, labels: marks };
      await client.create(resourceOf(DEFINITION), { ...definition, metadata } as KubernetesObject);
    }
    await client.create(resourceOf(DEPLOYMENT), deployment);
    const metadata = { ...OBJECT, finalizers: ['foregroundDeleteKubeVirt'] };
    const spec = { configuration: { developerConfiguration: { useEmulation: true } } };
    await eventually('its kind is served', 30_000, () =>
      client
        .create(resources.kubeVirts, {
          apiVersion: 'kubevirt.io/v1',
          kind: 'KubeVirt',
          metadata,
          spec,
        } as KubeVirt)
        .catch(() => undefined),
    );
    return new KubeVirtStandIn(instance);
  }

  /** Its objects and their versions: whoever touches one changes this. */
  async objects(): Promise<readonly string[]> {
    const { stdout } = await this.#instance.kubectl(
      ...['get', 'crd,clusterroles,deployments,daemonsets,kubevirts,serviceaccounts', '-n', 'kubevirt'],
      ...['-o', 'jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}'],
    );
    return stdout.split('\n').toSorted();
  }

  /** What its operator does when the KubeVirt object is deleted: its kinds go, with all objects of them. */
  async uninstall(): Promise<void> {
    const { client } = this.#instance;
    for (const { metadata } of crds)
      if (metadata.name !== KUBEVIRT_CRD)
        await client.delete(resourceOf(DEFINITION), { name: metadata.name ?? '' });
    const body = { metadata: { finalizers: null } };
    await client.patch(resources.kubeVirts, OBJECT, { type: 'merge', body });
  }

  /** `kubectl delete -f` of its manifest. */
  async deleteManifest(): Promise<void> {
    const { client } = this.#instance;
    await client.delete(resourceOf(DEPLOYMENT), OPERATOR);
    await client.delete(resourceOf(DEFINITION), { name: KUBEVIRT_CRD });
    await client.delete(resources.namespaces, { name: 'kubevirt' });
    await eventually('its namespace is gone', 60_000, async () =>
      (await client.find(resources.namespaces, { name: 'kubevirt' })) === undefined ? true : undefined,
    );
  }
}
