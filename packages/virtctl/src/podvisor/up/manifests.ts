/** Reads manifests and applies them, whatever their kinds, through discovery and server-side apply. */
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@podvisor/api';
import { messageOf, nearest, StatusError } from '@podvisor/base';
import type { KubeClient, Resource } from '@podvisor/kube';
import { CORE_SCHEMA, loadAll } from 'js-yaml';
import { fieldProblems, pathOf } from '../../manifest/field-problems.ts';
import { documentsOf, type FieldPath, type Place } from '../../manifest/places.ts';

/** An object of a manifest, which knows where its fields stand. */
export interface ManifestObject {
  readonly object: KubernetesObject;
  /** `vm.yaml:14:11`. */
  place(path: FieldPath): string;
}

/** All objects of a YAML or JSON file, also inside a List. Throws with file, line and column on bad input. */
export function readManifest(file: string): readonly ManifestObject[] {
  const objects = parseManifest(readText(file), file);
  if (objects.length === 0) throw new Error(`${file} holds no object: is it the right file?`);
  const problems = objects.flatMap(({ object, place }) =>
    fieldProblems(object).map(({ path, text }) => `${place(path)}: ${text}`),
  );
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return objects;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read`, { cause: error });
  }
}

/** Pure. */
export function parseManifest(text: string, file: string): readonly ManifestObject[] {
  let documents: readonly unknown[];
  let places: readonly ((path: FieldPath) => Place)[];
  try {
    documents = loadAll(text, { schema: CORE_SCHEMA, filename: file });
    places = documentsOf(text, file);
  } catch (error) {
    throw new Error(`${file} is not a readable manifest`, { cause: error });
  }
  return documents.flatMap((document, i) => {
    const place = (path: FieldPath): string => {
      const { line, column } = places[i]?.(path) ?? { line: 1, column: 1 };
      return `${file}:${line}:${column}`;
    };
    return document === null || document === undefined ? [] : objectsOf(document, [], place);
  });
}

function objectsOf(document: unknown, above: FieldPath, place: ManifestObject['place']): ManifestObject[] {
  const object = document as KubernetesObject & { items?: unknown[] };
  const where = place(above);
  if (typeof object !== 'object' || typeof object.kind !== 'string' || typeof object.apiVersion !== 'string')
    throw new Error(`${where}: apiVersion and kind are required`);
  if (object.kind === 'List')
    return (object.items ?? []).flatMap((item, i) => objectsOf(item, [...above, 'items', i], place));
  if (object.metadata?.name === undefined && object.metadata?.generateName === undefined)
    throw new Error(`${where}: metadata.name of this ${object.kind} is required`);
  return [{ object, place: (path) => place([...above, ...path]) }];
}

/** Applies one object; answers with it as stored. What the server refuses is told with its place in the file. */
export async function applyObject(
  client: KubeClient,
  { object, place }: ManifestObject,
): Promise<KubernetesObject> {
  const resource = await discover(client, object).catch((error: unknown) => {
    throw error instanceof UnknownKind ? new Error(`${place([error.field])}: ${error.message}`) : error;
  });
  const namespace = resource.namespaced ? (object.metadata?.namespace ?? 'default') : undefined;
  const name = object.metadata?.name ?? '';
  try {
    return await client.patch(
      resource,
      { name, ...(namespace === undefined ? {} : { namespace }) },
      { type: 'apply', body: object, fieldManager: 'podvisor', force: true },
    );
  } catch (error) {
    throw new Error(`${place(fieldOf(error))}: ${messageOf(error)}`);
  }
}

/** The field that the server's answer names: the first cause, or the path of a failed typed patch. */
export function fieldOf(error: unknown): FieldPath {
  const cause = error instanceof StatusError ? error.details?.causes?.[0]?.field : undefined;
  const typed = /: \.(\S+): (?:field not declared in schema|expected )/.exec(messageOf(error))?.[1];
  return pathOf(cause ?? typed ?? '');
}

/** A manifest names a kind that the server does not have; `field` is the one that is wrong. */
class UnknownKind extends Error {
  readonly field: 'apiVersion' | 'kind';

  constructor(field: UnknownKind['field'], message: string) {
    super(message);
    this.field = field;
  }
}

async function discover(client: KubeClient, object: KubernetesObject): Promise<Resource> {
  const { apiVersion = 'v1', kind = '' } = object;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
  const list = await client
    .request<{ resources: { name: string; kind: string; namespaced: boolean }[] }>({ method: 'GET', path })
    .catch((error: unknown) => {
      if (!(error instanceof StatusError) || error.code !== 404) throw error;
      throw new UnknownKind(
        'apiVersion',
        `the server has no "${apiVersion}": kubectl api-versions lists what it has`,
      );
    });
  const found = list.resources.find((r) => r.kind === kind && !r.name.includes('/'));
  if (found === undefined) {
    const near = nearest(kind, [...new Set(list.resources.map((one) => one.kind))]);
    const meant = near === undefined ? '' : `; did you mean \`${near}\`?`;
    throw new UnknownKind('kind', `the server has no kind "${kind}" in ${apiVersion}${meant}`);
  }
  return {
    group: group ?? '',
    version: version ?? 'v1',
    plural: found.name,
    kind,
    namespaced: found.namespaced,
  };
}
