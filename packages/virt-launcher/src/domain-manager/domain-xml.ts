/** The domain, as libvirt tells it: as it runs, and as it was defined. */
import { XML_FLAG } from '@podvisor/libvirt';
import { type DomainContext, requireDomain } from './context.ts';

export async function domainXml(context: DomainContext): Promise<{
  readonly xml: string;
  readonly definedXml: string;
}> {
  const { connection, domain } = await requireDomain(context, 'show');
  const [xml, definedXml] = await Promise.all([
    connection.getXml(domain),
    connection.getXml(domain, XML_FLAG.inactive),
  ]);
  return { xml, definedXml };
}
