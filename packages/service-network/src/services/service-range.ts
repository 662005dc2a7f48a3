/**
 * Addresses of Services. Pure. They are a part of the instance's Pod range that no node uses, so that two
 * instances on one machine never share an address: x.y.96.0/20 of x.y.0.0/16, and <prefix>:fffe::/112 of a /64.
 */
import { addressIn, type IpFamily, ipFamily } from '@podvisor/base';
import { type InstanceConfig, podCidrs } from '@podvisor/sys';

export interface ServiceRange {
  readonly family: IpFamily;
  readonly cidr: string;
  /** Where Pods find the API server: Service `default/kubernetes`. */
  readonly apiServer: string;
  /** Where Pods and guests find DNS: Service `kube-system/kube-dns`. */
  readonly dns: string;
}

type Ranges = Pick<InstanceConfig, 'podCidr' | 'podCidr6'>;

/** The range of the first family: Services have it unless they ask for the other. */
export function serviceRange({ podCidr }: Pick<Ranges, 'podCidr'>): ServiceRange {
  const family = ipFamily(podCidr) ?? 4;
  const first = family === 6 ? 0xfffen << 48n : 96n << 8n;
  const at = (offset: bigint): string => addressIn(podCidr, first + offset).address;
  return { family, cidr: `${at(0n)}/${family === 6 ? 112 : 20}`, apiServer: at(1n), dns: at(10n) };
}

/** The ranges of all families of the instance, the first family first. */
export function serviceRanges(config: Ranges): readonly ServiceRange[] {
  return podCidrs(config).map((podCidr) => serviceRange({ podCidr }));
}

/** Name of the table (family ip or ip6) in every network namespace that has nodes or clients. */
export function serviceTable(instance: string): string {
  return `podvisor-services-${instance}`;
}
