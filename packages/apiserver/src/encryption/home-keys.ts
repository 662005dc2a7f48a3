/** The encryption configuration of a home: read, or made when the home has none yet. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { readFileIfThere, writePrivateFile } from '@podvisor/kube';
import { newEncryptionConfiguration } from './configuration.ts';
import { SealedValueError } from '@podvisor/store';

/**
 * The text of the configuration at `path`. Without the file one with a fresh key is written there, unless
 * the store holds values that only the lost one can read: then it throws SealedValueError.
 */
export function homeEncryption(path: string, storePath: string): string {
  const found = readFileIfThere(path);
  if (found !== undefined) return found;
  const lost = sealedValues(storePath);
  if (lost.length > 0)
    throw new SealedValueError(
      `${path} is gone, and the store holds encrypted objects that only its keys can read (${lost.join(', ')}): put the file back from a copy`,
    );
  const made = newEncryptionConfiguration();
  writePrivateFile(path, made);
  return made;
}

/** Keys of a few objects that are encrypted. */
function sealedValues(storePath: string): string[] {
  if (!existsSync(storePath)) return [];
  const db = new DatabaseSync(storePath);
  try {
    const known = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'log'").get();
    if (known === undefined) return [];
    const rows = db.prepare("SELECT DISTINCT key FROM log WHERE value LIKE 'k8s:enc:%' LIMIT 3").all();
    return rows.map(({ key }) => String(key));
  } finally {
    db.close();
  }
}
