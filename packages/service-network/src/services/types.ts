/** Services and the addresses behind them. */
import type { Endpoints, EndpointSlice, Service, ServicePort } from '@podvisor/api';
import { defineResource } from '@podvisor/kube';

export type Protocol = NonNullable<ServicePort['protocol']>;

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
