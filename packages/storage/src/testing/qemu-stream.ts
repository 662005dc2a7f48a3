/** Streams of made-up guests, as QEMU writes them. Those of the same seed are the same. */
import { PAGE_BYTES } from '../guest-memory/split-stream.ts';

export const MAIN_PAGES = 16;
const VIDEO_PAGES = 4;

export const be = (bytes: number, value: number | bigint): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt(value));
  return buffer.subarray(8 - bytes);
};
export const text = (value: string): Buffer =>
  Buffer.concat([be(1, value.length), Buffer.from(value, 'latin1')]);
const footer = (id: number): Buffer => Buffer.concat([be(1, 0x7e), be(4, id)]);
const END_OF_SECTION = be(8, 0x10);
export const HEADER = Buffer.concat([be(4, 0x51_45_56_4d), be(4, 3)]);
export const configuration = (...subsections: Buffer[]): Buffer =>
  Buffer.concat([be(1, 7), be(4, 9), Buffer.from('pc-q35-72'), ...subsections]);
export const subsection = (name: string, content: Buffer): Buffer =>
  Buffer.concat([be(1, 5), text(name), be(4, 1), content]);
const PING = Buffer.concat([be(1, 8), be(2, 2), be(2, 4), be(4, 1)]);

export function ramStart(blocks: Readonly<Record<string, number>>, total?: number): Buffer {
  const sum = Object.values(blocks).reduce((a, b) => a + b, 0);
  return Buffer.concat([
    ...[be(1, 1), be(4, 2), text('ram'), be(4, 0), be(4, 4), be(8, BigInt(total ?? sum) | 4n)],
    ...Object.entries(blocks).flatMap(([name, bytes]) => [text(name), be(8, bytes)]),
    ...[END_OF_SECTION, footer(2)],
  ]);
}

export interface Page {
  readonly block: string;
  readonly number: number;
  /** A number: a page that is full of it, which QEMU sends as one byte. */
  readonly content: Buffer | number;
}

/** As QEMU writes pages: the name of a block only when it changes, also from one part to the next. */
export class PageWriter {
  #last = '';

  section(kind: 2 | 3, pages: readonly Page[]): Buffer {
    return Buffer.concat([
      be(1, kind),
      be(4, 2),
      ...pages.map((p) => this.#page(p)),
      END_OF_SECTION,
      footer(2),
    ]);
  }

  #page({ block, number, content }: Page): Buffer {
    const same = block === this.#last;
    this.#last = block;
    const flags = (typeof content === 'number' ? 2 : 8) | (same ? 0x20 : 0);
    return Buffer.concat([
      be(8, BigInt(number) * BigInt(PAGE_BYTES) + BigInt(flags)),
      ...(same ? [] : [text(block)]),
      typeof content === 'number' ? be(1, content) : content,
    ]);
  }
}

export const BLOCKS = { 'pc.ram': MAIN_PAGES * PAGE_BYTES, 'vga.vram': VIDEO_PAGES * PAGE_BYTES };
export const DEVICES = Buffer.concat([
  be(1, 4),
  Buffer.from('whatever devices say'),
  be(1, 0),
  be(1, 6),
  text('{}'),
]);

/** A generator that gives the same numbers for the same seed. */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % below;
  };
}

function randomPages(next: (below: number) => number): Page[] {
  return Array.from({ length: next(40) }, () => {
    const block = next(3) === 0 ? 'vga.vram' : 'pc.ram';
    const content = next(3) === 0 ? [0, 0, 7][next(3)]! : Buffer.alloc(PAGE_BYTES, next(251) + 1);
    return { block, number: next(block === 'pc.ram' ? MAIN_PAGES : VIDEO_PAGES), content };
  });
}

/** A whole stream, and the memory that is in it. */
export function example(seed: number): { readonly stream: Buffer; readonly memory: Buffer } {
  const next = random(seed);
  const parts = Array.from({ length: 1 + next(4) }, () => randomPages(next));
  const kindOf = (index: number): 2 | 3 => (index === parts.length - 1 ? 3 : 2);
  const begin = Buffer.concat([
    HEADER,
    configuration(...(next(2) === 0 ? [] : [subsection('configuration/uuid', Buffer.alloc(16, 5))])),
    PING,
    ramStart(BLOCKS),
  ]);
  const memory = Buffer.alloc(MAIN_PAGES * PAGE_BYTES);
  for (const { block, number, content } of parts.flat())
    if (block === 'pc.ram') memory.fill(content as number, number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
  const writer = new PageWriter();
  const stream = Buffer.concat([
    begin,
    ...parts.map((pages, i) => writer.section(kindOf(i), pages)),
    DEVICES,
  ]);
  return { stream, memory };
}
