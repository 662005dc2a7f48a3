/** Manifests as text → documents that know where they come from. Pure. */
import { isRecord } from '@podvisor/base';
import type { KubernetesObject } from '@podvisor/api';
import { CORE_SCHEMA, loadAll } from 'js-yaml';

/** An object of a manifest, and the place to name when something is wrong with it. */
export interface ManifestDocument {
  /** `vm.yaml, document 2`. */
  readonly where: string;
  readonly object: KubernetesObject & { readonly kind: string };
}

/** Input that cannot be rendered; the message names file and field. */
export class InputError extends Error {
  constructor(where: string, message: string, options?: ErrorOptions) {
    super(`${where}: ${message}`, options);
    this.name = 'InputError';
  }
}

/** All objects of a YAML or JSON text, also those inside a List. Throws InputError. */
export function parseDocuments(text: string, file: string): readonly ManifestDocument[] {
  let values: readonly unknown[];
  try {
    values = loadAll(text, { schema: CORE_SCHEMA, filename: file });
  } catch (error) {
    throw new InputError(file, `not readable as YAML or JSON: ${firstLine(error)}`);
  }
  const present = values.filter((value) => value !== null && value !== undefined);
  if (present.length === 0) throw new InputError(file, 'holds no object');
  return present.flatMap((value, index) =>
    objectsOf(value, present.length === 1 ? file : `${file}, document ${index + 1}`),
  );
}

function objectsOf(value: unknown, where: string): readonly ManifestDocument[] {
  if (!isRecord(value)) throw new InputError(where, 'is not an object with apiVersion and kind');
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string') throw new InputError(where, 'field apiVersion is missing');
  if (typeof kind !== 'string') throw new InputError(where, 'field kind is missing');
  if (kind === 'List') {
    const items = Array.isArray(value['items']) ? value['items'] : [];
    return items.flatMap((item, index) => objectsOf(item, `${where}, item ${index + 1}`));
  }
  return [{ where, object: { ...value, apiVersion, kind } }];
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
