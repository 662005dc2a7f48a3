/** Where to listen, as command lines say it. */

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, an IPv6 address in brackets. Throws an error for people that names the flag. */
export function parseHostPort(flag: string, text: string): HostPort {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > 65_535) throw new Error(`${flag} must be HOST:PORT, not "${text}"`);
  return { host, port };
}
