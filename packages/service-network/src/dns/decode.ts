/** Bytes → DNS message. See message.ts. */
import {
  DnsFormatError,
  MAX_LABEL_BYTES,
  MAX_NAME_BYTES,
  type Message,
  NAME_TYPES,
  type Question,
  type RecordData,
  type ResourceRecord,
  types,
} from './message.ts';

/** More records than any message of ours or of a resolver has. */
const MAX_RECORDS = 512;
/** Nobody's names lead from pointer to pointer for longer. */
const MAX_POINTERS = 32;

export function decodeMessage(bytes: Uint8Array): Message {
  const reader = new Reader(bytes);
  const id = reader.u16();
  const flags = reader.u16();
  const [questionCount, answerCount, authorityCount, additionalCount] = [
    reader.u16(),
    reader.u16(),
    reader.u16(),
    reader.u16(),
  ];
  if (questionCount + answerCount + authorityCount + additionalCount > MAX_RECORDS)
    throw new DnsFormatError('too many records');
  const message = {
    id,
    isResponse: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 0xf,
    authoritative: (flags & 0x400) !== 0,
    truncated: (flags & 0x200) !== 0,
    recursionDesired: (flags & 0x100) !== 0,
    recursionAvailable: (flags & 0x80) !== 0,
    code: flags & 0xf,
    questions: times(questionCount, () => reader.question()),
    answers: times(answerCount, () => reader.record()),
    authorities: times(authorityCount, () => reader.record()),
    additionals: times(additionalCount, () => reader.record()),
  };
  if (!reader.atEnd) throw new DnsFormatError('bytes are left over');
  return message;
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  u16(): number {
    const at = this.#take(2);
    return this.#view.getUint16(at);
  }

  question(): Question {
    return { name: this.name(), type: this.u16(), class: this.u16() };
  }

  record(): ResourceRecord {
    const name = this.name();
    const type = this.u16();
    const recordClass = this.u16();
    const ttl = this.#u32();
    const length = this.u16();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new DnsFormatError('a record is cut off');
    const data = this.#data(type, length);
    if (this.#at !== end) throw new DnsFormatError('the length of a record is wrong');
    return { name, type, class: recordClass, ttl, data };
  }

  name(): string {
    const labels: string[] = [];
    let length = 1;
    let at = this.#at;
    let after: number | undefined;
    let pointers = 0;
    for (;;) {
      const size = this.#bytes[at];
      if (size === undefined) throw new DnsFormatError('a name is cut off');
      if ((size & 0xc0) === 0xc0) {
        const low = this.#bytes[at + 1];
        if (low === undefined) throw new DnsFormatError('a name is cut off');
        const target = ((size & 0x3f) << 8) | low;
        // Only backwards: then there is no circle.
        if (target >= at) throw new DnsFormatError('a name points forward');
        pointers += 1;
        if (pointers > MAX_POINTERS) throw new DnsFormatError('a name has too many pointers');
        after ??= at + 2;
        at = target;
        continue;
      }
      if (size > MAX_LABEL_BYTES) throw new DnsFormatError('a label is too long');
      if (size === 0) break;
      length += size + 1;
      if (length > MAX_NAME_BYTES) throw new DnsFormatError('a name is too long');
      const label = this.#bytes.subarray(at + 1, at + 1 + size);
      if (label.length < size) throw new DnsFormatError('a name is cut off');
      labels.push(Buffer.from(label).toString('latin1').toLowerCase());
      at += size + 1;
    }
    this.#at = after ?? at + 1;
    return labels.join('.');
  }

  #data(type: number, length: number): RecordData {
    if (type === types.A && length === 4) {
      const at = this.#take(4);
      return { kind: 'address4', address: [...this.#bytes.subarray(at, at + 4)].join('.') };
    }
    if (NAME_TYPES.has(type)) return { kind: 'name', target: this.name() };
    if (type === types.SRV)
      return { kind: 'srv', priority: this.u16(), weight: this.u16(), port: this.u16(), target: this.name() };
    if (type === types.SOA)
      return {
        kind: 'soa',
        primary: this.name(),
        mailbox: this.name(),
        serial: this.#u32(),
        refresh: this.#u32(),
        retry: this.#u32(),
        expire: this.#u32(),
        minimum: this.#u32(),
      };
    const at = this.#take(length);
    return { kind: 'raw', bytes: this.#bytes.slice(at, at + length) };
  }

  #u32(): number {
    const at = this.#take(4);
    return this.#view.getUint32(at);
  }

  #take(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) throw new DnsFormatError('the message is cut off');
    this.#at += count;
    return at;
  }
}
