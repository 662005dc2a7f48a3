/**
 * The objects of a fresh embedded home, in the order in which they must exist. Pure. What every Kubernetes
 * cluster has (system namespaces, default roles) is the API server's own affair.
 */
import { annotations } from '@podvisor/api';
import type { InstanceConfig } from '@podvisor/sys';
import { dataVolumeConfig, installStrategy, type Manifest } from '@podvisor/virt-operator';
import { STORES_NOTHING } from '@podvisor/workload-controllers';
import { NAMESPACE } from '../pki-bootstrap/identities.ts';
import { networkDefinitionsCrd } from './network-definitions.ts';
import { certificateSignerRights } from './certificate-signer.ts';
import { nodeNetworkRights } from './node-network.ts';
import { snapshotClass, snapshotDefinitions } from './volume-snapshots.ts';

/** What the objects depend on besides the instance's configuration. */
export interface BootstrapFacts {
  /** PEM. */
  readonly kubevirtCa: string;
  /** Hardware virtualisation works; otherwise VMs run by software emulation. */
  readonly kvmUsable: boolean;
}

/**
 * Everything that the embedded home installs: what is its own, and, unless it is bare, what an installation on any
 * cluster has.
 */
export function bootstrapObjects(config: InstanceConfig, facts: BootstrapFacts): Manifest[] {
  const isBare = config.bare === true;
  return [
    ...(isBare ? [] : [namespace(NAMESPACE)]),
    // Before all that takes long: a node is ready only when it may read Services and Pods.
    ...nodeNetworkRights(),
    ...certificateSignerRights(),
    networkDefinitionsCrd(),
    ...snapshotDefinitions(),
    ...(isBare ? [] : installation(config, facts)),
    storageClass(),
    snapshotClass(),
    ...(isBare ? [] : [dataVolumeConfig(), kubevirt(facts)]),
  ];
}

function installation({ virtApiPort }: InstanceConfig, { kubevirtCa }: BootstrapFacts): Manifest[] {
  const components = { kind: 'processes', virtApiPort } as const;
  return installStrategy({
    namespace: NAMESPACE,
    caBundle: kubevirtCa,
    components,
    dataVolumes: 'filled',
  }).map(marked);
}

/** The cluster's own controllers need not ask an API that keeps no objects. */
function marked(object: Manifest): Manifest {
  if (object.kind !== 'APIService') return object;
  return { ...object, metadata: { ...object.metadata, annotations: { [STORES_NOTHING]: 'true' } } };
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
