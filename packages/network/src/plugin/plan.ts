/**
 * Binding plugins that attach by `tap`: their CNI part has made a TAP (under the name that we would give it) or a
 * macvtap-like device in place of the Pod's NIC. It is found and handed to QEMU as it is.
 */
import { type BindingPlan, type BindingSpec, BindingError, type Observed } from '../binding.ts';
import { tapName } from '../names.ts';
import type { PodNic } from '../pod-nic.ts';

/** Pure: nothing is made; the device must be there. */
export function planTap(spec: BindingSpec, nic: PodNic, { links }: Observed): BindingPlan {
  const device = links.find(({ ifname }) => ifname === tapName(nic.name)) ?? links.find(isMacvtap(nic));
  if (device === undefined)
    throw new BindingError(
      `the binding plugin ${spec.interface.binding?.name} has made neither a device ${tapName(nic.name)} nor a macvtap ${nic.name} in the Pod`,
    );
  return {
    actions: [],
    attachment: {
      name: spec.interface.name,
      binding: 'plugin',
      tapDevice: device.ifname,
      podInterface: nic.name,
      mac: spec.interface.macAddress || spec.knownMac || nic.mac,
      mtu: device.mtu,
      queueCount: spec.queueCount,
    },
  };
}

function isMacvtap({ name }: PodNic) {
  return ({ ifname, linkinfo }: Observed['links'][number]): boolean =>
    ifname === name && (linkinfo?.info_kind === 'macvtap' || linkinfo?.info_kind === 'tun');
}
