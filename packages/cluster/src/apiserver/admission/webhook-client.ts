/** Calls one admission webhook over HTTPS. Connections are kept; errors read as Kubernetes' own client writes them. */
import { Agent, request } from 'node:https';
import type { Store } from '../../store/store.ts';
import { keyOf } from '../../store/types.ts';
import { asObject, at, type Json, type JsonObject, objectAt, parseJson, stringAt } from '../wire/json.ts';
import { jsonProblem } from '../wire/go-json.ts';

/** Where a webhook listens, as its configuration says. */
export interface Target {
  /** As messages show it. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly servername: string;
  readonly caBundle: string;
}

/** Resolves `clientConfig`: a URL, or a Service (also of type ExternalName). */
export function targetOf(store: Store, clientConfig: JsonObject, timeoutSeconds: number): Target {
  const ca = stringAt(clientConfig, 'caBundle');
  const caBundle = ca === '' ? '' : Buffer.from(ca, 'base64').toString();
  const suffix = `timeout=${timeoutSeconds}s`;
  const given = stringAt(clientConfig, 'url');
  if (given !== '') {
    const url = new URL(given);
    const path = `${url.pathname}${url.search}${url.search === '' ? '?' : '&'}${suffix}`;
    return { url: `${url.origin}${path}`, host: url.hostname, port: Number(url.port || 443), path, servername: url.hostname, caBundle };
  }
  const service = objectAt(clientConfig, 'service');
  const name = stringAt(service, 'name');
  const namespace = stringAt(service, 'namespace');
  const port = Number(at(service, 'port') ?? 443);
  const path = `${stringAt(service, 'path') || '/'}?${suffix}`;
  const servername = `${name}.${namespace}.svc`;
  const found = store.get(keyOf('', 'services', namespace, name))?.object;
  if (found === undefined) throw new CallError(`failed to call webhook: Post "https://${servername}:${port}${path}": service "${name}" not found`);
  const external = stringAt(found, 'spec', 'type') === 'ExternalName';
  const host = external ? stringAt(found, 'spec', 'externalName') : stringAt(found, 'spec', 'clusterIP');
  return { url: `https://${servername}:${port}${path}`, host, port, path, servername: external ? host : servername, caBundle };
}

/** The webhook could not be called or did not answer as it must. */
export class CallError extends Error {}

const agents = new Map<string, Agent>();

function agentOf(caBundle: string): Agent {
  let agent = agents.get(caBundle);
  if (agent === undefined) {
    if (agents.size > 100) agents.clear();
    agent = new Agent({ keepAlive: true, maxSockets: 64, ...(caBundle === '' ? {} : { ca: caBundle }) });
    agents.set(caBundle, agent);
  }
  return agent;
}

/** Posts the review; answers the parsed body. */
export async function callWebhook(target: Target, review: string, timeoutMs: number): Promise<JsonObject> {
  const { status, text } = await post(target, review, timeoutMs);
  if (status >= 200 && status < 300) return parseReview(text);
  throw new CallError(`failed to call webhook: ${statusText(status, text)}`);
}

function statusText(status: number, text: string): string {
  let message = '';
  try {
    message = stringAt(parseJson(text), 'message');
  } catch {
    // Not JSON: the body itself is the message.
  }
  if (message !== '') return message;
  if (status === 404) return 'the server could not find the requested resource';
  if (status >= 500) return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`;
  return `the server rejected our request for an unknown reason`;
}

function parseReview(text: string): JsonObject {
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    throw new CallError(`failed to call webhook: couldn't get version/kind; json parse error: ${jsonProblem(text) ?? 'malformed'}`);
  }
  const review = asObject(value);
  if (review === undefined) {
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw new CallError(`failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal ${kind} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`);
  }
  return review;
}

function post(target: Target, body: string, timeoutMs: number): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: target.host,
        port: target.port,
        path: target.path,
        method: 'POST',
        agent: agentOf(target.caBundle),
        servername: /^[\d.]+$|:/.test(target.servername) ? '' : target.servername,
        headers: { 'content-type': 'application/json', accept: 'application/json, */*', 'user-agent': 'kube-apiserver-admission', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
        response.on('error', (error) => fail(error));
      },
    );
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error instanceof CallError ? error : new CallError(`failed to call webhook: Post "${target.url}": ${goError(error, target)}`));
    };
    const timer = setTimeout(() => call.destroy(new CallError(`failed to call webhook: Post "${target.url}": context deadline exceeded`)), timeoutMs);
    call.on('error', fail);
    call.end(body);
  });
}

/** Socket errors as Go's net package words them. */
export function goError(error: Error, { host, port }: { host: string; port: number }): string {
  const code = (error as { code?: string }).code;
  const address = `${host === 'localhost' ? '127.0.0.1' : host}:${port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'EHOSTUNREACH') return `dial tcp ${address}: connect: no route to host`;
  if (code === 'ECONNRESET') return 'EOF';
  if (code !== undefined && /CERT|SELF_SIGNED|SIGNATURE/.test(code)) return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  return error.message;
}
