/** The records of this node: a file per VMI, a copy in memory. Each write is whole or not at all. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Uid } from '@podvisor/base';
import { type GhostRecord, parseRecord } from './record.ts';

export class Journal {
  readonly #directory: string;
  readonly #records = new Map<string, GhostRecord>();
  /** UIDs of VMIs by Pod: whoever looks at all guests of a node looks this up for each. */
  readonly #byPod = new Map<Uid, Set<Uid>>();

  /** Opens the journal below `stateDir` and reads what earlier lives left. */
  constructor(stateDir: string) {
    this.#directory = join(stateDir, 'ghost-records');
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    for (const file of readdirSync(this.#directory)) {
      const record = file.endsWith('.json')
        ? parseRecord(readFileSync(join(this.#directory, file), 'utf8'))
        : undefined;
      if (record === undefined) rmSync(join(this.#directory, file), { force: true });
      else this.#remember(record);
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

  /** The Pod is written down for a VMI other than this one. */
  isOfAnother(podUid: Uid, uid: string | undefined): boolean {
    return [...(this.#byPod.get(podUid) ?? [])].some((owner) => owner !== uid);
  }

  put(record: GhostRecord): void {
    const path = this.#path(record.uid);
    writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    this.#remember(record);
  }

  remove(uid: Uid): void {
    rmSync(this.#path(uid), { force: true });
    this.#forget(uid);
  }

  #remember(record: GhostRecord): void {
    this.#forget(record.uid);
    this.#records.set(record.uid, record);
    this.#byPod.set(record.podUid, (this.#byPod.get(record.podUid) ?? new Set()).add(record.uid));
  }

  #forget(uid: Uid): void {
    const podUid = this.#records.get(uid)?.podUid;
    this.#records.delete(uid);
    if (podUid === undefined) return;
    const owners = this.#byPod.get(podUid);
    owners?.delete(uid);
    if (owners?.size === 0) this.#byPod.delete(podUid);
  }

  #path(uid: Uid): string {
    return join(this.#directory, `${uid}.json`);
  }
}
