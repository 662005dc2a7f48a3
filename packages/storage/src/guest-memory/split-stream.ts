/**
 * QEMU's stream of a guest, taken apart: the pages of its main memory on one side, and on the other a stream of all the
 * rest, which a QEMU takes that has the pages already (decision 022). The stream is as QEMU writes it for a migration
 * (docs/devel/migration.rst of QEMU): a header, the section `ram` in several parts, then devices, which stay as they are.
 *
 * The bytes are a guest's and hostile. Whatever is not understood (compressed pages, other live sections, other page
 * sizes, memory in several blocks) is a `StreamNotSplit`, never a guess. Pages may come more than once; the last one
 * counts. What is held is at most one page, one head and one bounded configuration. Pure.
 */
import { Cursor, NeedsMore } from './cursor.ts';

/** The stream is not one that can be taken apart. */
export class StreamNotSplit extends Error {
  override readonly name = 'StreamNotSplit';
}

export interface SplitLimits {
  /** Of the main memory. */
  readonly memoryBytes: number;
  /** Of everything besides: video memory, firmware, devices. */
  readonly restBytes: number;
}

export interface SplitSink {
  /** The size of the main memory; called once, before any page. */
  size(memoryBytes: number): void;
  /** A page of it. `page` is only valid during the call; undefined: the page is all zeros. */
  page(address: number, page: Buffer | undefined): void;
  /** The next bytes of the rest; only valid during the call. */
  rest(bytes: Buffer): void;
}

export const PAGE_BYTES = 4096;
/** Blocks of main memory, as QEMU names them on x86 and on ARM, and as libvirt does where there are NUMA cells. */
const MAIN_BLOCK = /^(pc\.ram|mach-virt\.ram|ram-node\d+)$/;

/** migration/savevm.h. */
const MAGIC = 0x51_45_56_4d;
const VERSION = 3;
const VM = { start: 1, part: 2, end: 3, full: 4, subsection: 5, configuration: 7, command: 8, footer: 0x7e };
/** migration/ram.c. */
const FLAG = { zero: 0x02, memorySize: 0x04, page: 0x08, endOfSection: 0x10, sameBlock: 0x20 };
const FLAGS = BigInt(PAGE_BYTES - 1);

const MAX_NAME_BYTES = 255;
const MAX_BLOCKS = 256;
const MAX_COMMAND_BYTES = 64 * 1024;
const MAX_CAPABILITIES = 64;
/** A page is sent again when the guest writes to it; QEMU is made to end long before this. */
const MOST_PASSES = 8;

interface Block {
  readonly isMain: boolean;
  readonly bytes: number;
}

type State = 'header' | 'sections' | 'pages' | 'devices';

export class StreamSplitter {
  readonly #sink: SplitSink;
  readonly #limits: SplitLimits;
  readonly #cursor = new Cursor();
  readonly #blocks = new Map<string, Block>();
  #state: State = 'header';
  #ramSection: number | undefined;
  #section: 'part' | 'end' = 'part';
  #block: Block | undefined;
  #mainBytes = 0;
  #restBytes = 0;
  #pages = 0;

  constructor(sink: SplitSink, limits: SplitLimits) {
    this.#sink = sink;
    this.#limits = limits;
  }

  /** Takes the next bytes. Throws StreamNotSplit. */
  write(chunk: Buffer): void {
    this.#cursor.push(chunk);
    for (;;) {
      this.#cursor.mark();
      try {
        if (!this.#step()) return;
      } catch (error) {
        if (!(error instanceof NeedsMore)) throw error;
        this.#cursor.reset();
        return;
      }
    }
  }

  /** Call it after the last bytes. Throws StreamNotSplit unless all memory was there. */
  end(): void {
    if (this.#state !== 'devices') throw new StreamNotSplit('the stream ends within the memory');
  }

  /** One unit of the stream: all of it or, by `NeedsMore`, nothing. False: no bytes are left. */
  #step(): boolean {
    switch (this.#state) {
      case 'header':
        return this.#header();
      case 'sections':
        return this.#sectionHead();
      case 'pages':
        return this.#page();
      case 'devices': {
        const bytes = this.#cursor.takeAll();
        if (bytes.length === 0) return false;
        this.#keep(bytes);
        return true;
      }
    }
  }

  #header(): boolean {
    const c = this.#cursor;
    if (c.u32() !== MAGIC || c.u32() !== VERSION)
      throw new StreamNotSplit('it does not begin as QEMU writes');
    this.#state = 'sections';
    return this.#keepUnit();
  }

  #sectionHead(): boolean {
    const c = this.#cursor;
    const kind = c.u8();
    if (kind === VM.command) {
      c.u16();
      c.skip(bounded(c.u16(), MAX_COMMAND_BYTES, 'a command'));
      return this.#keepUnit();
    }
    if (kind === VM.configuration) {
      this.#configuration();
      return this.#keepUnit();
    }
    if (kind === VM.start) {
      this.#ramStart();
      return this.#keepUnit();
    }
    if (kind !== VM.part && kind !== VM.end)
      throw new StreamNotSplit(`part ${kind} of the stream comes before the end of the memory`);
    if (c.u32() !== this.#ramSection) throw new StreamNotSplit('a section besides the memory is sent live');
    this.#section = kind === VM.end ? 'end' : 'part';
    this.#state = 'pages';
    return this.#keepUnit();
  }

  /** The machine's type, and what QEMU adds to it where it differs from the default. */
  #configuration(): void {
    const c = this.#cursor;
    c.skip(bounded(c.u32(), MAX_NAME_BYTES, 'the name of the machine'));
    const seen = new Set<string>();
    while (c.peek() === VM.subsection) {
      c.u8();
      const name = c.text(c.u8());
      c.u32();
      if (seen.has(name)) throw new StreamNotSplit(`${printable(name)} comes twice`);
      seen.add(name);
      if (name === 'configuration/uuid') c.skip(16);
      else if (name === 'configuration/target-page-bits') {
        if (c.u32() !== Math.log2(PAGE_BYTES)) throw new StreamNotSplit('pages have another size');
      } else if (name === 'configuration/capabilities') {
        const count = bounded(c.u32(), MAX_CAPABILITIES, 'the number of capabilities');
        for (let i = 0; i < count; i += 1) c.skip(c.u8());
      } else throw new StreamNotSplit(`${printable(name)} is not known`);
    }
  }

  /** The list of blocks. */
  #ramStart(): void {
    const c = this.#cursor;
    const id = c.u32();
    const name = c.text(c.u8());
    c.u32();
    c.u32();
    if (name !== 'ram' || this.#ramSection !== undefined)
      throw new StreamNotSplit(`section ${printable(name)} is sent live`);
    const head = c.u64();
    if ((head & FLAGS) !== BigInt(FLAG.memorySize))
      throw new StreamNotSplit('the sizes of memory are missing');
    const total = head & ~FLAGS;
    const blocks = new Map<string, Block>();
    let sum = 0n;
    while (sum < total) {
      const block = c.text(c.u8());
      const bytes = c.u64();
      sum += bytes;
      if (bytes === 0n || sum > total || blocks.has(block) || blocks.size >= MAX_BLOCKS)
        throw new StreamNotSplit('the blocks of memory are not those of a machine');
      blocks.set(block, { isMain: MAIN_BLOCK.test(block), bytes: Number(bytes) });
    }
    if (c.u64() !== BigInt(FLAG.endOfSection))
      throw new StreamNotSplit('blocks of memory have sizes of pages');
    this.#footer(id);
    const main = [...blocks.values()].filter(({ isMain }) => isMain);
    const [only] = main;
    if (only === undefined || main.length > 1)
      throw new StreamNotSplit('there is no one block of main memory');
    if (only.bytes > this.#limits.memoryBytes || only.bytes % PAGE_BYTES !== 0)
      throw new StreamNotSplit(`${only.bytes} bytes of memory do not fit`);
    this.#ramSection = id;
    this.#mainBytes = only.bytes;
    for (const [block, facts] of blocks) this.#blocks.set(block, facts);
    this.#sink.size(only.bytes);
  }

  #page(): boolean {
    const c = this.#cursor;
    // In two halves: there are as many as there are pages.
    const high = c.u32();
    const low = c.u32();
    const flags = low & (PAGE_BYTES - 1);
    if (flags === FLAG.endOfSection) {
      this.#footer(this.#ramSection ?? 0);
      this.#state = this.#section === 'end' ? 'devices' : 'sections';
      return this.#keepUnit();
    }
    const kind = flags & ~FLAG.sameBlock;
    if (kind !== FLAG.zero && kind !== FLAG.page)
      throw new StreamNotSplit(`pages of kind 0x${kind.toString(16)} are not known`);
    const block = (flags & FLAG.sameBlock) === 0 ? this.#blocks.get(c.text(c.u8())) : this.#block;
    const address = high * 2 ** 32 + low - flags;
    if (block === undefined || address > block.bytes - PAGE_BYTES)
      throw new StreamNotSplit('a page is outside the memory');
    const fill = kind === FLAG.zero ? c.u8() : undefined;
    const page = kind === FLAG.page ? c.bytes(PAGE_BYTES) : undefined;
    // Read to its end: from here on the step is not repeated.
    this.#block = block;
    if (!block.isMain) return this.#keepUnit();
    this.#pages += 1;
    if (this.#pages > (MOST_PASSES * this.#mainBytes) / PAGE_BYTES)
      throw new StreamNotSplit('the memory is sent over and over');
    this.#sink.page(address, fill === undefined || fill === 0 ? page : Buffer.alloc(PAGE_BYTES, fill));
    return true;
  }

  /** QEMU repeats the number of the section behind it; what libvirt starts always does. */
  #footer(section: number): void {
    if (this.#cursor.u8() !== VM.footer || this.#cursor.u32() !== section)
      throw new StreamNotSplit('a section does not end where it should');
  }

  #keepUnit(): boolean {
    this.#keep(this.#cursor.sinceMark());
    return true;
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length;
    if (this.#restBytes > this.#limits.restBytes)
      throw new StreamNotSplit(`there are more than ${this.#limits.restBytes} bytes besides the memory`);
    this.#sink.rest(bytes);
  }
}

function bounded(value: number, most: number, what: string): number {
  if (value > most) throw new StreamNotSplit(`${what} has ${value} bytes`);
  return value;
}

/** For messages: names are a guest's bytes. */
function printable(name: string): string {
  return JSON.stringify(name.slice(0, 40)).replaceAll(/[^\x20-\x7e]/g, '?');
}
