/** The media type that a header names (RFC 9110, 8.3.1), whatever its parameters are. Pure. */

/** One parameter, or none. Each is looked at once: nothing that comes later makes it be read another way. */
const PARAMETER = /;\s*(?:[^\s;=]+=(?:"[^"]*"|[^\s;"]*)\s*)?/y;

/** In lower case and without parameters; undefined when they are none. */
export function mediaTypeOf(header: string): string | undefined {
  const end = header.indexOf(';');
  const type = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  for (let at = end; at >= 0 && at < header.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    if (!PARAMETER.test(header)) return undefined;
  }
  return type;
}
