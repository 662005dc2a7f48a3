/** The addresses behind a Service, from the Pods that it selects. Pure. */
import {
  type Endpoint,
  type EndpointAddress,
  type EndpointPort,
  type Endpoints,
  type EndpointSlice,
  type EndpointSubset,
  type Pod,
  type Service,
  type ServicePort,
  isPodEnded,
} from '@podvisor/api';
import { type IpFamily, ipFamily } from '@podvisor/base';
import { SERVICE_NAME } from '@podvisor/service-network';
import { isReady, isTerminating } from '../workloads/pod-facts.ts';
import { canonical, contentHash } from '../workloads/template-hash.ts';

/** Addresses in one slice, as Kubernetes has it. */
export const MAX_ENDPOINTS = 100;
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const MANAGER = 'endpointslice-controller.k8s.io';
const HEADLESS = 'service.kubernetes.io/headless';

/** A Pod counts while it has an address of the family and has not finished. */
function hasAddress(pod: Pod, family: IpFamily): boolean {
  return addressOfPod(pod, family) !== '' && !isPodEnded(pod);
}

function addressOfPod({ status }: Pod, family: IpFamily): string {
  const all = status?.podIPs?.map(({ ip }) => ip) ?? [status?.podIP ?? ''];
  return all.find((ip) => ipFamily(ip) === family) ?? '';
}

/** The families of the Service; the first one is that of its Endpoints. */
function familiesOf({ spec }: Service): readonly IpFamily[] {
  const named = (spec?.ipFamilies ?? []).flatMap((name): readonly IpFamily[] =>
    name === 'IPv6' ? [6] : [4],
  );
  return named.length === 0 ? [4] : named;
}

/** Number of the Pod's port behind a port of the Service; undefined when the Pod has no port of that name. */
export function targetPort(
  { targetPort: target, port, protocol = 'TCP' }: ServicePort,
  pod: Pod,
): number | undefined {
  if (target === undefined || target === '' || target === 0) return port;
  if (typeof target === 'number') return target;
  if (/^\d+$/.test(target)) return Number(target);
  const sidecars = (pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  for (const { ports = [] } of [...pod.spec.containers, ...sidecars])
    for (const found of ports)
      if (found.name === target && (found.protocol ?? 'TCP') === protocol) return found.containerPort;
  return undefined;
}

function portsFor({ spec }: Service, pod: Pod): readonly EndpointPort[] {
  return (spec?.ports ?? []).flatMap((port) => {
    const number = targetPort(port, pod);
    if (number === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [{ name, port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function endpointOf(service: Service, pod: Pod, family: IpFamily): Endpoint {
  const ready = service.spec?.publishNotReadyAddresses === true || (isReady(pod) && !isTerminating(pod));
  const { namespace, name, uid } = pod.metadata;
  return {
    addresses: [addressOfPod(pod, family)],
    conditions: { ready, serving: isReady(pod), terminating: isTerminating(pod) },
    ...hostnameOf(service, pod),
    ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

/** A Pod has a name of its own below the Service that its subdomain names. */
function hostnameOf(service: Service, { spec }: Pod): { readonly hostname?: string } {
  const { hostname = '', subdomain } = spec;
  return hostname !== '' && subdomain === service.metadata.name ? { hostname } : {};
}

/** What the slices of the Service must hold; each group of Pods with the same port numbers has its own. */
export function wantedSlices(service: Service, pods: readonly Pod[]): EndpointSlice[] {
  return familiesOf(service).flatMap((family) => slicesOf(service, pods, family));
}

function slicesOf(service: Service, pods: readonly Pod[], family: IpFamily): EndpointSlice[] {
  const groups = Map.groupBy(
    pods.filter((pod) => hasAddress(pod, family)),
    (pod) => canonical(portsFor(service, pod)),
  );
  const { namespace, name } = service.metadata;
  const entries = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const ports = portsFor(service, first);
    const endpoints = group.map((pod) => endpointOf(service, pod, family)).toSorted(byAddress);
    return chunks(endpoints).map((chunk) => ({ ports, endpoints: chunk }));
  });
  // A Service without Pods has one empty slice, so that its existence is seen.
  if (entries.length === 0) entries.push({ ports: [], endpoints: [] });
  return entries.map(({ ports, endpoints }, i) => ({
    metadata: {
      namespace,
      name: `${name}-${contentHash([service.metadata.uid, ports.map((p) => [p.name, p.port, p.protocol]), i, ...(family === 6 ? [family] : [])]).slice(0, 5)}`,
      labels: {
        ...service.metadata.labels,
        [SERVICE_NAME]: name ?? '',
        [MANAGED_BY]: MANAGER,
        ...(service.spec?.clusterIP === 'None' ? { [HEADLESS]: '' } : {}),
      },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Service',
          name: name ?? '',
          uid: service.metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    addressType: `IPv${family}` as const,
    endpoints,
    ports,
  }));
}

function byAddress(a: Endpoint, b: Endpoint): number {
  return (a.addresses[0] ?? '') < (b.addresses[0] ?? '') ? -1 : 1;
}

function chunks<T>(items: readonly T[]): T[][] {
  const result: T[][] = [];
  for (let i = 0; i < items.length; i += MAX_ENDPOINTS) result.push(items.slice(i, i + MAX_ENDPOINTS));
  return result;
}

export interface SliceChanges {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly delete: readonly EndpointSlice[];
}

/** `have`: the slices of this Service that are ours. */
export function changesOf(have: readonly EndpointSlice[], wanted: readonly EndpointSlice[]): SliceChanges {
  const known = new Map(have.map((slice) => [slice.metadata.name, slice]));
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  const content = ({ endpoints, ports, metadata }: EndpointSlice): string =>
    canonical([endpoints ?? [], ports ?? [], metadata.labels]);
  return {
    create: wanted.filter(({ metadata }) => !known.has(metadata.name)),
    update: wanted.flatMap((slice) => {
      const old = known.get(slice.metadata.name);
      if (old === undefined || content(old) === content(slice)) return [];
      return [{ ...slice, metadata: { ...old.metadata, labels: slice.metadata.labels } }];
    }),
    delete: have.filter(({ metadata }) => !names.has(metadata.name)),
  };
}

/** The older form of the same: one object per Service. */
export function wantedEndpoints(service: Service, pods: readonly Pod[]): Endpoints {
  const { namespace, name, labels } = service.metadata;
  const [family = 4] = familiesOf(service);
  const groups = Map.groupBy(
    pods.filter(
      (pod) =>
        hasAddress(pod, family) && (!isTerminating(pod) || service.spec?.publishNotReadyAddresses === true),
    ),
    (pod) => canonical(portsFor(service, pod)),
  );
  const subsets = [...groups.values()].flatMap((group): EndpointSubset[] => {
    const [first] = group;
    const ports = first === undefined ? [] : portsFor(service, first);
    if (ports.length === 0 && (service.spec?.ports ?? []).length > 0) return [];
    const all = group.map((pod) => endpointOf(service, pod, family)).toSorted(byAddress);
    const ready = all.filter(({ conditions }) => conditions?.ready === true).map(addressOf);
    const others = all.filter(({ conditions }) => conditions?.ready !== true).map(addressOf);
    return [
      {
        ...(ready.length === 0 ? {} : { addresses: ready }),
        ...(others.length === 0 ? {} : { notReadyAddresses: others }),
        ...(ports.length === 0 ? {} : { ports: ports.map(withoutEmptyName) }),
      },
    ];
  });
  return {
    metadata: {
      namespace,
      name,
      labels: {
        ...labels,
        'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
        ...(service.spec?.clusterIP === 'None' ? { [HEADLESS]: '' } : {}),
      },
    },
    ...(subsets.length === 0 ? {} : { subsets }),
  };
}

function addressOf({ addresses: [ip = ''], hostname, nodeName, targetRef }: Endpoint): EndpointAddress {
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef,
  };
}

function withoutEmptyName({ name, ...port }: EndpointPort): EndpointPort {
  return name === '' ? port : { name, ...port };
}

/** True when the object in the API says the same. */
export function sameEndpoints(have: Endpoints, wanted: Endpoints): boolean {
  return (
    canonical([have.subsets ?? [], have.metadata.labels]) ===
    canonical([wanted.subsets ?? [], wanted.metadata.labels])
  );
}
