/**
 * Every certificate of the embedded home as data: who it names, which CA signs it, where it lies. The
 * names are those of Kubernetes and KubeVirt; nothing else in the code spells them.
 */
import { addressIn } from '@podvisor/base';
import { nodeAddresses as addressesOf, type InstanceConfig, podCidrs } from '@podvisor/sys';
import { serviceRanges } from '../services/service-range.ts';

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
} as const;

/** User name of the cluster's own controllers. */
export const CONTROLLERS_USER = 'system:kube-controller-manager';

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
const SERVICE_ACCOUNT_GROUPS = ['system:serviceaccounts', `system:serviceaccounts:${NAMESPACE}`];

/** Certificates of servers, and of clients of something else than the API server. */
export function leafIdentities(config: InstanceConfig): LeafIdentity[] {
  const nodeAddresses = [...new Set(config.nodes.flatMap(addressesOf))];
  const handlerClient = 'kubevirt.io:system:client:virt-handler';
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
    {
      file: 'virt-api/server',
      ca: 'kubevirt-ca',
      commonName: 'kubevirt.io:system:node:virt-api',
      names: [...LOOPBACK, 'virt-api', `virt-api.${NAMESPACE}`, `virt-api.${NAMESPACE}.svc`],
      usages: ['server'],
    },
    { file: 'virt-api/client', ca: 'kubevirt-ca', commonName: handlerClient, usages: ['client'] },
    {
      file: 'virt-handler/server',
      ca: 'kubevirt-ca',
      commonName: 'kubevirt.io:system:node:virt-handler',
      names: [...LOOPBACK, ...nodeAddresses],
      usages: ['server'],
    },
    { file: 'virt-handler/client', ca: 'kubevirt-ca', commonName: handlerClient, usages: ['client'] },
    {
      file: 'virt-handler/migration-server',
      ca: 'kubevirt-ca',
      commonName: 'kubevirt.io:system:node:migration',
      names: nodeAddresses,
      usages: ['server'],
    },
    {
      file: 'virt-handler/migration-client',
      ca: 'kubevirt-ca',
      commonName: 'kubevirt.io:system:client:migration',
      usages: ['client'],
    },
  ];
}

/**
 * Clients of the API server. The parts of the cluster process are in `system:masters` besides their own
 * names: they hold the CA's key anyway, so less would protect nothing.
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
    client('controllers', CONTROLLERS_USER, ['system:masters']),
    client('scheduler', 'system:kube-scheduler', ['system:masters']),
    ...config.nodes.map(({ name }) => ({
      ...client(`kubelet-${name}`, `system:node:${name}`, ['system:nodes', 'system:masters']),
      onNode: true,
    })),
    ...Object.entries(componentUsers).map(([name, user]) => ({
      ...client(name, user, SERVICE_ACCOUNT_GROUPS),
      onNode: name === 'virt-handler',
    })),
  ];
}
