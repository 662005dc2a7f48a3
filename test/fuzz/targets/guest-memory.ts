/** The memory of a guest in its file: QEMU's stream, and the sealed frames around it, also by who has the key. */
import { createCipheriv, hkdfSync } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import {
  PAGE_BYTES,
  StreamNotSplit,
  StreamSplitter,
} from '../../../packages/storage/src/guest-memory/split-stream.ts';
import { readState, StateDamaged } from '../../../packages/storage/src/guest-memory/state-file.ts';
import {
  be,
  BLOCKS,
  configuration,
  DEVICES,
  HEADER,
  PageWriter,
  ramStart,
  subsection,
  text as named,
} from '../../../packages/storage/src/testing/qemu-stream.ts';
import { bytes, expect, type FuzzTarget } from '../frame/target.ts';

const LIMITS = { memoryBytes: 64 * PAGE_BYTES, restBytes: 64 * 1024 };
const uuid = subsection('configuration/uuid', Buffer.alloc(16, 5));
const page = (number: number, content: Buffer | number, block = 'pc.ram') => ({ block, number, content });
const last = new PageWriter().section(3, [page(0, 0), page(1, 7), page(2, 7, 'vga.vram')]);
const streams = [
  Buffer.concat([HEADER, configuration(uuid), ramStart(BLOCKS), last, DEVICES]),
  Buffer.concat([
    ...[HEADER, configuration(), ramStart(BLOCKS)],
    new PageWriter().section(2, [page(3, Buffer.alloc(PAGE_BYTES, 9)), page(3, 0)]),
    ...[last, DEVICES],
  ]),
];
const words = [
  HEADER,
  uuid,
  configuration(),
  ramStart(BLOCKS),
  last,
  named('pc.ram'),
  named('ram'),
  be(8, 0x10),
  be(1, 0x7e),
  be(8, 0xffff_ffff_ffff_f002n),
];

interface Parts {
  readonly memory: Buffer;
  readonly rest: Buffer;
}

/** The parts, or in which words they are refused. */
function split(pieces: readonly Uint8Array[]): Parts | string {
  let memory: Buffer | undefined;
  const rest: Buffer[] = [];
  const splitter = new StreamSplitter(
    {
      size: (size) => {
        expect(memory === undefined && size <= LIMITS.memoryBytes, 'a memory has one size, within its limit');
        memory = Buffer.alloc(size);
      },
      page: (address, content) => {
        expect(
          memory !== undefined && address >= 0 && address + PAGE_BYTES <= memory.length,
          'a page is within the memory',
        );
        if (content === undefined) memory?.fill(0, address, address + PAGE_BYTES);
        else content.copy(memory ?? Buffer.alloc(0), address);
      },
      rest: (more) => rest.push(Buffer.from(more)),
    },
    LIMITS,
  );
  try {
    for (const piece of pieces) splitter.write(Buffer.from(piece));
    splitter.end();
  } catch (error) {
    if (error instanceof StreamNotSplit) return error.message;
    throw error;
  }
  const whole = Buffer.concat(rest);
  expect(whole.length <= LIMITS.restBytes, 'the rest has its limit');
  return { memory: memory ?? Buffer.alloc(0), rest: whole };
}

export const stream: FuzzTarget = {
  seeds: streams,
  words,
  maxBytes: 8 * 1024,
  refuses: () => false,
  feed: (input) => {
    const whole = split([input]);
    const at = (input[input.length >>> 1] ?? 0) % Math.max(1, input.length);
    const cut = split([input.subarray(0, at), input.subarray(at, at + 3), input.subarray(at + 3)]);
    if (typeof whole === 'string' || typeof cut === 'string')
      return expect(whole === cut, 'it is refused however it is cut');
    expect(whole.memory.equals(cut.memory) && whole.rest.equals(cut.rest), 'parts are the same, however cut');
  },
};

const KEY = Buffer.alloc(32, 3);
const SALT = Buffer.alloc(32, 4);
const secret = Buffer.from(hkdfSync('sha256', KEY, SALT, 'podvisor hibernated state', 32));

/** As a launcher could write it that was taken over: any frames, each sealed as it should be. */
function sealed(frames: readonly (readonly [kind: number, content: Uint8Array])[]): Buffer {
  const parts: Buffer[] = [Buffer.from('PVSTATE1'), SALT];
  for (const [number, [kind, content]] of frames.entries()) {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(BigInt(number), 4);
    const cipher = createCipheriv('aes-256-gcm', secret, nonce);
    cipher.setAAD(Buffer.of(kind));
    const text = cipher.update(content);
    cipher.final();
    parts.push(Buffer.of(kind), be(4, content.length), text, cipher.getAuthTag());
  }
  return Buffer.concat(parts);
}

/** Kind, two bytes of length, content; what is left over is a frame of its kind. */
function framesOf(input: Uint8Array): readonly (readonly [number, Uint8Array])[] {
  const frames: (readonly [number, Uint8Array])[] = [];
  for (let at = 0; at < input.length && frames.length < 1000; ) {
    const length = ((input[at + 1] ?? 0) << 8) | (input[at + 2] ?? 0);
    frames.push([input[at] ?? 0, input.subarray(at + 3, at + 3 + length)]);
    at += 3 + length;
  }
  return frames;
}

const frame = (kind: number, content: Uint8Array): Buffer =>
  Buffer.concat([be(1, kind), be(2, content.length), content]);
const state = (...frames: readonly Buffer[]): Buffer =>
  Buffer.concat([frame(1, bytes('{}')), ...frames, frame(3, new Uint8Array())]);
/** First byte of an input that is a file as it comes, by who has no key. */
const AS_IT_COMES = 0xff;
const whole = state(frame(2, zstdCompressSync(streams[0] ?? Buffer.alloc(0))));

export const file: FuzzTarget = {
  seeds: [
    ...streams.map((plain) => state(frame(2, zstdCompressSync(plain)))),
    Buffer.concat([Buffer.of(AS_IT_COMES), sealed(framesOf(whole))]),
  ],
  words: [
    ...streams.map((plain) => frame(2, zstdCompressSync(plain))),
    frame(2, zstdCompressSync(Buffer.alloc(1024 * 1024))),
    frame(1, bytes('{')),
    frame(3, new Uint8Array()),
    frame(9, new Uint8Array(3)),
  ],
  generate: (random) => {
    const plain = random.pick(streams);
    const at = random.below(plain.length);
    const changed = Buffer.from(plain);
    changed[at] = random.below(256);
    const packed = zstdCompressSync(changed);
    const cut = random.below(packed.length);
    return state(frame(2, packed.subarray(0, cut)), frame(2, packed.subarray(cut)));
  },
  // A description that is no JSON is a SyntaxError.
  refuses: (error) =>
    error instanceof StateDamaged || error instanceof StreamNotSplit || error instanceof SyntaxError,
  feed: async (input) => {
    const file = input[0] === AS_IT_COMES ? Buffer.from(input.subarray(1)) : sealed(framesOf(input));
    let at = 0;
    const reader = await readState(async (length) => {
      if (length > file.length - at) throw new StateDamaged('it ends too early');
      return file.subarray(at, (at += length));
    }, KEY);
    let memoryBytes = 0;
    const splitter = new StreamSplitter(
      { size: (size) => (memoryBytes = size), page: () => {}, rest: () => {} },
      LIMITS,
    );
    for await (const chunk of reader.memory()) splitter.write(chunk);
    splitter.end();
    expect(memoryBytes > 0 && memoryBytes <= LIMITS.memoryBytes, 'a memory has a size, within its limit');
  },
};
