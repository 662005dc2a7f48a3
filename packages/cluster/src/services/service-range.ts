/**
 * Addresses of Services. Pure. They are a part of the instance's Pod range that no node uses, so that two
 * instances on one machine never share an address: x.y.96.0/20 of x.y.0.0/16.
 */
import type { InstanceConfig } from '@podvisor/sys';

export interface ServiceRange {
  readonly cidr: string;
  /** Where Pods find the API server: Service `default/kubernetes`. */
  readonly apiServer: string;
  /** Where Pods and guests find DNS: Service `kube-system/kube-dns`. */
  readonly dns: string;
}

export function serviceRange({ podCidr }: Pick<InstanceConfig, 'podCidr'>): ServiceRange {
  const [a = '10', b = '244'] = podCidr.split('.');
  const prefix = `${a}.${b}.96`;
  return { cidr: `${prefix}.0/20`, apiServer: `${prefix}.1`, dns: `${prefix}.10` };
}

/** Name of the table (family ip) in every network namespace that has nodes or clients. */
export function serviceTable(instance: string): string {
  return `podvisor-services-${instance}`;
}
