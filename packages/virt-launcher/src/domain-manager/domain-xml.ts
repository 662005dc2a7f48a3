/** The running domain, as libvirt tells it. */
import { type DomainContext, requireDomain } from './context.ts';

export async function domainXml(context: DomainContext): Promise<{ readonly xml: string }> {
  const { connection, domain } = await requireDomain(context, 'show');
  return { xml: await connection.getXml(domain) };
}
