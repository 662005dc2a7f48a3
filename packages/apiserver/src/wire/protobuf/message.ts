/** The protobuf message of a built-in type, from the numbers that stand beside the fields in its description. */
import type { FieldSchema, StructSchema } from '../../registry/schema.ts';

/** A field of the JSON object, or a part: a message of its own whose fields stand in the JSON object itself. */
export type MessageField =
  | { readonly kind: 'field'; readonly number: number; readonly field: FieldSchema }
  | { readonly kind: 'part'; readonly number: number; readonly message: Message };

/** By number, in ascending order: the order in which Kubernetes writes them. */
export type Message = ReadonlyMap<number, MessageField>;

const messages = new WeakMap<StructSchema, Message>();

/** The message of a type, or undefined when its numbers are not known. */
export function messageOf(type: StructSchema): Message | undefined {
  const known = messages.get(type);
  if (known !== undefined) return known.size === 0 ? undefined : known;
  const numbered = [...type.fields.values()].filter(({ numbers }) => numbers.length > 0);
  messages.set(type, build(numbered, 0));
  return messageOf(type);
}

/** `depth` is how many parts the fields stand in already. */
function build(fields: readonly FieldSchema[], depth: number): Message {
  const byNumber = Map.groupBy(fields, ({ numbers }) => numbers[depth] ?? 0);
  const message = new Map<number, MessageField>();
  for (const [number, group] of [...byNumber].toSorted(([a], [b]) => a - b)) {
    const own = group.find(({ numbers }) => numbers.length === depth + 1);
    message.set(
      number,
      own === undefined
        ? { kind: 'part', number, message: build(group, depth + 1) }
        : { kind: 'field', number, field: own },
    );
  }
  return message;
}
