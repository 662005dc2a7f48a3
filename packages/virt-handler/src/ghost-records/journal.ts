/** The records of this node: a file per VMI, a copy in memory. Each write is whole or not at all. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Uid } from '@podvisor/base';
import { type GhostRecord, parseRecord } from './record.ts';

export class Journal {
  readonly #directory: string;
  readonly #records = new Map<string, GhostRecord>();

  /** Opens the journal below `stateDir` and reads what earlier lives left. */
  constructor(stateDir: string) {
    this.#directory = join(stateDir, 'ghost-records');
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    for (const file of readdirSync(this.#directory)) {
      const record = file.endsWith('.json')
        ? parseRecord(readFileSync(join(this.#directory, file), 'utf8'))
        : undefined;
      if (record === undefined) rmSync(join(this.#directory, file), { force: true });
      else this.#records.set(record.uid, record);
    }
  }

  get(uid: string): GhostRecord | undefined {
    return this.#records.get(uid);
  }

  list(): readonly GhostRecord[] {
    return [...this.#records.values()];
  }

  /** Records of VMIs of this name; more than one when a VMI was deleted and made anew. */
  of(namespace: string, name: string): readonly GhostRecord[] {
    return this.list().filter((r) => r.namespace === namespace && r.name === name);
  }

  put(record: GhostRecord): void {
    const path = this.#path(record.uid);
    writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    this.#records.set(record.uid, record);
  }

  remove(uid: Uid): void {
    rmSync(this.#path(uid), { force: true });
    this.#records.delete(uid);
  }

  #path(uid: Uid): string {
    return join(this.#directory, `${uid}.json`);
  }
}
