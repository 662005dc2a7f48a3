/** Requests to the API server, through the server of the page. A refusal is an error with the server's own words. */
import { refusalOf } from './refusal.ts';
import { heardCode, sessionMark } from './session.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the API server knows it. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

export async function send(
  { method, path, body, contentType = 'application/json' }: ApiRequest,
  signal?: AbortSignal,
): Promise<Response> {
  return askServer(`/k8s${path}`, {
    method,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
}

export async function readJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await send({ method: 'GET', path }, signal)).json()) as T;
}

/** What the page's server knows itself. */
export async function readOwnJson<T>(
  path: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  return (await (await askServer(path, { signal, headers })).json()) as T;
}

async function askServer(path: string, options: RequestInit): Promise<Response> {
  const mark = sessionMark();
  const response = await fetch(path, options);
  if (response.ok) return response;
  const refusal = refusalOf(response.status, await response.text());
  heardCode(refusal.code, refusal.message, mark);
  throw refusal;
}
