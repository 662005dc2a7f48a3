/** `proxy` of Pods and Services: one HTTP request to a container, through the API server. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type DialPolicy, dialRefusal, parseAddress, StatusError, urlHost } from '@podvisor/base';
import { ownAddresses } from '@podvisor/sys';
import { keyOf } from '@podvisor/store';
import type { VerbContext } from '../core.ts';
import { NoDestination, resolveService } from '../outbound.ts';
import type { Answer } from '../verbs/answer.ts';
import { arrayAt, at, type KubeObject, stringAt } from '../wire/json.ts';
import { endToEnd, fieldsOf } from '../wire/exchange.ts';
import { badRequest, notFound } from '../wire/status.ts';

interface Target {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
}

/** `[scheme:]name[:port]`, as the path names a target. */
interface TargetName {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

function parseTarget(text: string): TargetName {
  const [first = '', second, third] = text.split(':');
  if (third !== undefined) return { scheme: first, name: second ?? '', port: third };
  return { scheme: 'http', name: first, port: second ?? '' };
}

/** The address in its one form, if Kubernetes' proxies may go there. Throws 400. */
function proxyable(text: string, policy?: DialPolicy): string {
  const address = parseAddress(text);
  if (address === undefined || dialRefusal(address, policy) !== undefined)
    throw badRequest('address not allowed');
  return address.text;
}

/** Addresses of this machine, unless one is that of a Pod of the namespace (which then uses the node's network). */
function nodePolicy(context: VerbContext, host: string): DialPolicy {
  const pods = context.core.store.list('/pods', keyOf('', 'pods', context.info.namespace, ''));
  const isPod = pods.some(({ object }) =>
    arrayAt(object, 'status', 'podIPs').some((one) => stringAt(one, 'ip') === host),
  );
  return isPod ? {} : { refuse: ownAddresses() };
}

export async function proxyToPod(context: VerbContext): Promise<Answer> {
  const { core, definition, info } = context;
  const { scheme, name, port } = parseTarget(info.name);
  const pod = core.store.get(keyOf('', 'pods', info.namespace, name))?.object;
  if (pod === undefined) throw notFound(definition, name);
  const host = proxyable(stringAt(pod, 'status', 'podIP'));
  return forward(context, { scheme, host, port: podPort(pod, port) });
}

function podPort(pod: KubeObject, wanted: string): number {
  if (/^[0-9]+$/.test(wanted)) return Number(wanted);
  const ports = arrayAt(pod, 'spec', 'containers').flatMap((container) => arrayAt(container, 'ports'));
  const found = wanted === '' ? ports[0] : ports.find((port) => stringAt(port, 'name') === wanted);
  return Number(at(found, 'containerPort') ?? 80);
}

export async function proxyToService(context: VerbContext): Promise<Answer> {
  const { core, definition, info } = context;
  const { scheme, name, port } = parseTarget(info.name);
  const service = core.store.get(keyOf('', 'services', info.namespace, name))?.object;
  if (service === undefined) throw notFound(definition, name);
  // A name that its owner chose is never followed from here, whatever it means at the moment.
  if (stringAt(service, 'spec', 'type') === 'ExternalName')
    throw new StatusError('ServiceUnavailable', `no endpoints available for service "${name}"`);
  const ports = arrayAt(service, 'spec', 'ports');
  const found =
    port === '' && ports.length === 1
      ? ports[0]
      : ports.find((one) => stringAt(one, 'name') === port || String(at(one, 'port')) === port);
  if (found === undefined)
    throw new StatusError('ServiceUnavailable', `no service port ${port} found for service "${name}"`);
  if (core.store.get(keyOf('', 'endpoints', info.namespace, name)) === undefined)
    throw notFound(definition, name);
  try {
    const reference = { namespace: info.namespace, name, port: Number(at(found, 'port')) };
    const { host, port: number } = resolveService(core.store, reference, false);
    return await forward(context, { scheme, host: proxyable(host, nodePolicy(context, host)), port: number });
  } catch (error) {
    if (!(error instanceof NoDestination)) throw error;
    if (error.reason === 'AddressNotAllowed') throw badRequest('address not allowed');
    throw new StatusError('ServiceUnavailable', `no endpoints available for service "${name}"`);
  }
}

/** Nodes of this home have no HTTP listener of their own. */
export function proxyToNode({ core, definition, info }: VerbContext): Answer {
  const { name } = parseTarget(info.name);
  if (core.store.get(keyOf('', 'nodes', '', name)) === undefined) throw notFound(definition, name);
  throw new StatusError('ServiceUnavailable', `node "${name}" has no HTTP endpoint in this cluster`);
}

async function forward(context: VerbContext, { scheme, host, port }: Target): Promise<Answer> {
  const { info, headers, signal } = context;
  const body = await context.readBytes();
  // Credentials are for this server and go no further.
  const { authorization: _auth, cookie: _cookie, ...rest } = endToEnd(fieldsOf(headers));
  const options = {
    method: info.method,
    host,
    port,
    path: `${info.proxied === '' ? '/' : info.proxied}${info.search}`,
    headers: { ...rest, host: `${urlHost(host)}:${port}`, 'content-length': body.length },
    signal,
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request =
      scheme === 'https'
        ? httpsRequest({ ...options, rejectUnauthorized: false }, resolve)
        : httpRequest(options, resolve);
    request.on('error', (error) =>
      reject(new StatusError('ServiceUnavailable', `error trying to reach service: ${error.message}`)),
    );
    request.end(body);
  });
  return {
    kind: 'stream',
    start: (response) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    },
  };
}
