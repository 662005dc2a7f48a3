/**
 * MAC addresses of a copy. The guest knows its interfaces by those that it had; QEMU is started with those of the copy,
 * so that they hold after the guest's next reset too, and the guest is told them by its agent (identity.ts): its driver
 * gives them to the devices, whose addresses had come back with the memory. Pure.
 */
import type { Domain } from '@podvisor/translate';

export interface ChangedMac {
  /** Small letters, as the guest's kernel shows it. */
  readonly before: string;
  readonly after: string;
}

/** Of the interfaces that both domains have and that differ. */
export function changedMacs(saved: Domain, now: Domain): readonly ChangedMac[] {
  return (saved.devices?.interfaces ?? []).flatMap(({ alias, mac }) => {
    const other = now.devices?.interfaces?.find((nic) => nic.alias?.name === alias?.name);
    const [before, after] = [mac?.address?.toLowerCase(), other?.mac?.address?.toLowerCase()];
    return before === undefined || after === undefined || before === after ? [] : [{ before, after }];
  });
}

/** The domain with them. All at once: an address may be that of one interface before and of another one after. */
export function withMacs(xml: string, changed: readonly ChangedMac[]): string {
  const after = new Map(changed.map((mac) => [mac.before, mac.after]));
  return xml.replaceAll(
    /<mac address='([^']*)'/g,
    (_, before: string) => `<mac address='${after.get(before.toLowerCase()) ?? before}'`,
  );
}

/**
 * A function `readdress` for the guest's shell; its arguments are MAC addresses in pairs, old and new. Links are found
 * before the first is changed: two may change places. Those without a device (bridges, VLANs) follow the one below them.
 * virtio takes a new address while it is up, and routes stay. Each process takes its time in an emulated guest: `ip` is
 * the only one. `links`: where the kernel shows them.
 */
export const readdress = (links = '/sys/class/net'): string => String.raw`new_mac() {
  new=
  while [ $# -ge 2 ]; do
    [ "$1" != "$now" ] || { new=$2; return; }
    shift 2
  done
}
readdress() {
  cd ${links} 2>/dev/null || return 0
  todo=
  for name in *; do
    [ -e "$name/device" ] && read -r now < "$name/address" || continue
    new_mac "$@"
    [ -z "$new" ] || todo="$todo $name $new"
  done
  set -- $todo
  while [ $# -ge 2 ]; do
    ip link set dev "$1" address "$2" 2>/dev/null || ifconfig "$1" hw ether "$2" 2>/dev/null ||
      { ip link set dev "$1" down && ip link set dev "$1" address "$2"; ip link set dev "$1" up; }
    read -r now < "$1/address"
    [ "$now" = "$2" ] || return 1
    shift 2
  done
}
`;
