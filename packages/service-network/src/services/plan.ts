/**
 * Services as nftables rules, for one node. Pure. One table holds everything: maps lead from an address and
 * port to the chain of that Service port, which picks an endpoint by chance or, for clients that must come
 * back to the same one, by the hash of their address. A change is a new table in one transaction;
 * connections that exist keep the endpoint that they have, because the kernel remembers them itself.
 */
import type { EndpointSlice, Pod, Service, ServicePort } from '@podvisor/api';
import { isIP } from 'node:net';
import { type IpFamily, ipText, ipValue, isInPrefix } from '@podvisor/base';
import { isHeadless, type Protocol, SERVICE_NAME } from './types.ts';

export interface Target {
  readonly ip: string;
  readonly port: number;
  readonly nodeName?: string;
}

/** A destination (address, port) and the endpoints behind it. */
export interface PortRule {
  /** The Service, by its UID. */
  readonly service: string;
  /** Unique, and a name that nftables takes. */
  readonly chain: string;
  readonly protocol: Lowercase<Protocol>;
  readonly clusterIps: readonly string[];
  readonly port: number;
  readonly nodePort?: number;
  readonly sticky: boolean;
  /** Behind cluster addresses. */
  readonly inside: readonly Target[];
  /** Behind node ports and external addresses. */
  readonly outside: readonly Target[];
  /** Connections from outside take the node's address, because any node may answer them. */
  readonly masquerade: boolean;
  readonly externalIps: readonly string[];
  /** Addresses of a load balancer, as far as they are of the range for them. */
  readonly loadBalancerIps: readonly string[];
}

/** A port of a Pod that the node lends its own port to. */
export interface HostPort {
  readonly protocol: Lowercase<Protocol>;
  readonly port: number;
  readonly address?: string;
  readonly target: Target;
}

/** What a node must know; `nodeName` undefined: the machine itself, when nodes have namespaces of their own. */
export interface NodeView {
  /** Only addresses of this family count. */
  readonly family: IpFamily;
  /** Where addresses of load balancers are; a status that names others is not believed. */
  readonly loadBalancerCidr: string;
  readonly nodeName: string | undefined;
  readonly services: readonly Service[];
  slicesOf(service: Service): readonly EndpointSlice[];
  readonly pods: readonly Pod[];
}

/** Ports times endpoints of one Service. With ten times as many, every change in the cluster would take seconds. */
const MAX_TARGETS = 32_768;

/** True for a Service that is not carried, because its rules would hold up those of all others. */
export function isTooLarge({ spec }: Service, slices: readonly EndpointSlice[]): boolean {
  const endpoints = slices.reduce((sum, slice) => sum + (slice.endpoints ?? []).length, 0);
  return (spec?.ports ?? []).length * endpoints > MAX_TARGETS;
}

export function portRules(view: NodeView): PortRule[] {
  return view.services.flatMap((service) => {
    const clusterIps = addressesOf(view.family, service.spec?.clusterIPs ?? [service.spec?.clusterIP ?? '']);
    if (service.spec?.type === 'ExternalName' || isHeadless(service) || clusterIps.length === 0) return [];
    const slices = view.slicesOf(service);
    if (isTooLarge(service, slices)) return [];
    return (service.spec?.ports ?? []).flatMap(
      (port) => ruleOf(service, port, clusterIps, slices, view) ?? [],
    );
  });
}

function ruleOf(
  { metadata, spec, status }: Service,
  port: ServicePort,
  clusterIps: readonly string[],
  slices: readonly EndpointSlice[],
  { nodeName, family, loadBalancerCidr }: NodeView,
): PortRule | undefined {
  const protocol = protocolOf(port.protocol);
  if (protocol === undefined) return undefined;
  const all = targetsOf(port, slices, family);
  const local = all.filter((target) => target.nodeName === nodeName);
  const pick = (policy: 'Cluster' | 'Local' | undefined): readonly Target[] =>
    policy === 'Local' && nodeName !== undefined ? local : all;
  const isNodePort = spec?.type === 'NodePort' || spec?.type === 'LoadBalancer';
  return {
    service: metadata.uid ?? '',
    chain: `s-${(metadata.uid ?? '').replaceAll(/[^0-9a-zA-Z]/g, '').slice(0, 32)}-${protocol}-${port.port}`,
    protocol,
    clusterIps,
    port: port.port,
    ...(isNodePort && port.nodePort !== undefined && port.nodePort > 0 ? { nodePort: port.nodePort } : {}),
    sticky: spec?.sessionAffinity === 'ClientIP',
    inside: pick(spec?.internalTrafficPolicy),
    outside: pick(spec?.externalTrafficPolicy),
    masquerade: spec?.externalTrafficPolicy !== 'Local',
    externalIps: addressesOf(family, spec?.externalIPs ?? []),
    loadBalancerIps:
      spec?.type === 'LoadBalancer'
        ? addressesOf(
            family,
            (status?.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip),
          ).filter((ip) => isInPrefix(ip, loadBalancerCidr))
        : [],
  };
}

/**
 * Ready endpoints; where there is none, those that still serve while they end. Addresses appear once, in a
 * fixed order, so that the hash of a client leads to the same one on every node.
 */
export function targetsOf(
  { name = '' }: ServicePort,
  slices: readonly EndpointSlice[],
  family: IpFamily,
): Target[] {
  const found = slices
    .filter(({ addressType }) => addressType === `IPv${family}`)
    .flatMap(({ endpoints, ports }) => {
      const number = (ports ?? []).find((port) => (port.name ?? '') === name)?.port;
      if (number === undefined) return [];
      return (endpoints ?? []).flatMap(({ addresses: [text = ''], conditions = {}, nodeName }) =>
        addressesOf(family, [text]).map((ip) => ({
          target: { ip, port: number, ...(nodeName === undefined ? {} : { nodeName }) },
          conditions,
        })),
      );
    });
  const ready = found.filter(({ conditions }) => conditions.ready !== false);
  const ending = found.filter(
    ({ conditions }) => conditions.serving === true && conditions.terminating === true,
  );
  const chosen = new Map(
    (ready.length > 0 ? ready : ending).map(({ target }) => [`${target.ip}:${target.port}`, target]),
  );
  return [...chosen.values()].toSorted((a, b) => (a.ip === b.ip ? a.port - b.port : a.ip < b.ip ? -1 : 1));
}

/** Ports that Pods of this node borrow from it. */
export function hostPorts({ nodeName, pods, family }: NodeView): HostPort[] {
  return pods.flatMap((pod) => {
    const given = pod.status?.podIPs?.map((entry) => entry.ip) ?? [pod.status?.podIP ?? ''];
    const [ip] = addressesOf(family, given);
    const isFinished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
    if (pod.spec.nodeName !== nodeName || pod.spec.hostNetwork === true || ip === undefined || isFinished)
      return [];
    const sidecars = (pod.spec.initContainers ?? []).filter(
      ({ restartPolicy }) => restartPolicy === 'Always',
    );
    return [...pod.spec.containers, ...sidecars].flatMap(({ ports = [] }) =>
      ports.flatMap(({ hostPort = 0, containerPort, hostIP = '', protocol: given }) => {
        const protocol = protocolOf(given);
        if (hostPort <= 0 || protocol === undefined) return [];
        const isAny = hostIP === '' || hostIP === '0.0.0.0' || hostIP === '::';
        const [own] = addressesOf(family, [hostIP]);
        if (!isAny && own === undefined) return [];
        const address = isAny || own === undefined ? {} : { address: own };
        return [{ protocol, port: hostPort, ...address, target: { ip, port: containerPort } }];
      }),
    );
  });
}

/** SCTP is accepted by the API and not carried. */
function protocolOf(protocol: string | undefined): 'tcp' | 'udp' | undefined {
  const name = (protocol ?? 'TCP').toLowerCase();
  return name === 'tcp' || name === 'udp' ? name : undefined;
}

/**
 * Those texts that are addresses of the family, each once and in one spelling: the same address in two spellings, a
 * zone or a prefix would make the whole table fail.
 */
function addressesOf(family: IpFamily, texts: readonly string[]): readonly string[] {
  const plain = texts.filter((text) => isIP(text) === family && !text.includes('%'));
  return [...new Set(plain.map((text) => ipText(family, ipValue(text))))];
}

/** Slices by the `namespace/name` of their Service. */
export function slicesByService(slices: readonly EndpointSlice[]): Map<string, EndpointSlice[]> {
  return Map.groupBy(
    slices,
    ({ metadata }) => `${metadata.namespace}/${metadata.labels?.[SERVICE_NAME] ?? ''}`,
  );
}
