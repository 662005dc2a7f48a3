/**
 * Finding the highest epoch of a lease without listing its directory: a Pod of the tenant's may have filled that with
 * any number of names. Names are opened one by one, at most three for each binary digit of the epoch. Pure.
 *
 * Beside the highest epoch n these are kept: the powers of two up to n, and n cut off behind each of its digits
 * (13 is 1101: 8 and 12). So a search goes up the powers until one is missing, and then down the digits: one is set
 * exactly if its name is there, because no name is higher than n.
 *
 * Takers come and go while it looks, and a name may be gone because a higher one made it needless. Then that higher
 * one first differs from the answer at a digit that is 0 in the answer, and the name for that digit is there, or is
 * gone in its turn because of a still higher digit. So the digits that are 0 are looked at once more, the lowest first:
 * when nothing is found, the answer was the highest epoch at the beginning of that look, or later.
 */

/** Digits of an epoch at most: a start every second for 68 years. */
const MAX_DIGITS = 31;
/** Each time that a search begins anew, the lease has changed hands in the meantime. */
const MAX_SEARCHES = 64;

export function isEpoch(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < 2 ** MAX_DIGITS;
}

/** Epochs that have a file while this one is the highest, itself among them; the lowest first. */
export function keptEpochs(epoch: number): readonly number[] {
  const all = powersUpTo(epoch).flatMap((power) => [power, cut(epoch, power)]);
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** Epochs of which one has a file if there is one above `epoch`; the lowest digit first. */
export function epochsAbove(epoch: number): readonly number[] {
  const powers = powersUpTo(epoch);
  const unset = powers.filter((power) => Math.floor(epoch / power) % 2 === 0);
  const next = 2 ** powers.length;
  return [...unset.map((power) => cut(epoch, power) + power), ...(isEpoch(next) ? [next] : [])];
}

/** Asks for the files of epochs and answers the highest with what its file holds; undefined when there is none. */
export function* searchHighest(): Search<{ epoch: number; text: string } | undefined> {
  for (let searches = 0; searches < MAX_SEARCHES; searches += 1) {
    const found = yield* goDown();
    if (!(yield* isPassed(found?.epoch ?? 0))) return found;
  }
  throw new Error(`the lease of a disk changed hands ${MAX_SEARCHES} times while it was read`);
}

/** Yields an epoch, and is given the text of its file, or undefined when it has none. */
export type Search<Result> = Generator<number, Result, string | undefined>;

function* goDown(): Search<{ epoch: number; text: string } | undefined> {
  let found: { epoch: number; text: string } | undefined;
  let power = 1;
  for (; isEpoch(power); power *= 2) {
    const text = yield power;
    if (text === undefined) break;
    found = { epoch: power, text };
  }
  for (power /= 4; power >= 1 && found !== undefined; power /= 2) {
    const epoch: number = found.epoch + power;
    const text = yield epoch;
    if (text !== undefined) found = { epoch, text };
  }
  return found;
}

function* isPassed(epoch: number): Search<boolean> {
  for (const above of epochsAbove(epoch)) if ((yield above) !== undefined) return true;
  return false;
}

function powersUpTo(epoch: number): readonly number[] {
  return Array.from({ length: epoch < 1 ? 0 : epoch.toString(2).length }, (_, digit) => 2 ** digit);
}

function cut(epoch: number, power: number): number {
  return epoch - (epoch % power);
}
