/**
 * `node scripts/rbac-recording.ts [--add]`: joins what the instances of a run noted (record-rights.ts) into the recording
 * that rights.test.ts compares with the roles. With `--add`, what is recorded already stays: for a run of some of the
 * tests.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedRights } from '../packages/cluster/src/bootstrap-objects/testing/record-rights.ts';

const TARGET = join(
  import.meta.dirname,
  '../packages/cluster/src/bootstrap-objects/testing/rbac-recording.json',
);

const before = process.argv.includes('--add') ? (JSON.parse(readFileSync(TARGET, 'utf8')) as string[]) : [];
const unique = [...new Set([...before, ...recordedRights()])].toSorted();
writeFileSync(TARGET, `${JSON.stringify(unique, null, 2)}\n`);
console.log(`${unique.length} rights in ${TARGET}`);
