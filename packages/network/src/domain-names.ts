/** Domain names as DNS writes them (RFC 1035, 3.1), without compression. */

const MAX_LABEL_BYTES = 63;

/** Names one after another, each with its final zero; as many whole ones as fit `maxBytes`. */
export function domainNames(domains: readonly string[], maxBytes: number): number[] {
  const out: number[] = [];
  for (const domain of domains) {
    const name = domainName(domain);
    if (name === undefined || out.length + name.length > maxBytes) continue;
    out.push(...name);
  }
  return out;
}

/** One name, or undefined when it is none. */
export function domainName(domain: string): number[] | undefined {
  const labels = domain.split('.').filter((label) => label !== '');
  const bytes = labels.map((label) => [...new TextEncoder().encode(label)]);
  if (bytes.length === 0 || bytes.some((label) => label.length > MAX_LABEL_BYTES)) return undefined;
  return [...bytes.flatMap((label) => [label.length, ...label]), 0];
}
