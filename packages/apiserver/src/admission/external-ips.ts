/**
 * Whoever names an address in `externalIPs` of a Service gets what the cluster sends there (CVE-2020-8554). So
 * an address is refused unless an administrator gave away its range, and those of Services never are. Addresses
 * that a Service has already may stay. The same as Kubernetes' DenyServiceExternalIPs, with exceptions.
 */
import { isInPrefix } from '@podvisor/base';
import { arrayAt, asString } from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Plugin } from './chain.ts';

export interface ExternalIpSettings {
  /** Ranges that an administrator gave away. */
  readonly allowedCidrs: readonly string[];
  /** Ranges that ClusterIPs are taken from. */
  readonly serviceCidrs: readonly string[];
}

export function externalIps({ allowedCidrs, serviceCidrs }: ExternalIpSettings): Plugin {
  const isIn = (cidrs: readonly string[], address: string): boolean =>
    cidrs.some((cidr) => isInPrefix(address, cidr));
  return {
    validate: ({ definition, operation, subresource, object, oldObject, name }) => {
      if (definition.group !== '' || definition.plural !== 'services' || subresource !== '') return;
      if (operation !== 'CREATE' && operation !== 'UPDATE') return;
      const had = new Set(arrayAt(oldObject, 'spec', 'externalIPs').map(asString));
      const added = arrayAt(object, 'spec', 'externalIPs')
        .map(asString)
        .filter((address) => !had.has(address));
      if (added.every((address) => isIn(allowedCidrs, address) && !isIn(serviceCidrs, address))) return;
      throw forbiddenObject(definition, name, 'Use of external IPs is denied by admission control.');
    },
  };
}
