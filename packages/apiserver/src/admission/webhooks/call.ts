/** Asks one webhook over HTTPS, within its time. Every failure is an Error with Kubernetes' words. */
import { request as httpsRequest } from 'node:https';
import type { Store } from '../../object-store.ts';
import { type Destination, dialProblem, NoDestination, type OutboundAgents } from '../../outbound.ts';
import { asObject, type JsonObject } from '../../wire/json.ts';
import { type ReviewAnswer, readAnswer } from './review.ts';
import type { Webhook } from './webhook.ts';

/** Answers larger than this are refused. */
const MAX_ANSWER_BYTES = 3 * 1024 * 1024;

export async function callWebhook(
  webhook: Webhook,
  request: JsonObject,
  { store, agents }: { readonly store: Store; readonly agents: OutboundAgents },
  signal?: AbortSignal,
): Promise<ReviewAnswer> {
  const body = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request });
  const { status, text } = await postToWebhook(webhook, body, { store, agents }, signal);
  if (status < 200 || status > 299) throw new Error(`failed to call webhook: ${httpProblem(status, text)}`);
  return readAnswer(parseAnswer(text), String(request['uid']));
}

/** What is needed to reach a webhook. */
export type WebhookTarget = Pick<Webhook, 'client' | 'timeoutSeconds'>;

/** Sends a question and gives back the raw answer; throws when there is none. */
export function postToWebhook(
  webhook: WebhookTarget,
  body: string,
  { store, agents }: { readonly store: Store; readonly agents: OutboundAgents },
  signal?: AbortSignal,
): Promise<{ status: number; text: string }> {
  const { destination, url } = targetOf(webhook, store, agents);
  return post(webhook, destination, url, body, agents, signal);
}

function targetOf(
  webhook: WebhookTarget,
  store: Store,
  agents: OutboundAgents,
): { destination: Destination; url: URL } {
  const { service, url } = webhook.client;
  const withTimeout = (text: string): URL => {
    const parsed = new URL(text);
    parsed.searchParams.set('timeout', `${webhook.timeoutSeconds}s`);
    return parsed;
  };
  if (service === undefined) {
    const parsed = withTimeout(url);
    const host = parsed.hostname.replace(/^\[|\]$/g, '');
    return { destination: { host, port: Number(parsed.port || 443), serverName: host }, url: parsed };
  }
  try {
    const destination = agents.destination(store, service);
    const path = service.path.startsWith('/') || service.path === '' ? service.path : `/${service.path}`;
    return { destination, url: withTimeout(`https://${destination.serverName}:${service.port}${path}`) };
  } catch (error) {
    if (!(error instanceof NoDestination)) throw error;
    const text =
      error.reason === 'ServiceNotFound'
        ? `service "${service.name}" not found`
        : error.reason === 'AddressNotAllowed'
          ? error.message
          : `no endpoints available for service "${service.name}"`;
    const path = service.path.startsWith('/') || service.path === '' ? service.path : `/${service.path}`;
    throw new Error(
      `failed to call webhook: Post "https://${service.name}.${service.namespace}.svc:${service.port}${path}?timeout=${webhook.timeoutSeconds}s": ${text}`,
      { cause: error },
    );
  }
}

function post(
  webhook: WebhookTarget,
  destination: Destination,
  url: URL,
  body: string,
  agents: OutboundAgents,
  signal: AbortSignal | undefined,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const fail = (problem: string): void =>
      reject(new Error(`failed to call webhook: Post "${url.href}": ${problem}`));
    const request = httpsRequest(
      {
        method: 'POST',
        host: destination.host,
        port: destination.port,
        lookup: destination.lookup,
        path: `${url.pathname}${url.search}`,
        // An address is checked as an address; SNI takes only names.
        ...(/^[\d.]+$|:/.test(destination.serverName) ? {} : { servername: destination.serverName }),
        agent: agents.agent(webhook.client.caBundle, false),
        headers: {
          host: url.host,
          'content-type': 'application/json',
          accept: 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'kube-apiserver-admission',
        },
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES)
            request.destroy(new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`));
          else chunks.push(chunk);
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
        response.on('error', (error) => fail(isLate ? 'context deadline exceeded' : error.message));
      },
    );
    // A signal of its own for each call would cost as much as the call's own work here.
    const deadline = setTimeout(() => {
      isLate = true;
      request.destroy();
    }, webhook.timeoutSeconds * 1000);
    request.on('close', () => clearTimeout(deadline));
    request.on('error', (error) =>
      fail(isLate ? 'context deadline exceeded' : dialProblem(error, destination)),
    );
    request.end(body);
  });
}

function httpProblem(status: number, text: string): string {
  if (status === 404) return 'the server could not find the requested resource';
  if (status >= 500)
    return `an error on the server (${JSON.stringify(text.trim() || 'unknown')}) has prevented the request from succeeding`;
  return 'the server rejected our request for an unknown reason';
}

function parseAnswer(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What is not JSON may be YAML, and is then a value of the wrong type.
    value = text;
  }
  const object = asObject(value);
  if (object !== undefined) return object;
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  throw new Error(
    `failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  );
}
