/** Archives for claims of files, unpacked by GNU tar: whatever they hold, nothing outside the claim changes. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importArchive } from '../../../packages/importer/src/archive.ts';
import { Progress } from '../../../packages/importer/src/progress.ts';
import { bytes, expect, type FuzzTarget } from '../frame/target.ts';
import { scratchDirectory } from './scratch.ts';

interface Member {
  readonly name: string;
  readonly type: string;
  readonly link?: string;
  readonly content?: string;
}

function member({ name, type, link = '', content = '' }: Member): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 100);
  head.write('0000644\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  head.write('00000000000\0', 136);
  head.write('        ', 148);
  head.write(type, 156);
  head.write(link, 157, 100);
  head.write('ustar\x0000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([head, body]);
}

const MEMBERS: readonly Member[] = [
  { name: 'file', type: '0', content: 'hello' },
  { name: 'dir/', type: '5' },
  { name: 'dir/inner', type: '0', content: 'x' },
  { name: '../outside', type: '0', content: 'bad' },
  { name: '/outside', type: '0', content: 'bad' },
  { name: 'link', type: '2', link: '..' },
  { name: 'link/outside', type: '0', content: 'bad' },
  { name: 'link', type: '2', link: '../outside' },
  { name: 'link', type: '0', content: 'bad' },
  { name: 'hard', type: '1', link: '../outside' },
  { name: 'hard', type: '1', link: 'link' },
  { name: 'hard', type: '0', content: 'bad' },
  { name: 'pipe', type: '6' },
  { name: 'device', type: '3' },
  { name: './././@LongLink', type: 'L', content: '../outside\0' },
  { name: 'sparse', type: 'S' },
  { name: 'pax', type: 'x', content: '18 path=../outside\n' },
];

const world = scratchDirectory('tar');
const outside = join(world, 'outside');
const claim = join(world, 'claim');

export const target: FuzzTarget = {
  seeds: [
    Buffer.concat([
      member({ name: 'file', type: '0', content: 'hello' }),
      member({ name: 'dir/', type: '5' }),
      Buffer.alloc(1024),
    ]),
  ],
  words: MEMBERS.map(member),
  generate: (random) =>
    Buffer.concat([
      ...Array.from({ length: 1 + random.below(5) }, () => member(random.pick(MEMBERS))),
      Buffer.alloc(1024),
    ]),
  maxBytes: 16 * 1024,
  refuses: (error) => error instanceof Error && /^the archive /.test(error.message),
  feed: async (input) => {
    rmSync(claim, { recursive: true, force: true });
    mkdirSync(claim);
    writeFileSync(outside, 'untouched');
    const read = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes('');
      yield input;
    };
    try {
      await importArchive(
        { totalBytes: input.length, version: undefined, read },
        claim,
        {
          progress: new Progress(
            () => undefined,
            () => 0,
          ),
        },
        new AbortController().signal,
      );
    } finally {
      expect(readFileSync(outside, 'utf8') === 'untouched', 'a file outside is as it was');
      expect(readdirSync(world).length === 2, 'nothing new is outside');
    }
  },
};
