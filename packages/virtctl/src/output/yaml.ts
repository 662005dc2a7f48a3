/** YAML as kubectl prints it: sorted keys, lists not indented, double quotes. */
import { CORE_SCHEMA, dump, load } from 'js-yaml';

export function toYaml(value: unknown): string {
  return dump(JSON.parse(JSON.stringify(value)), {
    sortKeys: true,
    lineWidth: -1,
    seqNoIndent: true,
    quoteStyle: 'double',
    noRefs: true,
  });
}

/** One document. Dates stay text (the core schema has no timestamps). */
export function fromYaml(text: string): unknown {
  return load(text, { schema: CORE_SCHEMA });
}
