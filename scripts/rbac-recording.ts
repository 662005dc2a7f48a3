/**
 * `node scripts/rbac-recording.ts DIRECTORY`: joins what instances noted there (test/support/rbac-recording.ts)
 * into the recording that rbac.test.ts compares with the roles.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TARGET = join(
  import.meta.dirname,
  '../packages/cluster/src/bootstrap-objects/testing/rbac-recording.json',
);

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: node scripts/rbac-recording.ts DIRECTORY');
const rights = readdirSync(directory)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as string[]);
const unique = [...new Set(rights)].toSorted();
writeFileSync(TARGET, `${JSON.stringify(unique, null, 2)}\n`);
console.log(`${unique.length} rights in ${TARGET}`);
