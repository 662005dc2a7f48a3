/**
 * Who asks. Requests come through the API server's aggregation layer, which says who the user is in
 * `X-Remote-*` headers. They count only from a connection whose client certificate chains to the
 * front-proxy CA AND carries an allowed name (CVE-2025-64432); anyone else's headers are worth nothing.
 */
import { setMember } from '@podvisor/base';
export interface FrontProxyConfig {
  /** PEM bundle that front-proxy certificates chain to. */
  readonly clientCa: string;
  /** Common names; an empty list allows any certificate of the CA, as in Kubernetes. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** What the TLS layer knows about the other side. */
export interface Peer {
  /** The certificate chains to `clientCa`. */
  readonly authorized: boolean;
  readonly commonName?: string;
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Reads `kube-system/extension-apiserver-authentication`; undefined when it has no front-proxy CA. */
export function parseFrontProxyConfig(data: Readonly<Record<string, string>>): FrontProxyConfig | undefined {
  const clientCa = data['requestheader-client-ca-file'];
  if (clientCa === undefined || clientCa.trim() === '') return undefined;
  return {
    clientCa,
    allowedNames: stringList(data['requestheader-allowed-names'], []),
    usernameHeaders: stringList(data['requestheader-username-headers'], ['X-Remote-User']),
    groupHeaders: stringList(data['requestheader-group-headers'], ['X-Remote-Group']),
    extraHeaderPrefixes: stringList(data['requestheader-extra-headers-prefix'], ['X-Remote-Extra-']),
  };
}

/** Whether the other side has shown that it is the API server. */
export function isFrontProxy({ authorized, commonName }: Peer, { allowedNames }: FrontProxyConfig): boolean {
  if (!authorized || commonName === undefined) return false;
  return allowedNames.length === 0 || allowedNames.includes(commonName);
}

/** The user that the front proxy names; undefined when nobody trustworthy does. */
export function identify(
  peer: Peer,
  rawHeaders: readonly string[],
  config: FrontProxyConfig | undefined,
): User | undefined {
  if (config === undefined || !isFrontProxy(peer, config)) return undefined;
  const headers = headerValues(rawHeaders);
  const name = config.usernameHeaders.flatMap((header) => headers.get(header.toLowerCase()) ?? [])[0];
  if (name === undefined || name === '') return undefined;
  const extra: Record<string, string[]> = {};
  for (const prefix of config.extraHeaderPrefixes.map((text) => text.toLowerCase())) {
    for (const [header, values] of headers) {
      if (header.startsWith(prefix)) setMember(extra, decodeKey(header.slice(prefix.length)), values);
    }
  }
  return {
    name,
    groups: config.groupHeaders.flatMap((header) => headers.get(header.toLowerCase()) ?? []),
    extra,
  };
}

/**
 * Names and values alternate. Node's own view joins repeated headers with commas, which a group name may
 * contain: splitting it again could make one group into two.
 */
function headerValues(rawHeaders: readonly string[]): ReadonlyMap<string, string[]> {
  const values = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const known = values.get(name);
    if (known === undefined) values.set(name, [rawHeaders[i + 1] ?? '']);
    else known.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}

/** Keys of extra headers are percent-encoded. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded after all: Kubernetes keeps it as it is.
    return text;
  }
}

function stringList(json: string | undefined, fallback: readonly string[]): readonly string[] {
  if (json === undefined) return fallback;
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
    throw new Error(`expected a JSON list of strings, found ${json}`);
  }
  return value as string[];
}
