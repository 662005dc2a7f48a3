/** Files that are either the old one or the new one, also after a crash. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes JSON beside the target and renames it into place. */
export function writeJson(path: string, value: unknown, mode = 0o600): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, JSON.stringify(value), { mode });
  renameSync(temporary, path);
}

/** As `writeJson`, making the directories above. */
export function writeJsonMakingDirectories(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o750 });
  writeJson(path, value);
}

/** Reads JSON; undefined when there is no such file or a crash left half of one. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
