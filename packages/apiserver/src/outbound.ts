/**
 * Requests that the server itself makes: to admission webhooks and to extension API servers. Finds out where
 * a Service leads, shows the front-proxy certificate, keeps connections, and words failures as Kubernetes does.
 */
import { Agent, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { DialPolicy } from '@podvisor/base';
import { AddressRefused, type CheckedHost, checkedHost } from '@podvisor/sys';
import type { Store } from './object-store.ts';
import { keyOf } from '@podvisor/store';
import { arrayAt, at, stringAt } from './wire/json.ts';

/** Where to connect, and which name the certificate there must carry. */
export interface Destination {
  readonly host: string;
  /** Finds only addresses that may be dialled; absent where an administrator named the host in a URL. */
  readonly lookup?: LookupFunction;
  readonly port: number;
  readonly serverName: string;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** A Service that leads nowhere; the message is for the condition or the answer. */
export class NoDestination extends Error {
  readonly reason: 'ServiceNotFound' | 'ServicePortError' | 'MissingEndpoints' | 'AddressNotAllowed';

  constructor(reason: NoDestination['reason'], message: string) {
    super(message);
    this.name = 'NoDestination';
    this.reason = reason;
  }
}

/**
 * Follows a Service: an ExternalName to that name, others to their first ready endpoint. Whoever may write the Service
 * chose where it leads, which need not be who registered it: the machine's own and link-local addresses are refused,
 * but loopback where `mayUseLoopback` says so.
 */
export function resolveService(
  store: Store,
  { namespace, name, port }: ServiceReference,
  mayUseLoopback: boolean,
): Destination {
  const service = store.get(keyOf('', 'services', namespace, name))?.object;
  if (service === undefined)
    throw new NoDestination('ServiceNotFound', `service/${name} in "${namespace}" is not present`);
  const serverName = `${name}.${namespace}.svc`;
  if (stringAt(service, 'spec', 'type') === 'ExternalName')
    return { ...checked(stringAt(service, 'spec', 'externalName'), mayUseLoopback), port, serverName };
  const ports = arrayAt(service, 'spec', 'ports');
  const wanted = ports.find((p) => at(p, 'port') === port);
  if (wanted === undefined)
    throw new NoDestination(
      'ServicePortError',
      `service/${name} in "${namespace}" is not listening on port ${port}`,
    );
  const endpoints = store.get(keyOf('', 'endpoints', namespace, name))?.object;
  for (const subset of arrayAt(endpoints, 'subsets')) {
    const host = stringAt(subset, 'addresses', 0, 'ip');
    const target = arrayAt(subset, 'ports').find((p) => stringAt(p, 'name') === stringAt(wanted, 'name'));
    const number = at(target, 'port');
    if (host !== '' && typeof number === 'number')
      return { ...checked(host, mayUseLoopback), port: number, serverName };
  }
  throw new NoDestination(
    'MissingEndpoints',
    `endpoints for service/${name} in "${namespace}" have no addresses with port name "${stringAt(wanted, 'name')}"`,
  );
}

const LOOPBACK: DialPolicy = { allow: ['127.0.0.0/8', '::1/128'] };

function checked(host: string, mayUseLoopback: boolean): CheckedHost {
  try {
    return checkedHost(host, mayUseLoopback ? LOOPBACK : {});
  } catch (error) {
    if (error instanceof AddressRefused) throw new NoDestination('AddressNotAllowed', error.message);
    throw error;
  }
}

export interface OutboundIdentity {
  /** PEM. */
  readonly clientCert: string;
  readonly clientKey: string;
}

/** One keep-alive agent for each trust setting; there are few of those. */
export class OutboundAgents {
  readonly #identity: OutboundIdentity;
  readonly #mayUseLoopback: (service: ServiceReference) => boolean;
  readonly #agents = new Map<string, Agent>();

  /** `mayUseLoopback`: Services that an administrator set up to lead to a server on this machine. */
  constructor(identity: OutboundIdentity, mayUseLoopback: (service: ServiceReference) => boolean) {
    this.#identity = identity;
    this.#mayUseLoopback = mayUseLoopback;
  }

  /** Where a Service leads. Throws NoDestination. */
  destination(store: Store, service: ServiceReference): Destination {
    return resolveService(store, service, this.#mayUseLoopback(service));
  }

  /** `caBundle` is base64 PEM as it stands in the objects; empty: the machine's own roots. */
  agent(caBundle: string, insecure: boolean): Agent {
    const key = insecure ? 'insecure' : caBundle;
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      agent = new Agent({
        keepAlive: true,
        maxFreeSockets: 8,
        cert: this.#identity.clientCert,
        key: this.#identity.clientKey,
        rejectUnauthorized: !insecure,
        ...(caBundle === '' || insecure ? {} : { ca: Buffer.from(caBundle, 'base64').toString('utf8') }),
      });
      this.#agents.set(key, agent);
    }
    return agent;
  }

  /** TLS options for a connection outside the agent (an upgrade). */
  tlsOptions(caBundle: string, insecure: boolean): RequestOptions {
    return {
      cert: this.#identity.clientCert,
      key: this.#identity.clientKey,
      rejectUnauthorized: !insecure,
      ...(caBundle === '' || insecure ? {} : { ca: Buffer.from(caBundle, 'base64').toString('utf8') }),
    };
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

/** A failure to connect in the words that clients know from Go: `dial tcp 127.0.0.1:1: connect: connection refused`. */
export function dialProblem(error: unknown, { host, port }: Destination): string {
  const { code, message, address } = error as NodeJS.ErrnoException & { address?: string };
  const where = `${address ?? host}:${port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${where}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ECONNRESET') return 'EOF';
  return message ?? String(error);
}
