/** Services and the addresses behind them, as far as the cluster reads and writes them. */
import type { IntOrString, KubernetesObject, ObjectMeta } from '@podvisor/api';
import { defineResource } from '@podvisor/kube';

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: Protocol;
  readonly port: number;
  readonly targetPort?: IntOrString;
  readonly nodePort?: number;
  readonly appProtocol?: string;
}

export interface Service extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
    readonly selector?: Readonly<Record<string, string>>;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly ipFamilies?: readonly string[];
    readonly externalIPs?: readonly string[];
    readonly externalName?: string;
    readonly ports?: readonly ServicePort[];
    readonly publishNotReadyAddresses?: boolean;
    readonly sessionAffinity?: 'None' | 'ClientIP';
    readonly internalTrafficPolicy?: 'Cluster' | 'Local';
    readonly externalTrafficPolicy?: 'Cluster' | 'Local';
    readonly loadBalancerIP?: string;
    readonly loadBalancerClass?: string;
    readonly loadBalancerSourceRanges?: readonly string[];
  };
  readonly status?: {
    readonly loadBalancer?: {
      readonly ingress?: readonly { readonly ip?: string; readonly ipMode?: string }[];
    };
  };
}

export interface EndpointPort {
  readonly name?: string;
  readonly protocol?: Protocol;
  readonly port?: number;
  readonly appProtocol?: string;
}

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: {
    readonly ready?: boolean;
    readonly serving?: boolean;
    readonly terminating?: boolean;
  };
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: {
    readonly kind: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
  };
}

export interface EndpointSlice extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly addressType: 'IPv4' | 'IPv6' | 'FQDN';
  readonly endpoints: readonly Endpoint[] | null;
  readonly ports: readonly EndpointPort[] | null;
}

export interface EndpointAddress {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: Endpoint['targetRef'];
}

export interface EndpointSubset {
  readonly addresses?: readonly EndpointAddress[];
  readonly notReadyAddresses?: readonly EndpointAddress[];
  readonly ports?: readonly EndpointPort[];
}

export interface Endpoints extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly subsets?: readonly EndpointSubset[];
}

/** Label of a slice that names its Service. */
export const SERVICE_NAME = 'kubernetes.io/service-name';

export const serviceResources = {
  services: defineResource<Service>('Service', 'services', 'v1'),
  endpoints: defineResource<Endpoints>('Endpoints', 'endpoints', 'v1'),
  endpointSlices: defineResource<EndpointSlice>('EndpointSlice', 'endpointslices', 'discovery.k8s.io/v1'),
} as const;

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === 'None';
}
