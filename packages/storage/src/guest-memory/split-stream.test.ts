/** The stream is a guest's: what is right is taken apart whole, and nothing that is wrong does harm. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PAGE_BYTES, StreamNotSplit, StreamSplitter } from './split-stream.ts';

const LIMITS = { memoryBytes: 64 * PAGE_BYTES, restBytes: 1024 * 1024 };
const MAIN_PAGES = 16;
const VIDEO_PAGES = 4;

const be = (bytes: number, value: number | bigint): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt(value));
  return buffer.subarray(8 - bytes);
};
const text = (value: string): Buffer => Buffer.concat([be(1, value.length), Buffer.from(value, 'latin1')]);
const footer = (id: number): Buffer => Buffer.concat([be(1, 0x7e), be(4, id)]);
const END_OF_SECTION = be(8, 0x10);
const HEADER = Buffer.concat([be(4, 0x51_45_56_4d), be(4, 3)]);
const configuration = (...subsections: Buffer[]): Buffer =>
  Buffer.concat([be(1, 7), be(4, 9), Buffer.from('pc-q35-72'), ...subsections]);
const subsection = (name: string, content: Buffer): Buffer =>
  Buffer.concat([be(1, 5), text(name), be(4, 1), content]);
const PING = Buffer.concat([be(1, 8), be(2, 2), be(2, 4), be(4, 1)]);

function ramStart(blocks: Readonly<Record<string, number>>, total?: number): Buffer {
  const sum = Object.values(blocks).reduce((a, b) => a + b, 0);
  return Buffer.concat([
    ...[be(1, 1), be(4, 2), text('ram'), be(4, 0), be(4, 4), be(8, BigInt(total ?? sum) | 4n)],
    ...Object.entries(blocks).flatMap(([name, bytes]) => [text(name), be(8, bytes)]),
    ...[END_OF_SECTION, footer(2)],
  ]);
}

interface Page {
  readonly block: string;
  readonly number: number;
  /** A number: a page that is full of it, which QEMU sends as one byte. */
  readonly content: Buffer | number;
}

/** As QEMU writes pages: the name of a block only when it changes, also from one part to the next. */
class PageWriter {
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

const BLOCKS = { 'pc.ram': MAIN_PAGES * PAGE_BYTES, 'vga.vram': VIDEO_PAGES * PAGE_BYTES };
const DEVICES = Buffer.concat([
  be(1, 4),
  Buffer.from('whatever devices say'),
  be(1, 0),
  be(1, 6),
  text('{}'),
]);

/** A generator that gives the same numbers for the same seed. */
function random(seed: number): (below: number) => number {
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

function split(
  stream: Buffer,
  nextSize: () => number = () => stream.length,
  limits = LIMITS,
): { readonly memory: Buffer; readonly rest: Buffer } {
  let memory: Buffer = Buffer.alloc(0);
  const rest: Buffer[] = [];
  const splitter = new StreamSplitter(
    {
      size: (bytes) => (memory = Buffer.alloc(bytes)),
      page: (address, page) => {
        if (page === undefined) memory.fill(0, address, address + PAGE_BYTES);
        else page.copy(memory, address);
      },
      rest: (bytes) => rest.push(Buffer.from(bytes)),
    },
    limits,
  );
  for (let at = 0; at < stream.length; ) {
    const end = Math.min(stream.length, at + Math.max(1, nextSize()));
    splitter.write(stream.subarray(at, end));
    at = end;
  }
  splitter.end();
  return { memory, rest: Buffer.concat(rest) };
}

function example(seed: number): { readonly stream: Buffer; readonly memory: Buffer } {
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

describe('a stream that is right', () => {
  test('is taken apart whole, however it is cut into chunks', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { stream, memory } = example(seed);
      const sizes = random(seed + 1000);
      const whole = split(stream);
      const cut = split(stream, () => 1 + sizes(seed % 40 === 0 ? 7 : 9000));
      assert.ok(whole.memory.equals(memory), `memory of seed ${seed}`);
      assert.ok(cut.memory.equals(memory) && cut.rest.equals(whole.rest), `chunks of seed ${seed}`);
      // The rest is a stream itself, with nothing more of the main memory in it.
      assert.ok(split(whole.rest).rest.equals(whole.rest), `rest of seed ${seed}`);
      assert.ok(
        split(whole.rest).memory.every((byte) => byte === 0),
        `memory in the rest of seed ${seed}`,
      );
      assert.ok(whole.rest.subarray(-DEVICES.length).equals(DEVICES));
    }
  });

  test('takes the last of several contents of a page, also when that is nothing', () => {
    const full = Buffer.alloc(PAGE_BYTES, 9);
    const writer = new PageWriter();
    const page = (content: Buffer | number, number = 3): Page => ({ block: 'pc.ram', number, content });
    const parts = [writer.section(2, [page(full), page(full, 4)]), writer.section(3, [page(0), page(8, 4)])];
    const { memory } = split(Buffer.concat([HEADER, ramStart(BLOCKS), ...parts, DEVICES]));
    assert.ok(memory.subarray(3 * PAGE_BYTES, 4 * PAGE_BYTES).every((byte) => byte === 0));
    assert.ok(memory.subarray(4 * PAGE_BYTES, 5 * PAGE_BYTES).every((byte) => byte === 8));
  });
});

describe('a stream that is not understood is refused by name', () => {
  const last = new PageWriter().section(3, []);
  const cases: Readonly<Record<string, readonly [stream: readonly Buffer[], why: RegExp]>> = {
    'another beginning': [[Buffer.from('GIF89a..')], /does not begin/],
    'more memory than allowed': [[HEADER, ramStart({ 'pc.ram': 65 * PAGE_BYTES })], /do not fit/],
    'no main memory': [[HEADER, ramStart({ 'vga.vram': PAGE_BYTES })], /no one block/],
    'two main blocks': [
      [HEADER, ramStart({ 'ram-node0': PAGE_BYTES, 'ram-node1': PAGE_BYTES })],
      /no one block/,
    ],
    'sizes that do not add up': [[HEADER, ramStart(BLOCKS, 17 * PAGE_BYTES)], /not those of a machine/],
    'a block of nothing': [[HEADER, ramStart({ 'pc.ram': 0, x: PAGE_BYTES })], /not those of a machine/],
    'another live section': [
      [HEADER, be(1, 1), be(4, 9), text('dirty-bitmap'), be(4, 0), be(4, 1)],
      /dirty-bitmap/,
    ],
    'pages of another size': [
      [HEADER, configuration(subsection('configuration/target-page-bits', be(4, 14)))],
      /another size/,
    ],
    'an unknown configuration': [
      [HEADER, configuration(subsection('configuration/\n', be(4, 1)))],
      /not known/,
    ],
    'a page outside the memory': [
      [
        HEADER,
        ramStart(BLOCKS),
        new PageWriter().section(3, [{ block: 'pc.ram', number: MAIN_PAGES, content: 0 }]),
      ],
      /outside/,
    ],
    'a page of the highest address': [
      [HEADER, ramStart(BLOCKS), be(1, 2), be(4, 2), be(8, 0xffff_ffff_ffff_f002n), text('pc.ram'), be(1, 0)],
      /outside/,
    ],
    'a page of an unknown block': [
      [HEADER, ramStart(BLOCKS), new PageWriter().section(3, [{ block: 'rom', number: 0, content: 0 }])],
      /outside/,
    ],
    'a page of the block before, without one': [
      [HEADER, ramStart(BLOCKS), be(1, 3), be(4, 2), be(8, 0x22), be(1, 0)],
      /outside/,
    ],
    'compressed pages': [
      [HEADER, ramStart(BLOCKS), be(1, 2), be(4, 2), be(8, 0x40), text('pc.ram')],
      /kind 0x40/,
    ],
    'a device before the end of memory': [[HEADER, ramStart(BLOCKS), DEVICES], /before the end/],
    'memory over and over': [
      [
        HEADER,
        ramStart(BLOCKS),
        new PageWriter().section(
          3,
          Array.from({ length: 200 }, () => ({ block: 'pc.ram', number: 0, content: 0 })),
        ),
      ],
      /over and over/,
    ],
    'too much besides': [
      [HEADER, ramStart(BLOCKS), last, Buffer.alloc(LIMITS.restBytes)],
      /besides the memory/,
    ],
  };
  for (const [name, [stream, why]] of Object.entries(cases))
    test(name, () => {
      const bytes = Buffer.concat(stream);
      assert.throws(() => split(bytes), why);
      assert.throws(() => split(bytes, () => 3), StreamNotSplit);
    });
});

test('a stream that is cut anywhere before its devices is not whole', () => {
  const { stream } = example(7);
  const devices = stream.length - DEVICES.length;
  for (let length = 0; length < devices; length += 1 + (length % 61))
    assert.throws(() => split(stream.subarray(0, length)), StreamNotSplit, `${length} bytes`);
});

test('a changed byte is an error or another content, never more than the limits', () => {
  for (let seed = 1; seed <= 3000; seed += 1) {
    const next = random(seed);
    const stream = Buffer.from(example(1 + (seed % 20)).stream);
    for (let changes = 1 + next(4); changes > 0; changes -= 1) {
      // Heads are what matters; pages are most of the bytes.
      const at = next(2) === 0 ? next(200) : next(stream.length);
      stream[at % stream.length] = next(256);
    }
    try {
      const { memory, rest } = split(stream);
      assert.ok(memory.length <= LIMITS.memoryBytes && rest.length <= stream.length);
    } catch (error) {
      assert.ok(error instanceof StreamNotSplit, String(error));
    }
  }
});
