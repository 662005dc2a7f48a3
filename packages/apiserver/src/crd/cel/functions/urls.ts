/** URLs: `url("https://a/b")`. */
import type { Environment } from '@marcbachmann/cel-js';
import { declaring } from './declare.ts';

class Link {
  readonly url: URL;
  constructor(url: URL) {
    this.url = url;
  }
}

/** An absolute URL, or a path that begins with a slash. */
function parse(text: string): Link | undefined {
  const url = URL.parse(text.startsWith('/') ? `relative:${text}` : text);
  return url === null ? undefined : new Link(url);
}

function need(text: string): Link {
  const link = parse(text);
  if (link === undefined)
    throw new Error(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  return link;
}

function query({ url }: Link): Record<string, string[]> {
  const names = [...new Set(url.searchParams.keys())];
  return Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)]));
}

export function declareUrls(env: Environment): void {
  const type = 'kubernetes.URL';
  env.registerType(type, Link);
  env.registerOperator(`${type} == ${type}`, (a: Link, b: Link) => a.url.href === b.url.href);
  const f = declaring(env);
  f('isURL(string): bool', (text: string) => parse(text) !== undefined);
  f(`url(string): ${type}`, need);
  f(`${type}.getScheme(): string`, ({ url }: Link) =>
    url.protocol === 'relative:' ? '' : url.protocol.slice(0, -1),
  );
  f(`${type}.getHost(): string`, ({ url }: Link) => url.host);
  f(`${type}.getHostname(): string`, ({ url }: Link) => url.hostname.replace(/^\[(.*)\]$/, '$1'));
  f(`${type}.getPort(): string`, ({ url }: Link) => url.port);
  f(`${type}.getEscapedPath(): string`, ({ url }: Link) => url.pathname);
  f(`${type}.getQuery(): map<string, list<string>>`, query);
}
