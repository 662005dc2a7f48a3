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

/** One permission: these ports of these addresses. */
export interface Permission {
  /** Addresses and prefixes of the other side; absent: everybody. */
  readonly peers?: readonly AddressBlock[];
  /** Absent: every protocol and port. */
  readonly ports?: readonly PortMatch[];
}

export interface AddressBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

export interface PortMatch {
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  /** `80` or `80-90`; absent: every port. */
  readonly range?: string;
}

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

export function isolations(view: PolicyView): readonly Isolation[] {
  if (view.policies.length === 0) return [];
  const parties: Party[] = view.pods
    .filter(hasOwnAddress)
    .map((pod) => ({ ...pod, addresses: addressesOf(pod) }));
  const reachable = [...parties, dnsParty(view.dns)];
  return parties.flatMap((pod) => {
    const selecting = view.policies.filter(
      ({ metadata, spec }) =>
        metadata?.namespace === pod.metadata.namespace &&
        matchesSelector(spec?.podSelector ?? {}, pod.metadata.labels ?? {}),
    );
    const hearing = selecting.filter(isOfType('Ingress'));
    const reaching = selecting.filter(isOfType('Egress'));
    if (hearing.length === 0 && reaching.length === 0) return [];
    const permit = (
      policy: NetworkPolicy,
      peers: readonly NetworkPolicyPeer[] | undefined,
      ports: readonly NetworkPolicyPort[] | undefined,
      ofPorts: Party | undefined,
    ) => permissions(view, policy.metadata?.namespace ?? '', reachable, peers, ports, ofPorts);
    return [
      {
        uid: pod.metadata.uid ?? '',
        nodeName: pod.spec.nodeName ?? '',
        addresses: pod.addresses,
        ...(hearing.length === 0
          ? {}
          : {
              ingress: hearing.flatMap((policy) =>
                (policy.spec?.ingress ?? []).flatMap(({ from, ports }) => permit(policy, from, ports, pod)),
              ),
            }),
        ...(reaching.length === 0
          ? {}
          : {
              egress: reaching.flatMap((policy) =>
                (policy.spec?.egress ?? []).flatMap(({ to, ports }) => permit(policy, to, ports, undefined)),
              ),
            }),
      },
    ];
  });
}

/** Types that a policy names, or those that its rules imply: always Ingress, Egress when it has such rules. */
function isOfType(type: 'Ingress' | 'Egress') {
  return ({ spec }: NetworkPolicy): boolean => {
    const named = spec?.policyTypes;
    if (named !== undefined && named.length > 0) return named.includes(type);
    return type === 'Ingress' || spec?.egress !== undefined;
  };
}

/** `portsOf`: the Pod whose named ports are meant; absent: those of each peer. */
function permissions(
  view: PolicyView,
  namespace: string,
  parties: readonly Party[],
  peers: readonly NetworkPolicyPeer[] | undefined,
  ports: readonly NetworkPolicyPort[] | undefined,
  portsOf: Party | undefined,
): readonly Permission[] {
  const hasPorts = ports !== undefined && ports.length > 0;
  const hasNames = hasPorts && ports.some(({ port }) => typeof port === 'string');
  const everybody = peers === undefined || peers.length === 0;
  if (portsOf === undefined && hasNames) {
    const chosen = everybody
      ? parties
      : parties.filter((party) => peers.some((peer) => selects(view, namespace, peer, party)));
    return chosen.flatMap((party) => {
      const matches = portMatches(ports, party);
      return matches.length === 0
        ? []
        : [{ peers: party.addresses.map((cidr) => ({ cidr })), ports: matches }];
    });
  }
  const matches = hasPorts ? portMatches(ports, portsOf) : undefined;
  if (matches !== undefined && matches.length === 0) return [];
  const allowed = matches === undefined ? {} : { ports: matches };
  if (everybody) return [allowed];
  const blocks = peers.flatMap((peer): readonly AddressBlock[] => {
    if (peer.ipBlock !== undefined) return [peer.ipBlock];
    const chosen = parties.filter((party) => selects(view, namespace, peer, party));
    return chosen.flatMap(({ addresses }) => addresses.map((cidr) => ({ cidr })));
  });
  return blocks.length === 0 ? [] : [{ peers: blocks, ...allowed }];
}

function selects(view: PolicyView, home: string, peer: NetworkPolicyPeer, { metadata }: Party): boolean {
  const { namespace = '', labels = {} } = metadata;
  const inNamespace =
    peer.namespaceSelector === undefined
      ? namespace === home
      : matchesSelector(peer.namespaceSelector, view.namespaceLabels(namespace));
  return inNamespace && peer.ipBlock === undefined && matchesSelector(peer.podSelector ?? {}, labels);
}

function portMatches(ports: readonly NetworkPolicyPort[], named: Party | undefined): readonly PortMatch[] {
  return ports.flatMap(({ protocol = 'TCP', port, endPort }): readonly PortMatch[] => {
    const lower = protocol.toLowerCase();
    if (lower !== 'tcp' && lower !== 'udp' && lower !== 'sctp') return [];
    if (port === undefined) return [{ protocol: lower }];
    if (typeof port === 'number')
      return [
        {
          protocol: lower,
          range: endPort === undefined || endPort <= port ? `${port}` : `${port}-${endPort}`,
        },
      ];
    return (named?.spec.containers ?? [])
      .flatMap((container) => container.ports ?? [])
      .filter((candidate) => candidate.name === port && (candidate.protocol ?? 'TCP') === protocol)
      .map((candidate) => ({ protocol: lower, range: `${candidate.containerPort}` }));
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
            { name: 'dns', containerPort: 53, protocol: 'UDP' },
            { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
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
  return [...new Set([...all, status?.podIP ?? ''])].filter((ip) => ip !== '');
}
