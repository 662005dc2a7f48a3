/** DNS message → bytes, names compressed. See message.ts. */
import { ipValue } from '@podvisor/base';
import {
  DnsFormatError,
  MAX_LABEL_BYTES,
  MAX_NAME_BYTES,
  type Message,
  type RecordData,
  type ResourceRecord,
} from './message.ts';

export function encodeMessage(message: Message): Uint8Array {
  const writer = new Writer();
  writer.u16(message.id);
  writer.u16(flagsOf(message));
  for (const list of [message.questions, message.answers, message.authorities, message.additionals])
    writer.u16(list.length);
  for (const { name, type, class: questionClass } of message.questions) {
    writer.name(name);
    writer.u16(type);
    writer.u16(questionClass);
  }
  for (const record of [...message.answers, ...message.authorities, ...message.additionals])
    writer.record(record);
  return writer.bytes();
}

/** The message in at most `limit` bytes: what does not fit is left out, and the message says so. */
export function encodeWithin(message: Message, limit: number): Uint8Array {
  const whole = encodeMessage(message);
  if (whole.length <= limit) return whole;
  for (let keep = Math.floor(message.answers.length / 2); keep > 0; keep = Math.floor(keep / 2)) {
    const part = encodeMessage({
      ...message,
      truncated: true,
      answers: message.answers.slice(0, keep),
      authorities: [],
    });
    if (part.length <= limit) return part;
  }
  return encodeMessage({ ...message, truncated: true, answers: [], authorities: [], additionals: [] });
}

function flagsOf(message: Message): number {
  const { isResponse, opcode, authoritative, truncated, recursionDesired, recursionAvailable, code } =
    message;
  const bit = (value: boolean, mask: number): number => (value ? mask : 0);
  return (
    bit(isResponse, 0x8000) |
    ((opcode & 0xf) << 11) |
    bit(authoritative, 0x400) |
    bit(truncated, 0x200) |
    bit(recursionDesired, 0x100) |
    bit(recursionAvailable, 0x80) |
    (code & 0xf)
  );
}

class Writer {
  readonly #out: number[] = [];
  /** Where a name, or the end of one, was written. */
  readonly #names = new Map<string, number>();

  bytes(): Uint8Array {
    return Uint8Array.from(this.#out);
  }

  u16(value: number): void {
    this.#out.push((value >> 8) & 0xff, value & 0xff);
  }

  name(name: string, form: 'compressed' | 'whole' = 'compressed'): void {
    let rest = name;
    if (rest.length + 2 > MAX_NAME_BYTES) throw new DnsFormatError(`the name "${name}" is too long`);
    while (rest !== '') {
      const known = this.#names.get(rest);
      if (known !== undefined && form === 'compressed') return this.u16(0xc000 | known);
      if (this.#out.length < 0x4000) this.#names.set(rest, this.#out.length);
      const dot = rest.indexOf('.');
      const label = Buffer.from(dot < 0 ? rest : rest.slice(0, dot), 'latin1');
      if (label.length === 0 || label.length > MAX_LABEL_BYTES)
        throw new DnsFormatError(`"${name}" is no name`);
      this.#out.push(label.length, ...label);
      rest = dot < 0 ? '' : rest.slice(dot + 1);
    }
    this.#out.push(0);
  }

  record({ name, type, class: recordClass, ttl, data }: ResourceRecord): void {
    this.name(name);
    this.u16(type);
    this.u16(recordClass);
    this.#u32(ttl);
    const at = this.#out.length;
    this.u16(0);
    this.#data(data);
    const length = this.#out.length - at - 2;
    this.#out[at] = (length >> 8) & 0xff;
    this.#out[at + 1] = length & 0xff;
  }

  #data(data: RecordData): void {
    switch (data.kind) {
      case 'address4':
        this.#out.push(...data.address.split('.').map(Number));
        return;
      case 'address6': {
        const value = ipValue(data.address);
        for (let shift = 112n; shift >= 0n; shift -= 16n) this.u16(Number((value >> shift) & 0xffffn));
        return;
      }
      case 'name':
        return this.name(data.target);
      case 'srv':
        for (const value of [data.priority, data.weight, data.port]) this.u16(value);
        // RFC 2782: written out in full.
        return this.name(data.target, 'whole');
      case 'soa':
        this.name(data.primary);
        this.name(data.mailbox);
        for (const value of [data.serial, data.refresh, data.retry, data.expire, data.minimum])
          this.#u32(value);
        return;
      case 'raw':
        for (const byte of data.bytes) this.#out.push(byte);
    }
  }

  #u32(value: number): void {
    this.u16(Math.floor(value / 0x10000));
    this.u16(value & 0xffff);
  }
}
