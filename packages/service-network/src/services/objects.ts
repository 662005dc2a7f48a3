/** The Services that every cluster has: the API server and DNS. Pure. */
import type { KubernetesObject } from '@podvisor/api';
import { ipFamily } from '@podvisor/base';
import type { InstanceConfig } from '@podvisor/sys';
import { serviceRange } from './service-range.ts';
import { SERVICE_NAME } from './types.ts';

/** Where the cluster's DNS listens at its service address: a port that needs no privilege. The service's is 53. */
export const DNS_PORT = 1053;

type Manifest = KubernetesObject & Readonly<Record<string, unknown>>;

interface SystemService {
  readonly namespace: string;
  readonly name: string;
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ports: readonly {
    readonly name: string;
    readonly port: number;
    readonly target: number;
    readonly protocol: string;
  }[];
}

export function serviceObjects(config: InstanceConfig): Manifest[] {
  const range = serviceRange(config);
  const all: SystemService[] = [
    {
      namespace: 'default',
      name: 'kubernetes',
      address: range.apiServer,
      labels: { component: 'apiserver', provider: 'kubernetes' },
      ports: [{ name: 'https', port: 443, target: config.apiPort, protocol: 'TCP' }],
    },
    {
      namespace: 'kube-system',
      name: 'kube-dns',
      address: range.dns,
      labels: { 'k8s-app': 'kube-dns', 'kubernetes.io/name': 'CoreDNS' },
      ports: [
        { name: 'dns', port: 53, target: DNS_PORT, protocol: 'UDP' },
        { name: 'dns-tcp', port: 53, target: DNS_PORT, protocol: 'TCP' },
      ],
    },
  ];
  return [...all.map(service), ...all.map(slice)];
}

function service({ namespace, name, address, labels, ports }: SystemService): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, labels },
    spec: {
      type: 'ClusterIP',
      clusterIP: address,
      clusterIPs: [address],
      ports: ports.map(({ name: port, port: number, target, protocol }) => ({
        name: port,
        port: number,
        protocol,
        targetPort: target,
      })),
    },
  };
}

function slice({ namespace, name, address, ports }: SystemService): Manifest {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, name, labels: { [SERVICE_NAME]: name } },
    addressType: ipFamily(address) === 6 ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: ports.map(({ name: port, target, protocol }) => ({ name: port, port: target, protocol })),
  };
}
