/**
 * passt: a process beside QEMU carries the guest's connections over the Pod's own sockets. No bridge, no TAP, no
 * NAT: the guest sees the Pod's addresses. passt answers DHCP, DHCPv6, router
 * solicitations and DNS, so the launcher serves nothing here.
 */
import { type BindingPlan, type BindingSpec, QEMU_UID } from '../binding.ts';
import { substituteMac } from '../mac.ts';
import type { PodNic } from '../pod-nic.ts';

/** Pure: what passt needs of the Pod's namespace. */
export function planPasst(spec: BindingSpec, nic: PodNic): BindingPlan {
  const { user = QEMU_UID } = spec;
  return {
    actions: [
      {
        kind: 'sysctl',
        settings: {
          // Pings of the guest leave by ping sockets, ports below 1024 are listened at, both without privilege.
          'net.ipv4.ping_group_range': `${user} ${user}`,
          'net.ipv4.ip_unprivileged_port_start': '0',
        },
      },
    ],
    attachment: {
      name: spec.interface.name,
      binding: 'passt',
      podInterface: nic.name,
      mac: spec.interface.macAddress || spec.knownMac || substituteMac(nic.mac),
      mtu: nic.mtu,
      queueCount: 1,
      passt: {
        tcpPorts: portsOf(spec, 'TCP'),
        udpPorts: portsOf(spec, 'UDP'),
        searchDomains: spec.guest.searchDomains,
      },
    },
  };
}

/** As with masquerade: what is listed, or everything when nothing is. */
function portsOf({ interface: { ports = [] } }: BindingSpec, protocol: string): 'all' | readonly number[] {
  if (ports.length === 0) return 'all';
  return ports.filter((port) => (port.protocol || 'TCP').toUpperCase() === protocol).map(({ port }) => port);
}
