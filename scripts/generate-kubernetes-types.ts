/**
 * Writes the interfaces of Kubernetes' kinds from the API server's description of built-in types, into
 * packages/api/src/types/kubernetes/gen: `embedded.ts` has those that stand in our CRDs, with texts, `kinds.ts` the
 * others. `--check` fails when one is not up to date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { library } from '../packages/apiserver/src/registry/library.ts';
import { emitInterface, joined, reachable, typeComment } from './kubernetes-types/emit.ts';
import { CONDITIONS, describedType, interfaceName, KINDS } from './kubernetes-types/kinds.ts';
import { narrowings } from './kubernetes-types/narrowings.ts';
import { texts } from './kubernetes-types/texts.ts';

const folder = new URL('../packages/api/src/types/kubernetes/gen/', import.meta.url).pathname;
const HEADER = `// Made by scripts/generate-kubernetes-types.ts from packages/apiserver/src/registry/types. Do not edit.\n`;
const ALIASES = ['Base64', 'EmptyObject', 'Int', 'Int32', 'Int64', 'IntOrString', 'Json', 'Quantity', 'Time'];
const options = { nameOf: interfaceName, narrowings };

/** The imports that a text needs of those that there are. */
function imports(text: string, names: readonly string[], file: string): string {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).toSorted();
  return used.length === 0 ? '' : `import type { ${used.join(', ')} } from '${file}';\n`;
}

const embedded = Object.entries(texts).map(([name, text]) => {
  const struct = library.struct(describedType(name));
  return `${typeComment(struct, text)}${emitInterface(name, [...struct.fields.values()], options, text)}`;
});
const others = reachable(KINDS, (name) => interfaceName(name) in texts || CONDITIONS.includes(name))
  .filter((name) => library.struct(name).fields.size > 0)
  .map((name) => emitInterface(interfaceName(name), [...library.struct(name).fields.values()], options));
const condition = emitInterface('Condition', joined(CONDITIONS), options);

const embeddedText = embedded.join('\n');
const kindsText = [condition, ...others].join('\n');
const used = new Set(
  [...`${embeddedText}${kindsText}`.matchAll(/export interface (\w+)/g)].map(([, name]) => name),
);
for (const place of Object.keys(narrowings))
  if (!used.has(place.split('.')[0]))
    throw new Error(`narrowings.ts names ${place}, whose type no kind reaches`);

const files = {
  'embedded.ts': `${HEADER}${imports(embeddedText, ALIASES, '../meta.ts')}\n${embeddedText}`,
  'kinds.ts': `${HEADER}${imports(kindsText, ALIASES, '../meta.ts')}${imports(kindsText, Object.keys(texts), './embedded.ts')}\n${kindsText}`,
};
mkdirSync(folder, { recursive: true });
for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) writeFileSync(`${folder}${file}`, text);
  else if (readFileSync(`${folder}${file}`, 'utf8') !== text) {
    console.error(`${folder}${file} is out of date: run node scripts/generate-kubernetes-types.ts`);
    process.exitCode = 1;
  }
}
