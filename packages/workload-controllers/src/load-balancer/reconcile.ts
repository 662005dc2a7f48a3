/** Which addresses a Service of type LoadBalancer has. Pure. */
import type { Service } from '@podvisor/api';
import { addressIn, ipFamily, isInPrefix } from '@podvisor/base';
import type { LoadBalancerRange } from '@podvisor/service-network';

export type LoadBalancerDecision =
  /** Not ours to decide: somebody else's class. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'set'; readonly addresses: readonly string[] }
  /** It has none, and this is why. */
  | { readonly kind: 'refuse'; readonly reason: string; readonly message: string };

export interface AddressObservation {
  readonly service: Service;
  readonly taken: ReadonlySet<string>;
  readonly ranges: readonly LoadBalancerRange[];
}

/** `taken`: what other Services have. An address that a Service has stays its own while it wants one. */
export function decideAddresses(
  service: Service,
  taken: ReadonlySet<string>,
  ranges: readonly LoadBalancerRange[],
): LoadBalancerDecision {
  const { spec, metadata } = service;
  if (spec?.type !== 'LoadBalancer' || metadata.deletionTimestamp !== undefined)
    return { kind: 'set', addresses: [] };
  if (spec.loadBalancerClass !== undefined) return { kind: 'leave' };
  if ((spec.loadBalancerSourceRanges ?? []).length > 0)
    return {
      kind: 'refuse',
      reason: 'SourceRangesNotSupported',
      message:
        'spec.loadBalancerSourceRanges cannot be kept here, so the Service gets no address that everybody could use; use a NetworkPolicy and remove the field.',
    };
  const families = spec.ipFamilies ?? [`IPv${ranges[0]?.family ?? 4}`];
  const addresses: string[] = [];
  for (const range of families.flatMap(
    (name) => ranges.find(({ family }) => `IPv${family}` === name) ?? [],
  )) {
    const address = addressFor(service, range, taken);
    if (address === undefined)
      return {
        kind: 'refuse',
        reason: 'AddressNotAvailable',
        message: refusalOf(service, range),
      };
    addresses.push(address);
  }
  return { kind: 'set', addresses };
}

function addressFor(
  { spec, status }: Service,
  range: LoadBalancerRange,
  taken: ReadonlySet<string>,
): string | undefined {
  const isFree = (address: string): boolean => isInPrefix(address, range.cidr) && !taken.has(address);
  const asked = spec?.loadBalancerIP ?? '';
  if (ipFamily(asked) === range.family) return isFree(asked) ? asked : undefined;
  const has = (status?.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip).find(isFree);
  if (has !== undefined) return has;
  for (let offset = 1; offset <= range.count; offset += 1) {
    const { address } = addressIn(range.cidr, offset);
    if (!taken.has(address)) return address;
  }
  return undefined;
}

function refusalOf({ spec }: Service, range: LoadBalancerRange): string {
  const asked = spec?.loadBalancerIP ?? '';
  return ipFamily(asked) === range.family
    ? `spec.loadBalancerIP ${asked} is in use or not in ${range.cidr}; choose another, or leave the field out.`
    : `All ${range.count} addresses of ${range.cidr} are in use.`;
}
