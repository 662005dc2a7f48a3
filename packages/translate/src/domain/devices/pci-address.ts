/** PCI addresses as users write them. */
import type { Address } from '../model/common.ts';
import { ConversionError } from '../part.ts';

const PATTERN = /^([\da-fA-F]{4}):([\da-fA-F]{2}):([\da-fA-F]{2})\.([0-7])$/;

/** `0000:81:01.0` → `<address type='pci' …/>` of `device`, such as `disk root`. Throws ConversionError. */
export function pciAddress(text: string, field: string, device: string): Address {
  const match = PATTERN.exec(text);
  if (match === null)
    throw new ConversionError(`failed to configure ${device}: failed to parse pci address ${text}`, field);
  const [, domain, bus, slot, fn] = match;
  return { type: 'pci', domain: `0x${domain}`, bus: `0x${bus}`, slot: `0x${slot}`, function: `0x${fn}` };
}
