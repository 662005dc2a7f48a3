/**
 * `upload.cdi.kubevirt.io/v1beta1` as an extension of the API server, which authenticates and authorizes its
 * users (they must be allowed to create uploadtokenrequests in the namespace) and shows itself by its
 * front-proxy certificate. Nothing is stored.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf, parseRequestPath } from '@podvisor/base';
import type { UploadTokens } from './token.ts';

export const UPLOAD_GROUP = 'upload.cdi.kubevirt.io';
const API_VERSION = `${UPLOAD_GROUP}/v1beta1`;
const ROOT = `/apis/${API_VERSION}`;
const MAX_BODY_BYTES = 64 * 1024;

interface Parts {
  readonly tokens: UploadTokens;
  claimExists(namespace: string, name: string): boolean;
}

/** Answers requests below `/apis`. The caller has checked who asks. */
export async function answerTokenApi(
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
): Promise<void> {
  const path = parseRequestPath(request.url ?? '/');
  if (path === undefined)
    return send(response, 400, status(400, 'BadRequest', 'the path of the request is not normal'));
  if (request.method === 'GET' && path.path === ROOT) return send(response, 200, RESOURCES);
  const namespace = namespaceOf(path.segments);
  if (namespace === undefined || request.method !== 'POST')
    return send(response, 404, status(404, 'NotFound', 'the server could not find the requested resource'));
  try {
    const body = JSON.parse(await bodyOf(request)) as {
      readonly metadata?: object;
      readonly spec?: { readonly pvcName?: unknown };
    };
    const claim = body.spec?.pvcName ?? '';
    if (typeof claim !== 'string') throw new Error('spec.pvcName is not a string');
    if (!parts.claimExists(namespace, claim))
      return send(response, 404, status(404, 'NotFound', `persistentvolumeclaims "${claim}" not found`));
    send(response, 201, {
      ...body,
      apiVersion: API_VERSION,
      kind: 'UploadTokenRequest',
      metadata: { ...body.metadata, namespace },
      status: { token: parts.tokens.issue({ namespace, claim }) },
    });
  } catch (error) {
    send(response, 400, status(400, 'BadRequest', `the request cannot be read: ${messageOf(error)}`));
  }
}

/** The namespace of a path to upload tokens: the whole path, as the API server authorised it. */
function namespaceOf(segments: readonly string[]): string | undefined {
  const [apis, group, version, namespaces, namespace, resource] = segments;
  const isOurs = segments.length === 6 && apis === 'apis' && group === UPLOAD_GROUP && version === 'v1beta1';
  return isOurs && namespaces === 'namespaces' && resource === 'uploadtokenrequests' ? namespace : undefined;
}

const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: API_VERSION,
  resources: [
    {
      name: 'uploadtokenrequests',
      singularName: 'uploadtokenrequest',
      namespaced: true,
      kind: 'UploadTokenRequest',
      verbs: ['create'],
    },
  ],
};

function status(code: number, reason: string, message: string): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

function send(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece: Buffer = chunk;
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`it is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}
