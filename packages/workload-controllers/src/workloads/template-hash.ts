/** A short name for the content of a Pod template: equal templates, equal names. Pure. */
import type { PodTemplateSpec } from '@podvisor/api';

export const HASH_LABEL = 'pod-template-hash';

/** Letters that cannot spell words, as Kubernetes uses for generated names. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Ten characters; `collisions` makes another one of the same template. */
export function templateHash(template: PodTemplateSpec, collisions = 0): string {
  return encode(hash64(`${canonical(withoutHash(template))}#${collisions || ''}`));
}

/** Hash of any JSON value. */
export function contentHash(value: unknown, collisions = 0): string {
  return encode(hash64(`${canonical(value)}#${collisions || ''}`));
}

/** The template without the label that we add to it. */
export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [HASH_LABEL]: _, ...labels } = template.metadata?.labels ?? {};
  const { labels: _labels, creationTimestamp: _created, ...metadata } = template.metadata ?? {};
  return { ...template, metadata: { ...metadata, ...(Object.keys(labels).length === 0 ? {} : { labels }) } };
}

export function sameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return canonical(withoutHash(a)) === canonical(withoutHash(b));
}

/** JSON with sorted keys, and without what is undefined or null. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, v]) => v !== undefined && v !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, v]) => `${JSON.stringify(key)}:${canonical(v)}`).join(',')}}`;
}

/** FNV-1a, 64 bit. */
function hash64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

function encode(hash: bigint): string {
  let rest = hash;
  let text = '';
  for (let i = 0; i < 10; i += 1) {
    text += LETTERS[Number(rest % BigInt(LETTERS.length))] ?? '';
    rest /= BigInt(LETTERS.length);
  }
  return text;
}
