/**
 * The pasts of guests on disk, a file each, so that a new virt-handler goes on where the old one ended. The directory is
 * virt-handler's own. A file that is lost, broken or older than an hour means an empty past, and nothing else.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Uid, type UsagePoint } from '@podvisor/base';
import { historyOf, KEPT_MS, parseHistory } from './usage-points.ts';

/** Far more than 120 points take. */
const MAX_BYTES = 256 * 1024;

export class UsageFiles {
  readonly #directory: string;

  constructor(stateDir: string) {
    this.#directory = join(stateDir, 'usage');
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
  }

  read(uid: Uid, nowMs: number): readonly UsagePoint[] {
    try {
      const path = this.#path(uid);
      if (statSync(path).size > MAX_BYTES) return [];
      const said: unknown = JSON.parse(readFileSync(path, 'utf8'));
      // Written by this node's clock, which has gone on since: the file's own time is not to be shifted to now.
      const points = typeof said === 'object' && said !== null && 'points' in said ? said.points : undefined;
      return parseHistory({ nowMs, points }, nowMs);
    } catch {
      return []; // never written, or not by us
    }
  }

  /** Whole or not at all. Throws when the disk does not take it. */
  write(uid: Uid, points: readonly UsagePoint[], nowMs: number): void {
    const path = this.#path(uid);
    writeFileSync(`${path}.new`, JSON.stringify(historyOf(points, nowMs)), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  remove(uid: Uid): void {
    rmSync(this.#path(uid), { force: true });
  }

  /** Takes away what was not written for an hour: no point in it is shown any more. */
  sweep(nowMs: number): void {
    for (const file of readdirSync(this.#directory)) {
      const path = join(this.#directory, file);
      const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
      if (writtenMs < nowMs - KEPT_MS) rmSync(path, { force: true });
    }
  }

  #path(uid: Uid): string {
    return join(this.#directory, `${uid}.json`);
  }
}
