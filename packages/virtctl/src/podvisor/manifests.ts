/** Reads manifests and applies them, whatever their kinds, through discovery and server-side apply. */
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@podvisor/api';
import type { KubeClient, Resource } from '@podvisor/kube';
import { CORE_SCHEMA, loadAll } from 'js-yaml';

/** All objects of a YAML or JSON file, also inside a List. Throws with file and place on bad input. */
export function readManifest(file: string): readonly KubernetesObject[] {
  let documents: unknown[];
  try {
    documents = loadAll(readFileSync(file, 'utf8'), { schema: CORE_SCHEMA, filename: file }) as unknown[];
  } catch (error) {
    throw new Error(`${file} is not a readable manifest`, { cause: error });
  }
  return documents
    .filter((d) => d !== null && d !== undefined)
    .flatMap((document, i) => objectsOf(document, file, i));
}

function objectsOf(document: unknown, file: string, index: number): KubernetesObject[] {
  const object = document as KubernetesObject & { items?: unknown[] };
  if (typeof object !== 'object' || typeof object.kind !== 'string' || typeof object.apiVersion !== 'string')
    throw new Error(`${file}, document ${index + 1}: apiVersion and kind are required`);
  if (object.kind === 'List') return (object.items ?? []).flatMap((item) => objectsOf(item, file, index));
  if (object.metadata?.name === undefined && object.metadata?.generateName === undefined)
    throw new Error(`${file}, document ${index + 1} (${object.kind}): metadata.name is required`);
  return [object];
}

/** Applies one object; answers with it as stored. */
export async function applyObject(client: KubeClient, object: KubernetesObject): Promise<KubernetesObject> {
  const resource = await discover(client, object);
  const namespace = resource.namespaced ? (object.metadata?.namespace ?? 'default') : undefined;
  const name = object.metadata?.name ?? '';
  return client.patch(
    resource,
    { name, ...(namespace === undefined ? {} : { namespace }) },
    { type: 'apply', body: object, fieldManager: 'podvisor', force: true },
  );
}

async function discover(client: KubeClient, object: KubernetesObject): Promise<Resource> {
  const { apiVersion = 'v1', kind = '' } = object;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
  const list = await client.request<{ resources: { name: string; kind: string; namespaced: boolean }[] }>({
    method: 'GET',
    path,
  });
  const found = list.resources.find((r) => r.kind === kind && !r.name.includes('/'));
  if (found === undefined) throw new Error(`the server has no kind "${kind}" in ${apiVersion}`);
  return {
    group: group ?? '',
    version: version ?? 'v1',
    plural: found.name,
    kind,
    namespaced: found.namespaced,
  };
}
