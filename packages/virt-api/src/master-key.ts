/** The installation's key of hibernated states: a file that need not be there. */
import { readFileSync } from 'node:fs';

const KEY_BYTES = 32;

/** Read each time, so that it may come later. Undefined where there is none, and states are not encrypted. */
export function readMasterKey(path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  let key: Buffer;
  try {
    key = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (key.length < KEY_BYTES) throw new Error(`${path} holds no key: it is shorter than ${KEY_BYTES} bytes`);
  return key;
}
