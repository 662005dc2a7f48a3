/** Writes whose failure means that what was wanted is so already. Any other failure is thrown. */
import { isStatus } from '@podvisor/base';

/** For deletions, and for writes to what needs none when it is gone. Undefined: it is not there. */
export async function ignoreNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isStatus(error, 'NotFound')) throw error;
    return undefined;
  }
}

/** For creations that another writer, or an earlier pass, may have made. */
export async function ignoreAlreadyExists<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isStatus(error, 'AlreadyExists')) throw error;
    return undefined;
  }
}
