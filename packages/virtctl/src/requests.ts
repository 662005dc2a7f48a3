/** Requests in the form of the real virtctl: a missing body stays missing, an empty one is `{}`. */
import { StatusError } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { at, textOf } from './plain.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** PUT; answers of subresources have no body that matters. */
export async function put(client: KubeClient, path: string, body?: unknown): Promise<void> {
  await client.raw({
    method: 'PUT',
    path,
    headers: JSON_TYPE,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export function post<T = unknown>(client: KubeClient, path: string, body: unknown): Promise<T> {
  return client.request<T>({ method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(body) });
}

export function getJson<T = unknown>(client: KubeClient, path: string): Promise<T> {
  return client.request<T>({ method: 'GET', path });
}

/** GET, or undefined where there is no such object (or no such API). */
export async function findJson(client: KubeClient, path: string): Promise<unknown> {
  try {
    return await getJson(client, path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A JSON patch (RFC 6902). */
export function patchJson(client: KubeClient, path: string, body: readonly unknown[]): Promise<unknown> {
  const headers = { 'content-type': 'application/json-patch+json' };
  return client.request({ method: 'PATCH', path, headers, body: JSON.stringify(body) });
}

/** DELETE with options of the object's own API version. */
export async function deleteObject(
  client: KubeClient,
  path: string,
  apiVersion: string,
  dryRun = false,
): Promise<void> {
  const options = { kind: 'DeleteOptions', apiVersion, ...(dryRun ? { dryRun: ['All'] } : {}) };
  await client.raw({ method: 'DELETE', path, headers: JSON_TYPE, body: JSON.stringify(options) });
}

export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'NotFound';
}

/** Path of a namespaced object (or of the collection), e.g. `objectPath('v1', 'ns', 'secrets', 'a')`. */
export function objectPath(apiVersion: string, namespace: string, plural: string, name?: string): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const tail = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}/${apiVersion}/namespaces/${encodeURIComponent(namespace)}/${plural}${tail}`;
}

export function nameOf(object: unknown): string {
  return textOf(at(object, 'metadata', 'name')) ?? '';
}
