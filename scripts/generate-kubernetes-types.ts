/**
 * Writes test/static/gen/kubernetes.ts: every built-in type of the API server's description as a TypeScript type, so
 * that the compiler can hold the interfaces written by hand against it. `--check` fails when it is not up to date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { library } from '../packages/apiserver/src/registry/library.ts';
import type { FieldSchema, ScalarType, Schema } from '../packages/apiserver/src/registry/schema.ts';

const target = new URL('../test/static/gen/kubernetes.ts', import.meta.url).pathname;

const SCALARS: Readonly<Record<ScalarType, string>> = {
  string: 'string',
  int32: 'number',
  int64: 'number',
  integer: 'number',
  double: 'number',
  bool: 'boolean',
  time: 'string',
  microtime: 'string',
  bytes: 'string',
  quantity: 'string | number',
  intOrString: 'string | number',
  any: 'unknown',
};

function typeOf(schema: Schema): string {
  switch (schema.shape) {
    case 'struct':
      return `Described['${schema.name}']`;
    case 'list':
      return `readonly (${typeOf(schema.element)})[]`;
    case 'map':
      return `Readonly<Record<string, ${typeOf(schema.element)}>>`;
    case 'scalar':
      return SCALARS[schema.type];
  }
}

function line({ name, schema, required }: FieldSchema): string {
  const key = /^\w+$/.test(name) ? name : `'${name}'`;
  return `    readonly ${key}${required ? '' : '?'}: ${typeOf(schema)};\n`;
}

const types = [...library.names()].toSorted().map((name) => {
  const fields = [...library.struct(name).fields.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `  readonly ${name}: {\n${fields.map(line).join('')}  };\n`;
});
const text = `/** Made by scripts/generate-kubernetes-types.ts from packages/apiserver/src/registry/types; do not edit. */
export interface Described {
${types.join('')}}
`;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error(
      'test/static/gen/kubernetes.ts is out of date: run node scripts/generate-kubernetes-types.ts',
    );
    process.exitCode = 1;
  }
} else {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
