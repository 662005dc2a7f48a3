/**
 * Every certificate of the embedded home as data: who it names, which CA signs it, where it lies. The
 * names are those of Kubernetes and KubeVirt; nothing else in the code spells them.
 */
import { certificateNames, dataVolumesAccount, nodeUnit, serviceAccountGroups } from '@podvisor/api';
import { addressIn } from '@podvisor/base';
import {
  nodeAddresses as addressesOf,
  type InstanceConfig,
  type InstanceNode,
  podCidrs,
} from '@podvisor/sys';
import { serviceRanges } from '@podvisor/service-network';

export type CaName = 'ca' | 'front-proxy-ca' | 'kubevirt-ca';

export const CAS: Readonly<Record<CaName, string>> = {
  ca: 'kubernetes',
  'front-proxy-ca': 'front-proxy-ca',
  'kubevirt-ca': 'kubevirt.io',
};

/** A leaf certificate at `pki/<file>.{crt,key}`. */
export interface LeafIdentity {
  readonly file: string;
  readonly ca: CaName;
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly organizationalUnits?: readonly string[];
  readonly names?: readonly string[];
  readonly usages: readonly ('client' | 'server')[];
}

/** A client of the API server: a leaf, and a kubeconfig that carries it. */
export interface ClientIdentity extends LeafIdentity {
  /** Name of the kubeconfig: `pki/<kubeconfig>.kubeconfig`, or `admin`, which lies at the home's top. */
  readonly kubeconfig: string;
  /** Lives on a node: reaches the API server over the node network where there is one. */
  readonly onNode?: boolean;
}

export const NAMESPACE = 'kubevirt';

/** User names of the components, as their service accounts on a real cluster. */
export const componentUsers = {
  'virt-api': `system:serviceaccount:${NAMESPACE}:kubevirt-apiserver`,
  'virt-controller': `system:serviceaccount:${NAMESPACE}:kubevirt-controller`,
  'virt-handler': `system:serviceaccount:${NAMESPACE}:kubevirt-handler`,
  'virt-operator': `system:serviceaccount:${NAMESPACE}:kubevirt-operator`,
  'data-volumes': `system:serviceaccount:${NAMESPACE}:${dataVolumesAccount}`,
} as const;

export const CERTIFICATE_SIGNER_USER = 'podvisor:certificate-signer';

/** Who reads for the cluster's own controllers. They write under accounts of their own, which have no certificates. */
const CONTROLLERS_USER = 'system:kube-controller-manager';

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
const SERVICE_ACCOUNT_GROUPS = serviceAccountGroups(NAMESPACE);

/** Certificates of servers, and of clients of something else than the API server. */
export function leafIdentities(config: InstanceConfig): LeafIdentity[] {
  const nodeAddresses = [...new Set(config.nodes.flatMap(addressesOf))];
  return [
    {
      file: 'apiserver',
      ca: 'ca',
      commonName: 'kube-apiserver',
      names: [
        ...LOOPBACK,
        ...nodeAddresses,
        ...podCidrs(config).map((cidr) => addressIn(cidr, 1).address),
        ...(config.nodeNetwork === undefined ? [] : addressesOf(config.nodeNetwork)),
        ...serviceRanges(config).map(({ apiServer }) => apiServer),
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'kubernetes.default.svc.cluster.local',
      ],
      usages: ['server'],
    },
    {
      file: 'front-proxy-client',
      ca: 'front-proxy-ca',
      commonName: 'front-proxy-client',
      usages: ['client'],
    },
    {
      file: 'upload-proxy',
      ca: 'ca',
      commonName: 'cdi-uploadproxy',
      names: [...LOOPBACK, 'cdi-api', `cdi-api.${NAMESPACE}`, `cdi-api.${NAMESPACE}.svc`],
      usages: ['server'],
    },
    ...(config.bare === true ? [] : componentLeaves(config)),
  ];
}

/** What the components show to each other where they are processes of the home. */
function componentLeaves(config: InstanceConfig): LeafIdentity[] {
  return [
    {
      file: 'virt-api/server',
      ca: 'kubevirt-ca',
      commonName: certificateNames.virtApiServer,
      names: [...LOOPBACK, 'virt-api', `virt-api.${NAMESPACE}`, `virt-api.${NAMESPACE}.svc`],
      usages: ['server'],
    },
    {
      file: 'virt-api/client',
      ca: 'kubevirt-ca',
      commonName: certificateNames.virtApiClient,
      usages: ['client'],
    },
    {
      file: 'virt-controller/server',
      ca: 'kubevirt-ca',
      commonName: `kubevirt.io:system:virt-controller`,
      names: LOOPBACK,
      usages: ['server'],
    },
    ...config.nodes.flatMap((node) => handlerIdentities(node, config.nodeNetwork === undefined)),
  ];
}

/** What the virt-handler of one node shows: each certificate for one purpose, and for this node. */
function handlerIdentities(node: InstanceNode, isOnLoopback: boolean): LeafIdentity[] {
  const addresses = addressesOf(node);
  const identity = (
    file: string,
    commonName: string,
    usage: 'client' | 'server',
    names: readonly string[],
  ): LeafIdentity => ({
    file: `${handlerName(node.name)}/${file}`,
    ca: 'kubevirt-ca',
    commonName,
    organizationalUnits: [nodeUnit(node.name)],
    names,
    usages: [usage],
  });
  const { handlerServer, migrationServer, migrationClient } = certificateNames;
  return [
    identity('server', handlerServer, 'server', [...(isOnLoopback ? LOOPBACK : []), ...addresses]),
    identity('migration-server', migrationServer, 'server', addresses),
    identity('migration-client', migrationClient, 'client', []),
  ];
}

/** Name of a node's virt-handler: of its TLS directory, and of its kubeconfig. */
function handlerName(node: string): string {
  return `virt-handler-${node}`;
}

/**
 * Clients of the API server. Kubelets and virt-handlers are known by their node and may do only what concerns
 * it; controllers and scheduler have the roles of their own names.
 */
export function clientIdentities(config: InstanceConfig): ClientIdentity[] {
  const client = (
    kubeconfig: string,
    commonName: string,
    organizations: readonly string[],
  ): ClientIdentity => ({
    kubeconfig,
    file: `clients/${kubeconfig}`,
    ca: 'ca',
    commonName,
    organizations,
    usages: ['client'],
  });
  return [
    client('admin', 'kubernetes-admin', ['system:masters']),
    client('controllers', CONTROLLERS_USER, []),
    client('scheduler', 'system:kube-scheduler', []),
    // What the node agent keeps in the machine's network: Services, policies, addresses.
    { ...client('kube-proxy', 'system:kube-proxy', []), onNode: false },
    // Signs what was approved; it runs where the CA's key is, in the node agent.
    client('certificate-signer', CERTIFICATE_SIGNER_USER, []),
    ...config.nodes.map(({ name }) => ({
      ...client(`kubelet-${name}`, `system:node:${name}`, ['system:nodes']),
      onNode: true,
    })),
    ...(config.bare === true ? [] : componentClients(config, client)),
  ];
}

function componentClients(
  config: InstanceConfig,
  client: (kubeconfig: string, commonName: string, organizations: readonly string[]) => ClientIdentity,
): ClientIdentity[] {
  return [
    client('virt-api', componentUsers['virt-api'], SERVICE_ACCOUNT_GROUPS),
    client('virt-controller', componentUsers['virt-controller'], SERVICE_ACCOUNT_GROUPS),
    client('data-volumes', componentUsers['data-volumes'], SERVICE_ACCOUNT_GROUPS),
    ...config.nodes.map(({ name }) => ({
      ...client(handlerName(name), componentUsers['virt-handler'], SERVICE_ACCOUNT_GROUPS),
      organizationalUnits: [nodeUnit(name)],
      onNode: true,
    })),
  ];
}
