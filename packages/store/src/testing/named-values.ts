/** Values for tests of the store: JSON with a name, whose deletion carries its revision. */
import type { Codec } from '../types.ts';

export interface NamedValue {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
}

export const namedValues: Codec<NamedValue> = {
  decode: (text) => JSON.parse(text) as NamedValue,
  deletedAt: (value, revision) => {
    const object = { ...value, metadata: { ...value.metadata, resourceVersion: String(revision) } };
    return { object, text: JSON.stringify(object) };
  },
};
