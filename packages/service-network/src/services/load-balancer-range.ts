/**
 * Addresses of Services of type LoadBalancer. Pure. Like those of all Services they are a part of the instance's Pod
 * range that no node uses: x.y.112.0/24 of x.y.0.0/16, and <prefix>:fffd::/112 of a /64. The machine, its Pods
 * and its guests reach them; another machine does when it has a route to the range by this one.
 */
import { addressIn, type IpFamily, ipFamily } from '@podvisor/base';
import { type InstanceConfig, podCidrs } from '@podvisor/sys';

export interface LoadBalancerRange {
  readonly family: IpFamily;
  readonly cidr: string;
  /** The first and the number of those that are given away. */
  readonly first: string;
  readonly count: number;
}

/** An IPv4 /24 without its first and last address; as many of IPv6. */
const COUNT = 254;

/** One for each family of the instance, the first family first. */
export function loadBalancerRanges(
  config: Pick<InstanceConfig, 'podCidr' | 'podCidr6'>,
): readonly LoadBalancerRange[] {
  return podCidrs(config).map((podCidr) => {
    const family = ipFamily(podCidr) ?? 4;
    const start = family === 6 ? 0xfffdn << 48n : 112n << 8n;
    const at = (offset: bigint): string => addressIn(podCidr, start + offset).address;
    return { family, cidr: `${at(0n)}/${family === 6 ? 112 : 24}`, first: at(1n), count: COUNT };
  });
}
