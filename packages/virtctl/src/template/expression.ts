/**
 * Values that a template's parameter has made for itself: text with `[ranges]{length}` in it, each of which becomes
 * that many characters of chance. Pure but for the chance, which is passed in.
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const SYMBOLS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const ALPHANUMERIC = LETTERS + DIGITS;

const CLASSES: Readonly<Record<string, string>> = {
  '\\w': `${ALPHANUMERIC}_`,
  '\\d': DIGITS,
  '\\a': ALPHANUMERIC,
  '\\A': SYMBOLS,
};
const MIN_LENGTH = 1;
const MAX_LENGTH = 255;

const EXPRESSION = /\[([a-zA-Z0-9\-\\]+)\]\{(\w+)\}/;
const RANGES = /\\[wdaA]|.-.|[a-zA-Z0-9]+/g;

/** A number from 0 up to, without, `limit`. */
export type Chance = (limit: number) => number;

/** `from` with its expressions filled in. Throws with words for a person when one of them makes no sense. */
export function expressionValue(from: string, chance: Chance): string {
  const match = EXPRESSION.exec(from);
  if (match === null) return from;
  const [whole, ranges = '', lengthText = ''] = match;
  const length = lengthOf(lengthText);
  const alphabet = alphabetOf(ranges);
  const value = Array.from({ length }, () => alphabet[chance(alphabet.length)]).join('');
  const before = from.slice(0, match.index) + value;
  return before + expressionValue(from.slice(match.index + whole.length), chance);
}

function lengthOf(text: string): number {
  if (!/^\d+$/.test(text))
    throw new Error(`malformed length syntax: strconv.Atoi: parsing "${text}": invalid syntax`);
  const length = Number(text);
  if (length < MIN_LENGTH || length > MAX_LENGTH)
    throw new Error(`range must be within [${MIN_LENGTH}-${MAX_LENGTH}] characters: ${length}`);
  return length;
}

/** Every character of the ranges once. */
function alphabetOf(ranges: string): string {
  const parts = ranges.match(RANGES);
  if (parts === null) throw new Error(`malformed ranges syntax: ${ranges}`);
  const all = parts.map((part) => CLASSES[part] ?? (/^.-.$/.test(part) ? between(part) : part)).join('');
  return [...new Set(all)].join('');
}

function between(range: string): string {
  const [from = '', , to = ''] = range;
  const left = ALPHANUMERIC.indexOf(from);
  const right = ALPHANUMERIC.indexOf(to);
  if (left < 0) throw new Error(`invalid start character in range: ${from}`);
  if (right < 0) throw new Error(`invalid end character in range: ${to}`);
  if (left > right) throw new Error(`invalid range specified: ${range}`);
  return ALPHANUMERIC.slice(left, right + 1);
}
