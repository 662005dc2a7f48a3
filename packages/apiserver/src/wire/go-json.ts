/**
 * A strict JSON scanner that speaks like Go's: it finds duplicate keys and says what is wrong with malformed
 * text in Go's words. Values themselves come from JSON.parse, which is faster.
 */

/** The text is not JSON; the message is Go's. */
export class GoJsonError extends Error {}

/** Paths of keys that are given twice, in the order they are met. `value` is what the text was read as. */
export function duplicateKeys(text: string, value: unknown): string[] {
  // What reads back letter by letter has lost nothing. So most clients write, and the engine is faster than we are.
  if (JSON.stringify(value) === text) return [];
  const scanner = new Scanner(text);
  scanner.document();
  return scanner.duplicates;
}

/** What Go says about the text, or undefined when it is JSON. */
export function jsonProblem(text: string): string | undefined {
  try {
    new Scanner(text).document();
    return undefined;
  } catch (error) {
    if (error instanceof GoJsonError) return error.message;
    throw error;
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;
  readonly duplicates: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value('', 'looking for beginning of value');
    this.#space();
    if (this.#at < this.#text.length) this.#fail('after top-level value');
  }

  #space(): void {
    while (this.#at < this.#text.length && ' \t\r\n'.includes(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #fail(context: string): never {
    if (this.#at >= this.#text.length) throw new GoJsonError('unexpected end of JSON input');
    throw new GoJsonError(`invalid character ${quoteChar(this.#text[this.#at] ?? '')} ${context}`);
  }

  #value(path: string, context: string): void {
    this.#space();
    const c = this.#text[this.#at];
    if (c === '{') return this.#object(path);
    if (c === '[') return this.#array(path);
    if (c === '"') return void this.#string();
    if (c === 't') return this.#literal('true');
    if (c === 'f') return this.#literal('false');
    if (c === 'n') return this.#literal('null');
    if (c === '-' || (c !== undefined && c >= '0' && c <= '9')) return this.#number();
    this.#fail(context);
  }

  #object(path: string): void {
    this.#at += 1;
    this.#space();
    if (this.#text[this.#at] === '}') {
      this.#at += 1;
      return;
    }
    const seen = new Set<string>();
    for (;;) {
      this.#space();
      if (this.#text[this.#at] !== '"') this.#fail('looking for beginning of object key string');
      const key = this.#string();
      const here = path === '' ? key : `${path}.${key}`;
      this.#space();
      if (this.#text[this.#at] !== ':') this.#fail('after object key');
      this.#at += 1;
      this.#value(here, 'looking for beginning of value');
      if (seen.has(key) && !this.duplicates.includes(here)) this.duplicates.push(here);
      seen.add(key);
      this.#space();
      const next = this.#text[this.#at];
      if (next === '}') {
        this.#at += 1;
        return;
      }
      if (next !== ',') this.#fail('after object key:value pair');
      this.#at += 1;
    }
  }

  #array(path: string): void {
    this.#at += 1;
    this.#space();
    if (this.#text[this.#at] === ']') {
      this.#at += 1;
      return;
    }
    for (let i = 0; ; i += 1) {
      this.#value(`${path}[${i}]`, 'looking for beginning of value');
      this.#space();
      const next = this.#text[this.#at];
      if (next === ']') {
        this.#at += 1;
        return;
      }
      if (next !== ',') this.#fail('after array element');
      this.#at += 1;
    }
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      const c = this.#text[this.#at];
      if (c === undefined) this.#fail('');
      if (c === '"') break;
      if (c < ' ') this.#fail('in string literal');
      if (c === '\\') {
        this.#at += 1;
        const escape = this.#text[this.#at];
        if (escape === 'u') {
          for (let i = 0; i < 4; i += 1) {
            this.#at += 1;
            if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? ''))
              this.#fail('in \\u hexadecimal character escape');
          }
        } else if (escape === undefined || !'"\\/bfnrt'.includes(escape)) this.#fail('in string escape code');
      }
      this.#at += 1;
    }
    this.#at += 1;
    const raw = this.#text.slice(start, this.#at);
    return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }

  #literal(word: string): void {
    for (let i = 1; i < word.length; i += 1) {
      if (this.#text[this.#at + i] !== word[i]) {
        this.#at += i;
        this.#fail(`in literal ${word} (expecting ${quoteChar(word[i] ?? '')})`);
      }
    }
    this.#at += word.length;
  }

  #number(): void {
    const digits = (): boolean => {
      const start = this.#at;
      while (/[0-9]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
      return this.#at > start;
    };
    if (this.#text[this.#at] === '-') this.#at += 1;
    if (this.#text[this.#at] === '0') this.#at += 1;
    else if (!digits()) this.#fail('in numeric literal');
    if (this.#text[this.#at] === '.') {
      this.#at += 1;
      if (!digits()) this.#fail('after decimal point in numeric literal');
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at += 1;
      if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at += 1;
      if (!digits()) this.#fail('in exponent of numeric literal');
    }
  }
}

function quoteChar(char: string): string {
  if (char === "'") return `'\\''`;
  if (char === '"') return `'"'`;
  const code = char.codePointAt(0) ?? 0;
  if (char === '\n') return `'\\n'`;
  if (char === '\t') return `'\\t'`;
  if (char === '\r') return `'\\r'`;
  if (code < 32) return `'\\x${code.toString(16).padStart(2, '0')}'`;
  if (code >= 0x7f && code < 0xa0) return `'\\u${code.toString(16).padStart(4, '0')}'`;
  return `'${char}'`;
}
