/**
 * What NetworkPolicies allow: for each Pod that any policy selects, whom it may hear and whom it may reach. Pods
 * that none selects are not here; everything is allowed for them. Pure.
 */
import {
  matchesSelector,
  type NetworkPolicy,
  type NetworkPolicyPeer,
  type NetworkPolicyPort,
  type Pod,
} from '@podvisor/api';
import { isInPrefix } from '@podvisor/base';
import { DNS_PORT } from '../services/objects.ts';
import { type AddressBlock, addressText, blockOf, mergedPorts, type PortRange } from './blocks.ts';

/** One permission: these ports of these addresses. */
export interface Permission {
  /** Addresses and prefixes of the other side; absent: everybody. */
  readonly peers?: readonly AddressBlock[];
  /** Absent: every protocol and port. */
  readonly ports?: readonly PortMatch[];
}

export interface PortMatch {
  readonly protocol: (typeof PROTOCOLS)[number];
  /** Each `80` or `80-90`; absent: every port. */
  readonly ranges?: readonly string[];
}

const PROTOCOLS = ['tcp', 'udp', 'sctp'] as const;

/** A Pod with less than full freedom. */
export interface Isolation {
  readonly uid: string;
  readonly nodeName: string;
  readonly addresses: readonly string[];
  /** Present: only these may reach it. */
  readonly ingress?: readonly Permission[];
  /** Present: it may reach only these. */
  readonly egress?: readonly Permission[];
}

export interface PolicyView {
  readonly policies: readonly NetworkPolicy[];
  readonly pods: readonly Pod[];
  namespaceLabels(namespace: string): Readonly<Record<string, string>>;
  /** Addresses of the cluster's DNS, which stands for a Pod `k8s-app: kube-dns` in kube-system. */
  readonly dns: readonly string[];
}

type Party = Pick<Pod, 'metadata' | 'spec'> & { readonly addresses: readonly string[] };

/** One rule of a policy, in either direction. */
interface Rule {
  readonly namespace: string;
  readonly peers: readonly NetworkPolicyPeer[];
  readonly ports: readonly NetworkPolicyPort[];
  /** Whose ports the names among them mean. */
  readonly namesOf: 'selected Pod' | 'peer';
}

interface Prepared {
  readonly selector: NonNullable<NetworkPolicy['spec']>['podSelector'];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

export function isolations(view: PolicyView): readonly Isolation[] {
  if (view.policies.length === 0) return [];
  const parties: Party[] = view.pods
    .filter(hasOwnAddress)
    .map((pod) => ({ ...pod, addresses: addressesOf(pod) }));
  const permit = permissionFinder(view, [...parties, dnsParty(view.dns)]);
  const byNamespace = new Map(
    [...Map.groupBy(view.policies, ({ metadata }) => metadata?.namespace ?? '')].map(
      ([namespace, policies]) => [namespace, policies.map((policy) => prepare(namespace, policy))],
    ),
  );
  return parties.flatMap((pod) => {
    const selecting = (byNamespace.get(pod.metadata.namespace ?? '') ?? []).filter(({ selector }) =>
      matchesSelector(selector ?? {}, pod.metadata.labels ?? {}),
    );
    const rules = (direction: 'ingress' | 'egress'): readonly Permission[] | undefined => {
      const all = selecting.flatMap((policy) => (policy[direction] === undefined ? [] : [policy[direction]]));
      return all.length === 0 ? undefined : all.flat().flatMap((rule) => permit(rule, pod));
    };
    const [ingress, egress] = [rules('ingress'), rules('egress')];
    if (ingress === undefined && egress === undefined) return [];
    return [
      {
        uid: pod.metadata.uid ?? '',
        nodeName: pod.spec.nodeName ?? '',
        addresses: pod.addresses,
        ...(ingress === undefined ? {} : { ingress }),
        ...(egress === undefined ? {} : { egress }),
      },
    ];
  });
}

/** The directions that a policy names, or those that its rules imply: always Ingress, Egress when it has such rules. */
function prepare(namespace: string, { spec }: NetworkPolicy): Prepared {
  const types = spec?.policyTypes ?? [];
  const isOf = (type: 'Ingress' | 'Egress', implied: boolean): boolean =>
    types.length > 0 ? types.includes(type) : implied;
  const ingress = (spec?.ingress ?? []).map(
    ({ from: peers = [], ports = [] }): Rule => ({ namespace, peers, ports, namesOf: 'selected Pod' }),
  );
  const egress = (spec?.egress ?? []).map(
    ({ to: peers = [], ports = [] }): Rule => ({ namespace, peers, ports, namesOf: 'peer' }),
  );
  return {
    selector: spec?.podSelector ?? {},
    ...(isOf('Ingress', true) ? { ingress } : {}),
    ...(isOf('Egress', spec?.egress !== undefined) ? { egress } : {}),
  };
}

/**
 * What a rule permits. Most rules say the same of every Pod that their policy selects: whom they mean is looked for
 * once for each rule, not once for each Pod.
 */
function permissionFinder(
  view: PolicyView,
  parties: readonly Party[],
): (rule: Rule, pod: Party) => readonly Permission[] {
  const found = new Map<Rule, readonly AddressBlock[] | undefined>();
  const same = new Map<Rule, readonly Permission[]>();
  const blocksOf = (rule: Rule): readonly AddressBlock[] | undefined => {
    if (!found.has(rule)) found.set(rule, peerBlocks(view, rule, parties));
    return found.get(rule);
  };
  return (rule, pod) => {
    const isSame = rule.namesOf === 'peer' || !rule.ports.some(({ port }) => typeof port === 'string');
    const known = isSame ? same.get(rule) : undefined;
    if (known !== undefined) return known;
    const permissions =
      rule.namesOf === 'peer' && rule.ports.some(({ port }) => typeof port === 'string')
        ? namedPermissions(view, rule, parties)
        : withDns(view, rule, permissionOf(rule, blocksOf(rule), pod));
    if (isSame) same.set(rule, permissions);
    return permissions;
  };
}

function permissionOf(
  { ports }: Rule,
  peers: readonly AddressBlock[] | undefined,
  pod: Party,
): readonly Permission[] {
  const matches = portMatches(ports, pod);
  if ((ports.length > 0 && matches.length === 0) || peers?.length === 0) return [];
  return [{ ...(peers === undefined ? {} : { peers }), ...(ports.length === 0 ? {} : { ports: matches }) }];
}

/** The port of the cluster's DNS as everybody knows it. Packets that policies see have been translated to another. */
const KNOWN_DNS_PORT = 53;

/** Outwards, who may reach the cluster's DNS at its port may reach it where it listens. */
function withDns(
  { dns }: PolicyView,
  { namesOf }: Rule,
  permissions: readonly Permission[],
): readonly Permission[] {
  if (namesOf !== 'peer') return permissions;
  const asked = permissions.flatMap(({ peers, ports = [] }) => {
    const matches = ports.filter(({ ranges = [] }) => ranges.some((range) => holds(range, KNOWN_DNS_PORT)));
    const addresses = dns.filter((address) => peers?.some((block) => isIn(address, block)) ?? true);
    if (matches.length === 0 || addresses.length === 0) return [];
    return [
      {
        peers: addresses.map((cidr) => ({ cidr })),
        ports: matches.map(({ protocol }) => ({ protocol, ranges: [`${DNS_PORT}`] })),
      },
    ];
  });
  return [...permissions, ...asked];
}

function holds(range: string, port: number): boolean {
  const [from = 0, to = from] = range.split('-').map(Number);
  return from <= port && port <= to;
}

function isIn(address: string, { cidr, except = [] }: AddressBlock): boolean {
  if (!cidr.includes('/')) return cidr === address;
  return isInPrefix(address, cidr) && !except.some((hole) => isInPrefix(address, hole));
}

/** Outwards, a name means another number at each peer. */
function namedPermissions(view: PolicyView, rule: Rule, parties: readonly Party[]): readonly Permission[] {
  const chosen = rule.peers.length === 0 ? parties : chosenBy(view, rule, parties);
  return chosen.flatMap((party) => {
    const ports = portMatches(rule.ports, party);
    return ports.length === 0 ? [] : [{ peers: party.addresses.map((cidr) => ({ cidr })), ports }];
  });
}

/** Whom a rule means; undefined: everybody. */
function peerBlocks(
  view: PolicyView,
  rule: Rule,
  parties: readonly Party[],
): readonly AddressBlock[] | undefined {
  if (rule.peers.length === 0) return undefined;
  const own = chosenBy(view, rule, parties).flatMap(({ addresses }) => addresses);
  return [
    ...[...new Set(own)].map((cidr) => ({ cidr })),
    ...rule.peers.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : (blockOf(ipBlock) ?? []))),
  ];
}

/** Parties that one of the rule's selectors finds; what is asked for more than once is looked for once. */
function chosenBy(view: PolicyView, { namespace, peers }: Rule, parties: readonly Party[]): readonly Party[] {
  const selectors = new Map(
    peers.flatMap((peer) => (peer.ipBlock === undefined ? [[JSON.stringify(peer), peer] as const] : [])),
  );
  return parties.filter((party) => selectors.values().some((peer) => selects(view, namespace, peer, party)));
}

function selects(view: PolicyView, home: string, peer: NetworkPolicyPeer, { metadata }: Party): boolean {
  const { namespace = '', labels = {} } = metadata;
  const inNamespace =
    peer.namespaceSelector === undefined
      ? namespace === home
      : matchesSelector(peer.namespaceSelector, view.namespaceLabels(namespace));
  return inNamespace && peer.ipBlock === undefined && matchesSelector(peer.podSelector ?? {}, labels);
}

/** `named`: whose ports the names mean. */
function portMatches(ports: readonly NetworkPolicyPort[], named: Party): readonly PortMatch[] {
  const names = new Set(
    ports.flatMap(({ protocol, port }) => (typeof port === 'string' ? [`${protocol ?? 'TCP'}/${port}`] : [])),
  );
  const numbers = ports.flatMap(({ protocol, port, endPort }) =>
    typeof port === 'string'
      ? []
      : [
          {
            protocol,
            range: port === undefined ? undefined : { from: port, to: Math.max(port, endPort ?? port) },
          },
        ],
  );
  const declared =
    names.size === 0 ? [] : named.spec.containers.flatMap((container) => container.ports ?? []);
  const found = declared
    .filter(({ name, protocol }) => names.has(`${protocol ?? 'TCP'}/${name ?? ''}`))
    .map(({ protocol, containerPort: port }) => ({ protocol, range: { from: port, to: port } }));
  const all = Map.groupBy([...numbers, ...found], ({ protocol }) => (protocol ?? 'TCP').toLowerCase());
  return PROTOCOLS.flatMap((protocol): readonly PortMatch[] => {
    const ranges = (all.get(protocol) ?? []).map(({ range }) => range);
    if (ranges.length === 0) return [];
    if (ranges.includes(undefined)) return [{ protocol }];
    return [
      { protocol, ranges: mergedPorts(ranges.filter((range): range is PortRange => range !== undefined)) },
    ];
  });
}

function dnsParty(addresses: readonly string[]): Party {
  return {
    metadata: { name: 'cluster-dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
    spec: {
      containers: [
        {
          name: 'dns',
          image: '',
          ports: [
            { name: 'dns', containerPort: DNS_PORT, protocol: 'UDP' },
            { name: 'dns-tcp', containerPort: DNS_PORT, protocol: 'TCP' },
          ],
        },
      ],
    },
    addresses,
  };
}

function hasOwnAddress({ spec, status }: Pod): boolean {
  return spec.hostNetwork !== true && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

function addressesOf({ status }: Pod): readonly string[] {
  const all = (status?.podIPs ?? []).map(({ ip }) => ip ?? '');
  const texts = [...all, status?.podIP ?? ''].map(addressText);
  return [...new Set(texts.filter((text) => text !== undefined))];
}
