/**
 * The durable log: one row per write, the row's number is the revision. A row with a NULL value says that
 * the key was deleted. Rows that a later write replaced are kept for a while, so that a watch can resume
 * after a restart, and then compacted away.
 *
 * `synchronous=FULL` on a write-ahead log: when `append` returns, the rows are on disk. Its files are for the
 * owner alone, and what the cipher says is encrypted lies in them in no other form (`rewrite`).
 */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type ValueCipher, valueCipher } from './value-cipher.ts';

/** One row of the log. */
export interface LogRow {
  readonly revision: number;
  readonly key: string;
  /** JSON text, or null for a deletion. */
  readonly value: string | null;
}

/**
 * A commit failed half-way: the rows may or may not be there after a restart. Nothing may be read or written
 * any more until the log has been opened anew.
 */
export class LogBroken extends Error {
  override readonly name = 'LogBroken';
}

/** There is no room for the rows; nothing was written. */
export class LogFull extends Error {
  override readonly name = 'LogFull';
}

/** Number beside the log: values were rewritten, and their old form may still be in pages that are free. */
const SCRUB = 'scrub';

/** How much of the disk is taken at a time: so little that nobody waits for it. */
const RESERVE_STEP_BYTES = 2 * 1024 * 1024;

/** SQLite's result code for a disk without room: the write was undone. */
const SQLITE_FULL = 13;

/** The log on disk. Owned by one process at a time. */
export class SqliteLog {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #remove: StatementSync;
  readonly #setMeta: StatementSync;
  readonly #cipher: ValueCipher;

  constructor(path: string, cipher: ValueCipher = valueCipher([])) {
    this.#cipher = cipher;
    if (path !== ':memory:') makePrivate(path);
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
    this.#rewrite();
  }

  /** All rows in order of revision. */
  *rows(): Generator<LogRow> {
    for (const row of this.#db.prepare('SELECT revision, key, value FROM log ORDER BY revision').iterate()) {
      const { revision, value } = row;
      const key = String(row['key']);
      const text = value === null ? null : this.#cipher.open(key, String(value));
      yield { revision: Number(revision), key, value: text };
    }
  }

  /** A number kept beside the log, such as the compacted revision. */
  meta(name: string): number {
    return Number(this.#db.prepare('SELECT number FROM meta WHERE name = ?').get(name)?.['number'] ?? 0);
  }

  /**
   * Writes the rows in one transaction; they are durable when this returns. Throws LogFull when there is no
   * room (nothing was written), LogBroken when nobody can say whether they are durable.
   */
  append(rows: readonly LogRow[]): void {
    this.#transaction(() => {
      for (const { revision, key, value } of rows)
        this.#insert.run(revision, key, value === null ? null : this.#cipher.seal(key, value));
    });
  }

  /** Drops replaced rows and notes up to which revision history is gone. Throws like `append`. */
  compact(revisions: readonly number[], compactedRevision: number, currentRevision: number): void {
    this.#transaction(() => {
      for (const revision of revisions) this.#remove.run(revision);
      this.#setMeta.run('compacted', compactedRevision);
      this.#setMeta.run('current', currentRevision);
    });
  }

  /**
   * Brings every value into the form that the cipher writes now: after an update from a version without
   * encryption, and after a change of keys. Nothing of the old form is left in the files afterwards.
   * Throws SealedValueError when a value cannot be read.
   */
  #rewrite(): void {
    const old: { revision: number; key: string; value: string }[] = [];
    for (const row of this.#db
      .prepare('SELECT revision, key, value FROM log WHERE value IS NOT NULL')
      .iterate()) {
      const { revision, key, value } = {
        revision: Number(row['revision']),
        key: String(row['key']),
        value: String(row['value']),
      };
      if (!this.#cipher.isCurrent(key, value)) old.push({ revision, key, value });
    }
    if (old.length > 0) {
      const update = this.#db.prepare('UPDATE log SET value = ? WHERE revision = ?');
      this.#transaction(() => {
        for (const { revision, key, value } of old)
          update.run(this.#cipher.seal(key, this.#cipher.open(key, value)), revision);
        this.#setMeta.run(SCRUB, 1);
      });
    }
    if (this.meta(SCRUB) === 0) return;
    // The control plane has no directory for temporary files; the copy is as large as the store, once.
    this.#db.exec('PRAGMA temp_store=MEMORY');
    this.#db.exec('VACUUM');
    this.#setMeta.run(SCRUB, 0);
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /**
   * Takes a part of the disk before anybody else does: pages of the file that hold nothing, for rows to come. Makes some
   * more unless `bytes` are there; true when there is more to do. Throws LogFull when there is no room left for it.
   */
  reserve(bytes: number): boolean {
    const pragma = (name: string): number => Number(this.#db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
    if (pragma('freelist_count') * pragma('page_size') >= bytes) return false;
    this.#db.exec('CREATE TABLE IF NOT EXISTS reserve (part INTEGER PRIMARY KEY, content BLOB)');
    // Rows that are added and removed at once would never be written, and files would have holes in their place.
    const written = Number(this.#db.prepare('SELECT count(*) AS parts FROM reserve').get()?.['parts'] ?? 0);
    if (written * RESERVE_STEP_BYTES < bytes) {
      this.#transaction(() =>
        this.#db.prepare('INSERT INTO reserve (content) VALUES (zeroblob(?))').run(RESERVE_STEP_BYTES),
      );
      return true;
    }
    this.#transaction(() => this.#db.exec('DROP TABLE reserve'));
    return false;
  }

  #transaction(work: () => void): void {
    let isCommitting = false;
    try {
      this.#begin.run();
      work();
      isCommitting = true;
      this.#commit.run();
    } catch (error) {
      // SQLite itself undoes a transaction that found no room; then there is none to roll back.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      if (isFull(error))
        throw new LogFull(
          'nothing was written: the disk with the store of the cluster is full; free some space and try again',
          { cause: error },
        );
      if (isCommitting)
        throw new LogBroken(
          'the store of the cluster could not be written, and nobody can say how much of it was',
          { cause: error },
        );
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }
}

/** SQLite gives its other files the mode of the first one; those of an older version may be there already. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    if (existsSync(file)) chmodSync(file, 0o600);
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_FULL;
}
