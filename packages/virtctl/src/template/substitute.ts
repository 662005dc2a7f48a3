/** `${NAME}` and `${{NAME}}` in the texts of an object. Pure. */

const IN_TEXT = /\$\{([a-zA-Z0-9_]+)\}/g;
/** Stands for a whole value, which need not be text. */
const WHOLE = /^\$\{\{([a-zA-Z0-9_]+)\}\}$/;

/** Names of the parameters that a text refers to. */
export function references(text: string): readonly string[] {
  const whole = WHOLE.exec(text)?.[1];
  return whole === undefined ? [...text.matchAll(IN_TEXT)].map(([, name = '']) => name) : [whole];
}

/** Every text of a value, keys of objects included. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

/** The value with every reference filled in. Throws when a parameter is not there. */
export function substituted(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return valueOf(value, values);
  if (Array.isArray(value)) return value.map((item) => substituted(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [keyOf(key, values), substituted(inner, values)]),
  );
}

/** A text with its references filled in. */
export function substitutedText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(IN_TEXT, (_, name: string) => known(name, values));
}

function valueOf(text: string, values: ReadonlyMap<string, string>): unknown {
  const whole = WHOLE.exec(text)?.[1];
  if (whole === undefined) return substitutedText(text, values);
  const given = known(whole, values);
  const data = parsed(given);
  if (data === null) throw new Error('cannot assign nil value to target type interface {}');
  return data;
}

function keyOf(key: string, values: ReadonlyMap<string, string>): string {
  const made = valueOf(key, values);
  if (typeof made !== 'string') throw new Error(`the value of ${key} is no text, and cannot be a key`);
  return made;
}

/** JSON where it is some; else the text itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function known(name: string, values: ReadonlyMap<string, string>): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`found parameter '${name}' but it was not defined`);
  return value;
}
