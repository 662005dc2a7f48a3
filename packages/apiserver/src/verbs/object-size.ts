/** How large an object may be once it is stored: what a body, its defaults, webhooks and patches made of it. */
import { StatusError } from '@podvisor/base';
import type { Stored } from '../object-store.ts';

/** etcd's default limit of a request, which is what objects of a real cluster fit into. */
export const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;

/** Throws 413 for an object that is too large, unless it was that large before: what is there can always shrink. */
export function checkSize(stored: Stored, before?: Stored): void {
  if (stored.text.length * 3 <= MAX_OBJECT_BYTES) return;
  const bytes = Buffer.byteLength(stored.text);
  if (bytes <= MAX_OBJECT_BYTES) return;
  if (before !== undefined && bytes <= Buffer.byteLength(before.text)) return;
  throw new StatusError(
    'RequestEntityTooLarge',
    `Request entity too large: the object would have ${bytes} bytes, limit is ${MAX_OBJECT_BYTES}`,
  );
}
