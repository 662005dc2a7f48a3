/**
 * Writes packages/api/src/gen/schemas.ts from the API types: one source for the type, the schema and what
 * `kubectl explain` prints. A field without a description is an error. `--check` writes nothing and fails
 * when the file is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { kindRegistry } from '../packages/api/src/crds/registry.ts';
import { emitSchemas } from './crds/emit-schemas.ts';
import { parseTypes } from './crds/parse-types.ts';

const types = new URL('../packages/api/src/types/', import.meta.url).pathname;
const target = new URL('../packages/api/src/gen/schemas.ts', import.meta.url).pathname;

// Kinds of others: Kubernetes' own, which are no CRDs, and those whose CRDs the embedded home brings.
const FOREIGN = new Set(['index.ts', 'core.ts', 'kinds.ts', 'cdi.ts', 'volume-snapshot.ts']);
const declarations = parseTypes(types, FOREIGN);
const { text, undocumented } = emitSchemas(
  declarations,
  kindRegistry.map((entry) => entry.kind),
);

if (undocumented.length > 0) {
  console.error(
    `${undocumented.length} types and fields have no description, such as ${undocumented.slice(0, 8).join(', ')}`,
  );
}
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('packages/api/src/gen/schemas.ts is out of date: run node scripts/generate-crds.ts');
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
}
