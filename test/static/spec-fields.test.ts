/**
 * Every field that a user may set in a VM or a VMI is named by code that runs, beside its type: a field that nobody
 * reads would be accepted in silence.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const packages = new URL('../../packages/', import.meta.url).pathname;
const NOT_RUNNING = ['gen', 'types', 'testing', 'examples'];

/** Files of the product below a folder. */
function sources(folder: string): readonly string[] {
  return readdirSync(packages + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NOT_RUNNING.includes(entry.name) ? [] : sources(path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
}

test('every field of the specification of a VM and of a VMI is named by code', () => {
  const words = new Set(
    readdirSync(packages).flatMap((name) =>
      sources(`${name}/src`).flatMap((path) => readFileSync(packages + path, 'utf8').match(/\w+/g) ?? []),
    ),
  );
  const fields = ['vm', 'vmi'].flatMap((folder) =>
    readdirSync(`${packages}api/src/types/${folder}`)
      .filter((file) => !file.endsWith('-status.ts'))
      .flatMap((file) => {
        const text = readFileSync(`${packages}api/src/types/${folder}/${file}`, 'utf8');
        return [...text.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = '']) => field);
      }),
  );
  assert.ok(fields.length > 300, 'the types were read');
  assert.deepEqual([...new Set(fields.filter((field) => !words.has(field)))], []);
});
