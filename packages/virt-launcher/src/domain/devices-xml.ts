/** Devices as libvirt takes them when they are attached, changed or detached. */
import { type Domain, domainToXml } from '@podvisor/translate';

/** The XML of these devices alone, without the domain around them. */
export function devicesXml(devices: Domain['devices']): string {
  const xml = domainToXml({ devices });
  return xml.slice(xml.indexOf('<devices>') + '<devices>'.length, xml.lastIndexOf('</devices>')).trim();
}
