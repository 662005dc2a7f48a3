/** Makes a failing input small: takes pieces out, then simplifies bytes, as long as it fails in the same way. */
import { replaced } from './mutate.ts';

/** Asks at most so often whether a candidate still fails. */
const MAX_TRIES = 2_000;

export async function minimise(
  input: Uint8Array,
  stillFails: (candidate: Uint8Array) => Promise<boolean>,
  maxTries = MAX_TRIES,
): Promise<Uint8Array> {
  let best = input;
  let tries = maxTries;
  const accepts = async (candidate: Uint8Array): Promise<boolean> => {
    tries -= 1;
    if (!(await stillFails(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let size = best.length >>> 1; size > 0 && tries > 0; size >>>= 1)
    for (let at = 0; at < best.length && tries > 0; ) {
      const isShorter = await accepts(replaced(best, at, Math.min(size, best.length - at), new Uint8Array()));
      if (!isShorter) at += size;
    }
  for (let at = 0; at < best.length && tries > 0; at += 1)
    if (best[at] !== PLAIN) await accepts(replaced(best, at, 1, Uint8Array.of(PLAIN)));
  return best;
}

/** Readable, and special to no format. */
const PLAIN = 'a'.charCodeAt(0);
