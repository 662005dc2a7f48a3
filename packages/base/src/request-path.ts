/**
 * The target of an HTTP request, in one form for everybody who reads it. Whoever authorises a path and whoever serves
 * it must mean the same thing, so a path that two readers could read in two ways is refused before anything else:
 * dot segments, empty segments, an encoded slash, backslashes, control characters and broken escapes. What remains is
 * written one way only.
 */

export interface RequestPath {
  /** Decoded segments; none is empty, `.` or `..`, none holds a slash, a backslash or a control character. */
  readonly segments: readonly string[];
  /** The path with only those characters escaped that must be. A slash at the end is kept. */
  readonly path: string;
  /** The query as it came, with its question mark; empty without one. */
  readonly search: string;
}

/** A path without escapes and without what would need one: nearly all of them, and in their one form already. */
const WRITTEN_OUT = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/;

/** Reads a request target in origin form (`/path?query`). Undefined when it must be refused. */
export function parseRequestPath(target: string): RequestPath | undefined {
  const cut = target.indexOf('?');
  const raw = cut < 0 ? target : target.slice(0, cut);
  if (!raw.startsWith('/') || raw.includes('#')) return undefined;
  const isWrittenOut = WRITTEN_OUT.test(raw);
  const parts = raw.slice(1).split('/');
  const hasSlashAtEnd = parts.length > 1 && parts.at(-1) === '';
  if (hasSlashAtEnd || raw === '/') parts.pop();
  const segments: string[] = [];
  for (const part of parts) {
    const segment = isWrittenOut ? part : decode(part);
    if (segment === undefined || !isPlain(segment)) return undefined;
    segments.push(segment);
  }
  const path = isWrittenOut ? raw : `/${segments.map(encode).join('/')}${hasSlashAtEnd ? '/' : ''}`;
  return { segments, path, search: cut < 0 ? '' : target.slice(cut) };
}

function isPlain(segment: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  return segment !== '' && segment !== '.' && segment !== '..' && !/[/\\\u0000-\u001f\u007f]/.test(segment);
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // a broken escape, or bytes that are not UTF-8
  }
}

/** Escapes what RFC 3986 does not allow in a segment (`pchar`). */
function encode(segment: string): string {
  return encodeURIComponent(segment).replace(/%(21|24|26|27|28|29|2A|2B|2C|3A|3B|3D|40)/g, (escape) =>
    decodeURIComponent(escape),
  );
}
