/** Which devices this node offers. */
import { existsSync } from 'node:fs';
import type { SharedDevice } from './shared-device.ts';

/**
 * kvm only where it works (see kvmFacts), the others where they exist. `count`: how many VMs may share each; `mount`:
 * what comes with each.
 */
export function deviceResources(
  kvmUsable: boolean,
  count: number,
  mount?: SharedDevice['mount'],
): readonly SharedDevice[] {
  const all = [
    { name: 'devices.kubevirt.io/kvm', path: '/dev/kvm', offered: kvmUsable },
    { name: 'devices.kubevirt.io/tun', path: '/dev/net/tun', offered: existsSync('/dev/net/tun') },
    { name: 'devices.kubevirt.io/vhost-net', path: '/dev/vhost-net', offered: existsSync('/dev/vhost-net') },
  ];
  const shared = { count, ...(mount === undefined ? {} : { mount }) };
  return all.filter((d) => d.offered).map(({ name, path }) => ({ name, path, ...shared }));
}
