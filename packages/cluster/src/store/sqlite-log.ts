/**
 * The durable log: one row per write, the row's number is the revision. A row with a NULL value says that
 * the key was deleted. Rows that a later write replaced are kept for a while, so that a watch can resume
 * after a restart, and then compacted away.
 *
 * `synchronous=FULL` on a write-ahead log: when `append` returns, the rows are on disk.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** One row of the log. */
export interface LogRow {
  readonly revision: number;
  readonly key: string;
  /** JSON text, or null for a deletion. */
  readonly value: string | null;
}

/** The log on disk. Owned by one process at a time. */
export class SqliteLog {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #remove: StatementSync;
  readonly #setMeta: StatementSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;');
    this.#db.exec(
      'CREATE TABLE IF NOT EXISTS log (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT)',
    );
    this.#db.exec('CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, number INTEGER NOT NULL)');
    this.#insert = this.#db.prepare('INSERT INTO log (revision, key, value) VALUES (?, ?, ?)');
    this.#begin = this.#db.prepare('BEGIN IMMEDIATE');
    this.#commit = this.#db.prepare('COMMIT');
    this.#remove = this.#db.prepare('DELETE FROM log WHERE revision = ?');
    this.#setMeta = this.#db.prepare('INSERT OR REPLACE INTO meta (name, number) VALUES (?, ?)');
  }

  /** All rows in order of revision. */
  *rows(): Generator<LogRow> {
    for (const row of this.#db.prepare('SELECT revision, key, value FROM log ORDER BY revision').iterate()) {
      const { revision, key, value } = row;
      yield { revision: Number(revision), key: String(key), value: value === null ? null : String(value) };
    }
  }

  /** A number kept beside the log, such as the compacted revision. */
  meta(name: string): number {
    return Number(this.#db.prepare('SELECT number FROM meta WHERE name = ?').get(name)?.['number'] ?? 0);
  }

  /** Writes the rows in one transaction; they are durable when this returns. */
  append(rows: readonly LogRow[]): void {
    this.#begin.run();
    try {
      for (const row of rows) this.#insert.run(row.revision, row.key, row.value);
      this.#commit.run();
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Drops replaced rows and notes up to which revision history is gone. */
  compact(revisions: readonly number[], compactedRevision: number, currentRevision: number): void {
    this.#begin.run();
    for (const revision of revisions) this.#remove.run(revision);
    this.#setMeta.run('compacted', compactedRevision);
    this.#setMeta.run('current', currentRevision);
    this.#commit.run();
  }

  close(): void {
    this.#db.close();
  }
}
