/** Domain ↔ libvirt XML. */
import { parseXml } from '../xml/parse.ts';
import { writeXml } from '../xml/write.ts';
import { type Domain, domainCodec } from './model/domain.ts';

/** The XML that libvirt is given. Throws XmlCharacterError when a value cannot be carried by XML. */
export function domainToXml(domain: Domain): string {
  return writeXml(domainCodec.encode('domain', domain));
}

/** The parts of libvirt's XML that we know; the rest is dropped. Throws XmlParseError. */
export function domainFromXml(xml: string): Domain {
  return domainCodec.decode(parseXml(xml));
}
