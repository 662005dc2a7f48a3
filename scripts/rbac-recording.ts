/**
 * `node scripts/rbac-recording.ts [--add] DIRECTORY`: joins what instances noted there (packages/cluster/src/bootstrap-objects/testing/record-rights.ts)
 * into the recording that rights.test.ts compares with the roles. With `--add`, what is recorded already stays: for a
 * run of some of the tests.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TARGET = join(
  import.meta.dirname,
  '../packages/cluster/src/bootstrap-objects/testing/rbac-recording.json',
);

const isAdded = process.argv.includes('--add');
const directory = process.argv.slice(2).find((argument) => argument !== '--add');
if (directory === undefined) throw new Error('usage: node scripts/rbac-recording.ts [--add] DIRECTORY');
const files = readdirSync(directory)
  .filter((name) => name.endsWith('.json'))
  .map((name) => join(directory, name));
const rights = [...files, ...(isAdded ? [TARGET] : [])].flatMap(
  (path) => JSON.parse(readFileSync(path, 'utf8')) as string[],
);
const unique = [...new Set(rights)].toSorted();
writeFileSync(TARGET, `${JSON.stringify(unique, null, 2)}\n`);
console.log(`${unique.length} rights in ${TARGET}`);
