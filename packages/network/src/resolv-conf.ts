/** What a Pod's resolv.conf says, for the guest. The file is the tenant's: read within bounds. */
import { isIPv4, isIPv6 } from 'node:net';

export interface ResolvConf {
  /** IPv4 addresses: DHCPv4 can carry no others. */
  readonly nameservers: readonly string[];
  readonly nameservers6: readonly string[];
  readonly search: readonly string[];
}

/** resolv.conf(5) knows 3 servers; Kubernetes allows 32 search domains of 2,048 characters together. */
const MAX_NAMESERVERS = 3;
const MAX_SEARCH = 32;
const DOMAIN = /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_-]{1,63})*\.?$/;

/** Parses the text. The last `search` line counts. */
export function parseResolvConf(text: string): ResolvConf {
  const nameservers: string[] = [];
  const nameservers6: string[] = [];
  let search: readonly string[] = [];
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    if (keyword === 'nameserver' && values[0] !== undefined && isIPv4(values[0])) nameservers.push(values[0]);
    // A link-local server means nothing on the guest's link.
    if (
      keyword === 'nameserver' &&
      values[0] !== undefined &&
      isIPv6(values[0]) &&
      !/^fe[89ab]/i.test(values[0])
    )
      nameservers6.push(values[0]);
    if (keyword === 'search' || keyword === 'domain')
      search = values
        .filter((v) => v.length <= 253 && DOMAIN.test(v))
        .map((v) => v.toLowerCase().replace(/\.$/, ''));
  }
  return {
    nameservers: nameservers.slice(0, MAX_NAMESERVERS),
    nameservers6: nameservers6.slice(0, MAX_NAMESERVERS),
    search: search.slice(0, MAX_SEARCH),
  };
}

/** With a subdomain, the guest finds its siblings by short name: `<subdomain>.<ns>.svc.…` comes first. */
export function guestSearchDomains(
  search: readonly string[],
  subdomain: string | undefined,
  namespace: string,
): readonly string[] {
  if (subdomain === undefined || subdomain === '') return search;
  const services = search.find((domain) => domain.startsWith(`${namespace}.svc.`));
  if (services === undefined) return search;
  const own = `${subdomain}.${services}`;
  return search.includes(own) ? search : [own, ...search];
}
