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
