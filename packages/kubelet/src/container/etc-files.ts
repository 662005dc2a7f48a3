/** /etc/hosts, /etc/hostname and /etc/resolv.conf of a Pod, as text. Pure. */
import type { Pod } from '@podvisor/api';
import { stripEnd } from '@podvisor/base';

export const CLUSTER_DOMAIN = 'cluster.local';

/** A DNS label is at most 63 characters; Pod names may be longer. */
export function podHostname(pod: Pod): string {
  const name = pod.spec.hostname ?? pod.metadata.name ?? '';
  return stripEnd(name.slice(0, 63), '-.');
}

export function hostsFile(pod: Pod, ips: readonly string[]): string {
  const hostname = podHostname(pod);
  const { subdomain } = pod.spec;
  const fqdn =
    subdomain === undefined
      ? undefined
      : `${hostname}.${subdomain}.${pod.metadata.namespace}.svc.${CLUSTER_DOMAIN}`;
  const lines = [
    '# Kubernetes-managed hosts file.',
    '127.0.0.1\tlocalhost',
    '::1\tlocalhost ip6-localhost ip6-loopback',
    'fe00::0\tip6-localnet',
    'fe00::0\tip6-mcastprefix',
    'fe00::1\tip6-allnodes',
    'fe00::2\tip6-allrouters',
    ...ips.map((ip) => [ip, ...(fqdn === undefined ? [] : [fqdn]), hostname].join('\t')),
    ...(pod.spec.hostAliases ?? []).map(({ ip, hostnames = [] }) => [ip, ...hostnames].join('\t')),
  ];
  return `${lines.join('\n')}\n`;
}

/** True when the Pod asks the cluster's DNS first. In the node's network only those that say so do. */
function asksCluster({ spec }: Pod): boolean {
  const policy = spec.dnsPolicy ?? 'ClusterFirst';
  return policy === 'ClusterFirstWithHostNet' || (policy === 'ClusterFirst' && spec.hostNetwork !== true);
}

/**
 * The cluster's DNS at `clusterDns`, or the node's resolvers, with what the Pod adds. A server on the node's
 * loopback is out of a Pod's reach.
 */
export function resolvConf(pod: Pod, nodeResolvConf: string, clusterDns?: string): string {
  const none = pod.spec.dnsPolicy === 'None';
  const cluster = clusterDns !== undefined && asksCluster(pod) ? clusterDns : undefined;
  const { nameservers = [], searches = [], options = [] } = pod.spec.dnsConfig ?? {};
  const lines = none ? [] : nodeResolvConf.split('\n').map((line) => line.trim().split(/\s+/));
  const from = (keyword: string): string[] =>
    lines.filter(([word]) => word === keyword).flatMap(([, ...rest]) => rest);
  const reachable = from('nameserver').filter(
    (ip) => pod.spec.hostNetwork === true || !/^(127\.|::1$)/.test(ip),
  );
  const servers = [...new Set([...(cluster === undefined ? reachable : [cluster]), ...nameservers])].slice(
    0,
    3,
  );
  const zones = `svc.${CLUSTER_DOMAIN}`;
  const own = cluster === undefined ? [] : [`${pod.metadata.namespace}.${zones}`, zones, CLUSTER_DOMAIN];
  const search = [...new Set([...own, ...from('search'), ...searches])];
  const text = [
    ...servers.map((ip) => `nameserver ${ip}`),
    ...(search.length === 0 ? [] : [`search ${search.join(' ')}`]),
    ...mergedOptions(
      cluster === undefined ? from('options') : ['ndots:5'],
      options.map((o) => (o.value === undefined ? (o.name ?? '') : `${o.name}:${o.value}`)),
    ).map((option) => `options ${option}`),
  ];
  return text.length === 0 ? '' : `${text.join('\n')}\n`;
}

/** The Pod's own value of an option replaces the one that was there. */
function mergedOptions(given: readonly string[], own: readonly string[]): readonly string[] {
  const nameOf = (option: string): string => option.split(':')[0] ?? option;
  return [...new Map([...given, ...own].map((option) => [nameOf(option), option])).values()];
}
