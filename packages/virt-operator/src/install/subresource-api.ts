/** subresources.kubevirt.io: the Service of virt-api and what makes the API server ask it. Pure. */
import type { Manifest } from './manifest.ts';
import { base64, type InstallSettings } from './settings.ts';

export function subresourceApi({ namespace, caBundle, components }: InstallSettings): Manifest[] {
  const isLocal = components.kind === 'processes';
  const port = isLocal ? components.virtApiPort : 443;
  const service: Manifest = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'virt-api', namespace, labels: { 'kubevirt.io': 'virt-api' } },
    spec: isLocal
      ? {
          type: 'ExternalName',
          externalName: 'localhost',
          ports: [{ name: 'https', port, protocol: 'TCP' }],
        }
      : {
          type: 'ClusterIP',
          selector: { 'kubevirt.io': 'virt-api' },
          ports: [{ name: 'https', port, targetPort: 8443, protocol: 'TCP' }],
        },
  };
  const apiService = (version: string): Manifest => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name: `${version}.subresources.kubevirt.io`,
      labels: { 'kubevirt.io': 'virt-api-aggregator' },
    },
    spec: {
      group: 'subresources.kubevirt.io',
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      caBundle: base64(caBundle),
      service: { namespace, name: 'virt-api', port },
    },
  });
  return [service, apiService('v1'), apiService('v1alpha3')];
}
