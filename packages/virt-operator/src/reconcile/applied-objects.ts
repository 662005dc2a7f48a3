/**
 * Remembers what the API server made of what we applied. A server may normalise a value, so that what it stores
 * differs from what was asked for ever after: applying it again would change nothing, and nothing would ever be ready.
 */
import { createHash } from 'node:crypto';
import type { KubernetesObject } from '@podvisor/api';
import type { Manifest } from '../install/manifest.ts';
import { nameOf } from '../install/ownership.ts';

export class AppliedObjects {
  readonly #known = new Map<string, string>();

  /** `stored` is the answer to applying `wanted`. */
  note(wanted: Manifest, stored: KubernetesObject): void {
    this.#known.set(nameOf(wanted), markOf(wanted, stored));
  }

  /** The same was applied before, and nobody has changed the object since. */
  has(wanted: Manifest, live: KubernetesObject): boolean {
    return this.#known.get(nameOf(wanted)) === markOf(wanted, live);
  }
}

/** Changes of a status count for nothing where the object has a generation. */
function markOf(wanted: Manifest, stored: KubernetesObject): string {
  const { uid, generation, resourceVersion } = stored.metadata ?? {};
  const hash = createHash('sha1').update(JSON.stringify(wanted)).digest('hex');
  return `${hash} ${uid} ${generation ?? resourceVersion}`;
}
