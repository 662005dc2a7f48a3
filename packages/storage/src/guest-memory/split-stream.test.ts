/** The stream is a guest's: what is right is taken apart whole, and nothing that is wrong does harm. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  be,
  BLOCKS,
  configuration,
  DEVICES,
  example,
  HEADER,
  MAIN_PAGES,
  type Page,
  PageWriter,
  ramStart,
  random,
  subsection,
  text,
} from '../testing/qemu-stream.ts';
import { PAGE_BYTES, StreamNotSplit, StreamSplitter } from './split-stream.ts';

const LIMITS = { memoryBytes: 64 * PAGE_BYTES, restBytes: 1024 * 1024 };

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
    // Without a limit all of them are held, as one unit that never ends.
    'the same configuration again and again': [
      [
        HEADER,
        configuration(
          ...Array.from({ length: 1000 }, () => subsection('configuration/uuid', Buffer.alloc(16))),
        ),
      ],
      /twice/,
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
