/**
 * The objects of a fresh embedded home, in the order in which they must exist. Pure. What every Kubernetes
 * cluster has (system namespaces, default roles) is the API server's own affair.
 */
import { annotations, controllerPolicies, crds, handlerPolicies, type KubernetesObject } from '@podvisor/api';
import type { InstanceConfig } from '@podvisor/sys';
import { STORES_NOTHING } from '../controllers/served-resources.ts';
import { NAMESPACE } from '../pki-bootstrap/identities.ts';
import { type BootstrapFacts, base64 } from './facts.ts';
import { dataVolumeConfig, dataVolumeDefinitions } from './data-volumes.ts';
import { networkDefinitionsCrd } from './network-definitions.ts';
import { rbacObjects } from './rbac.ts';
import { snapshotClass, snapshotDefinitions } from './volume-snapshots.ts';
import { webhookObjects } from './webhooks.ts';

/** Any object; fields beside the metadata are its own affair. */
export type Manifest = KubernetesObject & Readonly<Record<string, unknown>>;

/** Everything that the embedded home installs. */
export function bootstrapObjects(config: InstanceConfig, facts: BootstrapFacts): Manifest[] {
  const objects: KubernetesObject[] = [
    namespace(NAMESPACE),
    ...crds,
    networkDefinitionsCrd(),
    ...snapshotDefinitions(),
    ...dataVolumeDefinitions(),
    // Before the roles: nobody gets rights that are not yet bounded.
    ...handlerPolicies(NAMESPACE),
    ...controllerPolicies(NAMESPACE),
    ...rbacObjects(),
    storageClass(),
    snapshotClass(),
    dataVolumeConfig(),
    priorityClass(),
    ...subresourceApi(config, facts),
    ...webhookObjects(config, facts),
    kubevirt(facts),
  ];
  return objects.map((object) => ({ ...object }));
}

function namespace(name: string): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { 'kubevirt.io': '' } } };
}

function storageClass(): Manifest {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'podvisor.io/local',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    allowVolumeExpansion: true,
  };
}

function priorityClass(): Manifest {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'kubevirt-cluster-critical' },
    value: 1_000_000_000,
    globalDefault: false,
    description: 'Pods that virtual machines depend on.',
  };
}

function subresourceApi(config: InstanceConfig, facts: BootstrapFacts): Manifest[] {
  const service: Manifest = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'virt-api', namespace: NAMESPACE, labels: { 'kubevirt.io': 'virt-api' } },
    spec: {
      type: 'ExternalName',
      externalName: 'localhost',
      ports: [{ name: 'https', port: config.virtApiPort, protocol: 'TCP' }],
    },
  };
  const apiService = (version: string): Manifest => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name: `${version}.subresources.kubevirt.io`,
      labels: { 'kubevirt.io': 'virt-api-aggregator' },
      annotations: { [STORES_NOTHING]: 'true' },
    },
    spec: {
      group: 'subresources.kubevirt.io',
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      caBundle: base64(facts.kubevirtCa),
      service: { namespace: NAMESPACE, name: 'virt-api', port: config.virtApiPort },
    },
  });
  return [service, apiService('v1'), apiService('v1alpha3')];
}

/** The KubeVirt object. Its configuration belongs to the user once it exists. */
function kubevirt(facts: BootstrapFacts): Manifest {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: {
      name: 'kubevirt',
      namespace: NAMESPACE,
      annotations: { [annotations.podNetworkKeepsAddresses]: 'true' },
    },
    spec: {
      configuration: {
        ...(facts.kvmUsable ? {} : { developerConfiguration: { useEmulation: true } }),
        virtualMachineOptions: { disableSerialConsoleLog: {} },
      },
      // Changes of a running guest that need a new Pod reach it by a move.
      workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] },
    },
  };
}
