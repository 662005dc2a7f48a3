/** Which field of a built-in type has which number on the wire. */
import { META_SPEC_STATUS, TABLE } from './number-table.ts';

/** One field of a message: a JSON field, or a part whose fields are merged into their parent. */
export interface NumberedField {
  readonly number: number;
  readonly name: string;
  readonly part: boolean;
}

export interface Message {
  readonly byNumber: ReadonlyMap<number, NumberedField>;
  readonly fields: readonly NumberedField[];
}

const messages = new Map<string, Message>();

/** The message of a type, or undefined when its numbers are not known. */
export function messageOf(type: string): Message | undefined {
  if (messages.size === 0) readTable();
  return messages.get(type);
}

function readTable(): void {
  for (const name of META_SPEC_STATUS.split(' ')) messages.set(name, read(['metadata', 'spec', 'status']));
  for (const line of TABLE.trim().split('\n')) {
    const [name = '', ...words] = line.split(' ');
    messages.set(name, read(words));
  }
}

function read(words: readonly string[]): Message {
  let next = 1;
  const fields = words.map((word): NumberedField => {
    const [, jump, plus, name = ''] = /^(?:(\d+):)?(\+?)(.*)$/.exec(word) ?? [];
    const number = jump === undefined ? next : Number(jump);
    next = number + 1;
    return { number, name, part: plus === '+' };
  });
  return { fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
}
