/**
 * The matrix of credentials and listeners: what each listener of a home answers to each credential that the
 * home has given out. A listener, or a kind of credential, that is not here fails the test.
 */
import type { InstanceConfig } from '@podvisor/sys';
import type { Listener } from './listeners.ts';

/** Kinds of credentials (test/support/credentials.ts). */
export const CREDENTIALS = [
  'none',
  'token forged',
  'front-proxy-ca',
  'kubevirt-ca',
  'ca',
  'apiserver',
  'front-proxy-client',
  'upload-proxy',
  'virt-api/server',
  'virt-api/client',
  'virt-controller/server',
  'virt-handler-NODE/server',
  'virt-handler-NODE/migration-server',
  'virt-handler-NODE/migration-client',
  'clients/admin',
  'clients/controllers',
  'clients/scheduler',
  'clients/certificate-signer',
  'clients/data-volumes',
  'clients/kube-proxy',
  'clients/kubelet-NODE',
  'clients/virt-api',
  'clients/virt-controller',
  'clients/virt-handler-NODE',
  'token default',
  'token kubevirt/kubevirt-apiserver',
  'token kubevirt/kubevirt-controller',
  'token kubevirt/kubevirt-data-volumes',
  'token kubevirt/kubevirt-handler',
  'token of an export',
  'token for an upload',
] as const;

export interface Probe {
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The answer to whoever is not named below: a status, or `tls` when the handshake already fails. */
  readonly others: number | 'tls';
  readonly answers: Readonly<Record<string, number>>;
}

/** The garbage collector looks at every kind. */
const SUPERUSERS = {
  'clients/admin': 200,
  'clients/controllers': 200,
};
/** Known to the API server, and may not read Secrets. A CA's own certificate is one of a user that nobody knows. */
const KNOWN = {
  none: 403,
  'token of an export': 403,
  ca: 403,
  'clients/scheduler': 403,
  'clients/certificate-signer': 403,
  'clients/data-volumes': 403,
  'clients/kube-proxy': 403,
  'clients/kubelet-NODE': 403,
  'clients/virt-api': 403,
  'clients/virt-controller': 403,
  'clients/virt-handler-NODE': 403,
  'token default': 403,
  'token kubevirt/kubevirt-apiserver': 403,
  'token kubevirt/kubevirt-controller': 403,
  'token kubevirt/kubevirt-data-volumes': 403,
  'token kubevirt/kubevirt-handler': 403,
};
/** A header that only the API server may send. */
const FORGED = { 'x-remote-user': 'kubernetes-admin', 'x-remote-group': 'system:masters' };
/** Who reads metrics shows a token of somebody who may; nobody whom the home makes by itself may. */
const METRICS: Probe = {
  what: 'metrics',
  method: 'GET',
  path: '/metrics',
  others: 401,
  answers: {
    'token default': 403,
    'token kubevirt/kubevirt-apiserver': 403,
    'token kubevirt/kubevirt-controller': 403,
    'token kubevirt/kubevirt-data-volumes': 403,
    'token kubevirt/kubevirt-handler': 403,
  },
};
const GUEST = '/v1/namespaces/default/virtualmachineinstances/nobody';

/** What is tried at each kind of listener; none: it speaks no HTTP, and why that is well. */
export const LISTENERS: Readonly<Record<string, readonly Probe[]>> = {
  'API server': [
    {
      what: 'all Secrets',
      method: 'GET',
      path: '/api/v1/secrets',
      others: 401,
      answers: { ...SUPERUSERS, ...KNOWN },
    },
    {
      what: 'all Secrets, with headers of a front proxy',
      method: 'GET',
      path: '/api/v1/secrets',
      headers: FORGED,
      others: 401,
      answers: { ...SUPERUSERS, ...KNOWN },
    },
  ],
  'virt-api': [
    {
      what: 'a subresource in the name of the admin',
      method: 'GET',
      path: '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/nobody/networkpath',
      headers: FORGED,
      others: 401,
      answers: { 'front-proxy-client': 404 },
    },
    {
      what: 'a webhook that marks guests for evacuation',
      method: 'POST',
      path: '/launcher-eviction-validate',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      others: 401,
      answers: { 'front-proxy-client': 400 },
    },
    METRICS,
  ],
  'virt-controller': [METRICS],
  'virt-handler': [
    {
      what: 'a guest',
      method: 'GET',
      path: `${GUEST}/guestosinfo`,
      others: 403,
      answers: { 'virt-api/client': 404 },
    },
    {
      what: 'a command to a guest',
      method: 'PUT',
      path: `${GUEST}/pause`,
      others: 403,
      answers: { 'virt-api/client': 404 },
    },
    METRICS,
  ],
  'upload proxy': [
    {
      what: 'an upload',
      method: 'GET',
      path: '/v1beta1/upload-form',
      others: 401,
      answers: { 'token for an upload': 501 },
    },
    {
      what: 'a token for an upload',
      method: 'GET',
      path: '/apis/upload.cdi.kubevirt.io/v1beta1',
      headers: FORGED,
      others: 401,
      answers: { 'front-proxy-client': 200 },
    },
  ],
  'export server': [
    {
      what: 'a volume that it does not have',
      method: 'GET',
      path: '/volumes/nothing/disk.img',
      others: 401,
      answers: { 'token of an export': 404 },
    },
  ],
  // Takes what the upload proxy brings, on the loopback of its Pod: nobody else is in there.
  'upload worker': [],
  // Names of the cluster, to Pods: it tells nothing that needs a credential, and takes no commands.
  'cluster DNS': [],
};

/** Where the control plane answers; Pods ask port 53, which leads there. */
const DNS_PORT = 1053;

/** The kind of a listener by its address and port; undefined: nobody has thought of it. */
export function listenerKind(
  { address, port, process }: Listener,
  config: InstanceConfig,
  uploadPort: number,
): keyof typeof LISTENERS | undefined {
  // In its own network a node may have a port that something else has on the machine.
  if (config.nodes.some((node) => node.address === address && node.handlerPort === port))
    return 'virt-handler';
  if (process.includes('/virt-export.mjs')) return 'export server';
  if (process.includes('/importer.mjs') && address === '127.0.0.1') return 'upload worker';
  if (port === config.apiPort) return 'API server';
  if (port === config.virtApiPort) return 'virt-api';
  if (port === config.apiPort + 3) return 'virt-controller';
  if (port === uploadPort) return 'upload proxy';
  return port === DNS_PORT ? 'cluster DNS' : undefined;
}

/** Ports of DHCP and DHCPv6 (RFC 2131, RFC 8415). */
const DHCP_PORTS = [67, 547];

/** Who listens at a UDP port; undefined: nobody has thought of it. */
export function datagramKind({ port, process }: Listener): 'cluster DNS' | 'DHCP of a guest' | undefined {
  if (port === DNS_PORT) return 'cluster DNS';
  return DHCP_PORTS.includes(port) && process.includes('launcher') ? 'DHCP of a guest' : undefined;
}
