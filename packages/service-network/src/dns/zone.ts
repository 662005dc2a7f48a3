/** What the cluster's DNS knows: names of Services and Pods, from the objects themselves. Pure. */
import type { Endpoint, EndpointSlice, Pod, Service, ServicePort } from '@podvisor/api';
import { ipFamily, ipText } from '@podvisor/base';
import { targetsOf } from '../services/plan.ts';
import { isHeadless } from '../services/types.ts';
import { type Name, type Question, type RecordData, type ResourceRecord, types } from './message.ts';

export const DOMAIN = 'cluster.local';
const TTL_SECONDS = 5;

/** The objects that names are made of. */
export interface ZoneObjects {
  service(namespace: string, name: string): Service | undefined;
  slices(service: Service): readonly EndpointSlice[];
  hasNamespace(name: string): boolean;
  podByAddress(namespace: string, address: string): Pod | undefined;
  servicesByAddress(address: string): Service | undefined;
  /** Endpoint of a headless Service with this address. */
  endpointByAddress(address: string): { readonly service: Service; readonly endpoint: Endpoint } | undefined;
}

export type ZoneAnswer =
  /** Records of the asked type; none: the name exists without such records. */
  | {
      readonly kind: 'records';
      readonly records: readonly ResourceRecord[];
      readonly extra?: readonly ResourceRecord[];
    }
  /** An alias to a name that may lie elsewhere. */
  | { readonly kind: 'alias'; readonly record: ResourceRecord; readonly target: Name }
  | { readonly kind: 'no-such-name' }
  /** Not ours: somebody else knows. */
  | { readonly kind: 'elsewhere' };

export function answerOf(question: Question, objects: ZoneObjects): ZoneAnswer {
  const { name } = question;
  if (name.endsWith('.in-addr.arpa') || name.endsWith('.ip6.arpa')) return reverse(question, objects);
  if (name === DOMAIN || name === `svc.${DOMAIN}` || name === `pod.${DOMAIN}`)
    return { kind: 'records', records: [] };
  if (!name.endsWith(`.${DOMAIN}`)) return { kind: 'elsewhere' };
  const labels = name.slice(0, -DOMAIN.length - 1).split('.');
  const realm = labels.pop();
  const namespace = labels.pop() ?? '';
  if (!objects.hasNamespace(namespace)) return { kind: 'no-such-name' };
  if (labels.length === 0) return { kind: 'records', records: [] };
  if (realm === 'svc') return service(question, namespace, labels, objects);
  if (realm === 'pod') return podName(question, namespace, labels, objects);
  return { kind: 'no-such-name' };
}

function service(question: Question, namespace: string, labels: string[], objects: ZoneObjects): ZoneAnswer {
  const found = objects.service(namespace, labels.pop() ?? '');
  if (found === undefined) return { kind: 'no-such-name' };
  if (found.spec?.type === 'ExternalName')
    return labels.length > 0 ? { kind: 'no-such-name' } : external(question, found);
  const [first, second, ...more] = labels;
  if (more.length > 0) return { kind: 'no-such-name' };
  if (first === undefined) return hosts(question, addressesOf(found, objects));
  if (second !== undefined) return servers(question, found, first, second, objects);
  if (!isHeadless(found)) return { kind: 'no-such-name' };
  const named = endpointsOf(found, objects).filter((endpoint) => hostOf(endpoint) === first);
  if (named.length === 0) return { kind: 'no-such-name' };
  return hosts(
    question,
    named.flatMap(({ addresses }) => addresses),
  );
}

function external(question: Question, { spec }: Service): ZoneAnswer {
  const target = (spec?.externalName ?? '').toLowerCase().replace(/\.$/, '');
  if (ipFamily(target) !== undefined) return hosts(question, [target]);
  return { kind: 'alias', target, record: recordOf(question.name, types.CNAME, { kind: 'name', target }) };
}

/** `_port._protocol` before the Service. */
function servers(
  question: Question,
  found: Service,
  port: string,
  protocol: string,
  objects: ZoneObjects,
): ZoneAnswer {
  const ports = (found.spec?.ports ?? []).filter(
    (p) =>
      (port === '_*' || `_${p.name ?? ''}` === port) &&
      `_${(p.protocol ?? 'TCP').toLowerCase()}` === protocol,
  );
  if (ports.length === 0) return { kind: 'no-such-name' };
  const full = fullName(found);
  const entries = isHeadless(found)
    ? ports.flatMap((p) => headlessServers(found, p, full, objects))
    : ports.map((p) => ({ target: full, port: p.port, address: found.spec?.clusterIP ?? '' }));
  const answer = records(
    question,
    types.SRV,
    entries.map(
      ({ target, port: number }): RecordData => ({
        kind: 'srv',
        priority: 0,
        weight: Math.max(1, Math.floor(100 / entries.length)),
        port: number,
        target,
      }),
    ),
  );
  if (answer.kind !== 'records' || answer.records.length === 0) return answer;
  const known = new Map(
    entries.map(({ target, address }) => [`${target} ${address}`, hostRecord(target, address)]),
  );
  return { ...answer, extra: [...known.values()] };
}

function headlessServers(found: Service, port: ServicePort, full: Name, objects: ZoneObjects) {
  const names = new Map(
    endpointsOf(found, objects).flatMap((e) => e.addresses.map((ip) => [ip, hostOf(e)] as const)),
  );
  const slices = objects.slices(found);
  return ([4, 6] as const)
    .flatMap((family) => targetsOf(port, slices, family))
    .map(({ ip, port: number }) => ({
      target: `${names.get(ip) ?? dashed(ip)}.${full}`,
      port: number,
      address: ip,
    }));
}

/** `10-0-0-1.namespace.pod.cluster.local`, for Pods that exist. */
function podName(
  question: Question,
  namespace: string,
  labels: readonly string[],
  objects: ZoneObjects,
): ZoneAnswer {
  const [first = ''] = labels;
  const address =
    ipFamily(first.replaceAll('-', '.')) === 4 ? first.replaceAll('-', '.') : first.replaceAll('-', ':');
  if (labels.length !== 1 || objects.podByAddress(namespace, address) === undefined)
    return { kind: 'no-such-name' };
  return hosts(question, [address]);
}

function reverse(question: Question, objects: ZoneObjects): ZoneAnswer {
  const address = reversedAddress(question.name);
  const pointer = (target: Name): ZoneAnswer => records(question, types.PTR, [{ kind: 'name', target }]);
  const found = objects.servicesByAddress(address);
  if (found !== undefined) return pointer(fullName(found));
  const behind = objects.endpointByAddress(address);
  if (behind === undefined) return { kind: 'elsewhere' };
  return pointer(`${hostOf(behind.endpoint)}.${fullName(behind.service)}`);
}

function addressesOf(found: Service, objects: ZoneObjects): readonly string[] {
  if (!isHeadless(found))
    return (found.spec?.clusterIPs ?? [found.spec?.clusterIP ?? '']).filter(
      (ip) => ipFamily(ip) !== undefined,
    );
  return [...new Set(endpointsOf(found, objects).flatMap(({ addresses }) => addresses))];
}

function endpointsOf(found: Service, objects: ZoneObjects): Endpoint[] {
  return objects
    .slices(found)
    .filter(({ addressType }) => addressType !== 'FQDN')
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false);
}

function hostOf({ hostname, addresses: [ip = ''] }: Endpoint): string {
  return hostname ?? dashed(ip);
}

function dashed(ip: string): string {
  return ip.replaceAll(/[.:]/g, '-');
}

export function fullName({ metadata }: Service): Name {
  return `${metadata.name}.${metadata.namespace}.svc.${DOMAIN}`;
}

/** The name and its addresses of the family that was asked for; of both, when anything was. */
function hosts({ name, type }: Question, addresses: readonly string[]): ZoneAnswer {
  const all = addresses.map((address) => hostRecord(name, address));
  return { kind: 'records', records: all.filter((record) => record.type === type || type === types.ANY) };
}

function hostRecord(name: Name, address: string): ResourceRecord {
  return ipFamily(address) === 6
    ? recordOf(name, types.AAAA, { kind: 'address6', address })
    : recordOf(name, types.A, { kind: 'address4', address });
}

/** `4.3.2.1.in-addr.arpa`, or 32 digits before `ip6.arpa` (RFC 3596); what is neither leads nowhere. */
function reversedAddress(name: Name): string {
  const labels = name.split('.').slice(0, -2).toReversed();
  if (!name.endsWith('.ip6.arpa')) return labels.join('.');
  if (labels.length !== 32 || labels.some((label) => !/^[0-9a-f]$/.test(label))) return '';
  return ipText(6, BigInt(`0x${labels.join('')}`));
}

/** The records when their type was asked for; none otherwise, as the name exists all the same. */
function records({ name, type }: Question, have: number, data: readonly RecordData[]): ZoneAnswer {
  const isAsked = type === have || type === types.ANY;
  return { kind: 'records', records: isAsked ? data.map((d) => recordOf(name, have, d)) : [] };
}

export function recordOf(name: Name, type: number, data: RecordData): ResourceRecord {
  return { name, type, class: 1, ttl: TTL_SECONDS, data };
}

/** Tells how long an answer "no" may be kept. */
export function authorityOf(): ResourceRecord {
  return recordOf(DOMAIN, types.SOA, {
    kind: 'soa',
    primary: `ns.dns.${DOMAIN}`,
    mailbox: `hostmaster.${DOMAIN}`,
    serial: 1,
    refresh: 7200,
    retry: 1800,
    expire: 86_400,
    minimum: TTL_SECONDS,
  });
}
