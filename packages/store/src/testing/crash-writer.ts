/** Writes objects without end, several at a time, and prints each one when its write is acknowledged. */
import { writeSync } from 'node:fs';
import { SqliteLog } from '../sqlite-log.ts';
import { Store } from '../store.ts';
import { namedValues } from './named-values.ts';

const store = new Store(new SqliteLog(process.argv[2] ?? ''), namedValues);
const PARALLEL = 8;
const NAMES = 40;

async function write(lane: number): Promise<never> {
  for (let i = 0; ; i += 1) {
    const name = `lane${lane}-${i % NAMES}`;
    const revision = store.nextRevision();
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', resourceVersion: String(revision) },
      data: { fill: 'x'.repeat(2000) },
    };
    await store.commit({
      key: `/configmaps/default/${name}`,
      revision,
      object,
      text: JSON.stringify(object),
    });
    // Synchronous, so that nothing is said before and everything said is out when the kill comes.
    writeSync(1, `${name} ${revision}\n`);
  }
}

await Promise.all(Array.from({ length: PARALLEL }, (_, lane) => write(lane)));
