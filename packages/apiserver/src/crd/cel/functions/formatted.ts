/** `"%d of %s".format([1, "a"])`. Pure. */

const CLAUSE = /%(?:%|(?:\.(\d+))?([\s\S]?))/g;

export function formatted(text: string, values: readonly unknown[]): string {
  let used = 0;
  return text.replace(CLAUSE, (clause, precision: string | undefined, letter: string | undefined) => {
    if (clause === '%%') return '%';
    if (used >= values.length) throw new Error(`index ${used} out of range`);
    const value = values[used];
    used += 1;
    return one(letter ?? '', value, precision === undefined ? 6 : Number(precision));
  });
}

function one(letter: string, value: unknown, precision: number): string {
  switch (letter) {
    case 's':
      return shown(value);
    case 'd':
      return isWhole(value) ? String(value) : refused('decimal', 'integers', value);
    case 'f':
      return Number(value).toFixed(precision);
    case 'e':
      return Number(value)
        .toExponential(precision)
        .replace(/e([+-])(\d)$/, 'e$10$2');
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return isWhole(value)
        ? BigInt(String(value)).toString(2)
        : refused('binary', 'integers and bools', value);
    case 'o':
      return isWhole(value) ? BigInt(String(value)).toString(8) : refused('octal', 'integers', value);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    default:
      throw new Error(
        `could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(letter)}`,
      );
  }
}

/** Signed numbers are BigInt, unsigned ones an object that says its number. */
function isWhole(value: unknown): boolean {
  return typeof value === 'bigint' || (value instanceof Object && typeof value.valueOf() === 'bigint');
}

function hexadecimal(value: unknown): string {
  if (isWhole(value)) return BigInt(String(value)).toString(16);
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return refused('hex', 'integers, byte buffers, and strings', value);
}

function refused(clause: string, kinds: string, value: unknown): never {
  throw new Error(
    `error during formatting: ${clause} clause can only be used on ${kinds}, was given ${typeof value}`,
  );
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  const entries = value instanceof Map ? [...value] : isPlain(value) ? Object.entries(value) : undefined;
  if (entries === undefined) return String(value);
  const parts = entries.map(([key, item]) => `${shown(key)}: ${shown(item)}`);
  return `{${parts.toSorted().join(', ')}}`;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
