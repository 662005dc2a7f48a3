/** The variables by which a container finds Services without DNS. */
import type { Pod, Service } from '@podvisor/api';
import { urlHost } from '@podvisor/base';
import { isHeadless, serviceRange, serviceResources } from '@podvisor/service-network';
import type { KubeletClient } from '../client.ts';
import type { KubeletContext } from '../context.ts';

/** `NAME=value`: always the API server, and the Services of the Pod's namespace unless it does not want them. */
export async function serviceEnvironment(
  { config }: KubeletContext,
  client: KubeletClient,
  pod: Pod,
): Promise<readonly string[]> {
  const { namespace } = pod.metadata;
  const own =
    pod.spec.enableServiceLinks === false
      ? []
      : (await client.list(serviceResources.services, { namespace })).items;
  return [
    ...own.filter((service) => !isApiServer(service)),
    apiServer(serviceRange(config).apiServer),
  ].flatMap(variablesOf);
}

function isApiServer({ metadata }: Service): boolean {
  return metadata.namespace === 'default' && metadata.name === 'kubernetes';
}

function apiServer(clusterIP: string): Service {
  return { metadata: { name: 'kubernetes' }, spec: { clusterIP, ports: [{ name: 'https', port: 443 }] } };
}

/** Of one Service, in Kubernetes' and in Docker's form. Pure. */
export function variablesOf(service: Service): readonly string[] {
  const { metadata, spec } = service;
  const ip = spec?.clusterIP ?? '';
  const [first, ...more] = spec?.ports ?? [];
  if (ip === '' || isHeadless(service) || first === undefined) return [];
  const name = upper(metadata.name ?? '');
  const url = (port: typeof first): string =>
    `${(port.protocol ?? 'TCP').toLowerCase()}://${urlHost(ip)}:${port.port}`;
  return [
    `${name}_SERVICE_HOST=${ip}`,
    `${name}_SERVICE_PORT=${first.port}`,
    ...[first, ...more].flatMap((port) =>
      port.name === undefined || port.name === ''
        ? []
        : [`${name}_SERVICE_PORT_${upper(port.name)}=${port.port}`],
    ),
    `${name}_PORT=${url(first)}`,
    ...[first, ...more].flatMap((port) => {
      const protocol = (port.protocol ?? 'TCP').toLowerCase();
      const prefix = `${name}_PORT_${port.port}_${protocol.toUpperCase()}`;
      return [
        `${prefix}=${url(port)}`,
        `${prefix}_PROTO=${protocol}`,
        `${prefix}_PORT=${port.port}`,
        `${prefix}_ADDR=${ip}`,
      ];
    }),
  ];
}

function upper(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
