import { stat } from 'node:fs/promises';

/** False also when nothing is there, or nobody can tell. */
export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
