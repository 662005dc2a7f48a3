/**
 * The protobuf messages that a Go program carries, as programs of Kubernetes up to 1.34 do: file descriptors, each
 * gzipped, among the program's constants. A second source for field numbers and types that is on every machine where
 * a kubectl is.
 */
import { inflateRawSync } from 'node:zlib';
import { bytesOf, readFields, signed } from '../wire/protobuf/reader.ts';

export interface ProtoField {
  readonly name: string;
  readonly number: number;
  readonly repeated: boolean;
  /** A number of `FieldDescriptorProto.Type`. */
  readonly type: number;
  /** Full name of the message, for type 11. */
  readonly message: string;
}

/** Fields by the full name of their message, such as `.k8s.io.api.core.v1.Pod`. */
export type ProtoMessages = ReadonlyMap<string, readonly ProtoField[]>;

const GZIP = Buffer.from([0x1f, 0x8b, 0x08, 0x00]);
const HEADER_BYTES = 10;
const MAX_COMPRESSED = 1 << 20;

export function protoMessages(program: Buffer): ProtoMessages {
  const messages = new Map<string, readonly ProtoField[]>();
  for (let at = program.indexOf(GZIP); at !== -1; at = program.indexOf(GZIP, at + 1)) {
    const file = inflated(program.subarray(at + HEADER_BYTES, at + MAX_COMPRESSED));
    if (file?.subarray(2, 9).toString() === 'k8s.io/') addFile(messages, file);
  }
  return messages;
}

/** Undefined: what looked like the beginning of a gzip stream was not one. */
function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes);
  } catch {
    return undefined;
  }
}

function addFile(messages: Map<string, readonly ProtoField[]>, file: Buffer): void {
  const prefix = `.${text(file, 2)}`;
  for (const message of parts(file, 4)) addMessage(messages, prefix, message);
}

function addMessage(messages: Map<string, readonly ProtoField[]>, prefix: string, message: Buffer): void {
  const name = `${prefix}.${text(message, 1)}`;
  messages.set(
    name,
    parts(message, 2).map((field) => ({
      name: text(field, 1),
      number: numberAt(field, 3),
      repeated: numberAt(field, 4) === 3,
      type: numberAt(field, 5),
      message: text(field, 6),
    })),
  );
  for (const nested of parts(message, 3)) addMessage(messages, name, nested);
}

function parts(message: Buffer, number: number): Buffer[] {
  return [...readFields(message)]
    .filter((field) => field.number === number)
    .map(({ value }) => bytesOf(value));
}

function text(message: Buffer, number: number): string {
  return parts(message, number)[0]?.toString() ?? '';
}

function numberAt(message: Buffer, number: number): number {
  for (const field of readFields(message)) if (field.number === number) return signed(field.value);
  return 0;
}
