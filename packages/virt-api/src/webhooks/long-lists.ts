/**
 * Lists in specs of our kinds that are longer than any guest could use. Rules compare entries with each other, and some
 * name every pair that does not fit: twenty thousand disks of one name would be two hundred million sentences. Whoever
 * may write in one namespace may send them, so they are refused before anything else looks at them. Pure.
 */
import { refusal } from '@podvisor/api';
import type { AdmissionAnswer, AdmissionRequest } from './review.ts';

export const MAX_ENTRIES = 1024;

/** The refusal of an object with such a list; undefined when there is none, or the object had it already. */
export function longListRefusal({
  resource,
  object,
  oldObject,
}: Pick<AdmissionRequest, 'resource' | 'object' | 'oldObject'>): AdmissionAnswer | undefined {
  if (!/(^|\.)kubevirt\.io$/.test(resource.group)) return undefined;
  const path = longList(specOf(object), 'spec');
  // What is there stays changeable: its finalizers must go.
  if (path === undefined || longList(specOf(oldObject), 'spec') !== undefined) return undefined;
  const message = `${path} list exceeds the ${MAX_ENTRIES} element limit in length`;
  return {
    kind: 'validated',
    ...refusal(message, 422),
    causes: [{ reason: 'FieldValueInvalid', message, field: path }],
  };
}

function specOf(object: unknown): unknown {
  return typeof object === 'object' && object !== null && 'spec' in object ? object.spec : undefined;
}

/** Where the first one is. */
function longList(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.length > MAX_ENTRIES) return path;
  for (const [key, below] of Object.entries(value)) {
    if (typeof below !== 'object' || below === null) continue;
    const found = longList(below, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
