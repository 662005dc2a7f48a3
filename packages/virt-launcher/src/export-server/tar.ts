/** A claim's files as a tar archive (ustar), as a stream: files and directories, nothing else. */
import { createReadStream } from 'node:fs';
import { entriesOf, openEntry, type TreeEntry } from './tree.ts';

const BLOCK = 512;

export async function* tarOf(root: string, path = ''): AsyncGenerator<Buffer> {
  yield* entry(root, path);
  if (path === '') yield Buffer.alloc(BLOCK * 2);
}

async function* entry(root: string, path: string): AsyncGenerator<Buffer> {
  const opened = openEntry(root, path);
  if (opened === undefined) return; // went away while the archive was made
  using handle = opened.handle;
  const { entry: found } = opened;
  if (found.kind === 'directory') {
    if (found.path !== '') yield header(found);
    for (const child of entriesOf(root, found, handle)) yield* entry(root, child.path);
    return;
  }
  yield header(found);
  let left = found.sizeBytes;
  if (left > 0)
    for await (const chunk of createReadStream('', { fd: handle.fd, autoClose: false, end: left - 1 })) {
      left -= (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  // A file that shrank meanwhile is filled up: the archive stays whole.
  while (left > 0) {
    const size = Math.min(left, 64 * 1024);
    yield Buffer.alloc(size);
    left -= size;
  }
  yield Buffer.alloc((BLOCK - (found.sizeBytes % BLOCK)) % BLOCK);
}

function header({ path, kind, sizeBytes }: TreeEntry): Buffer {
  const block = Buffer.alloc(BLOCK);
  const isDirectory = kind === 'directory';
  const full = Buffer.from(isDirectory ? `${path}/` : path);
  const cut = full.length <= 100 ? -1 : full.indexOf('/', full.length - 101);
  if (full.length > 100 && (cut < 0 || cut > 155))
    throw new Error(`the name of ${path} is too long for an archive`);
  full.copy(block, 0, cut + 1);
  if (cut > 0) full.copy(block, 345, 0, cut);
  const octal = (value: number, offset: number, length: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset);
  octal(isDirectory ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(sizeBytes, 124, 12);
  octal(0, 136, 12);
  block.write('        ', 148);
  block.write(isDirectory ? '5' : '0', 156);
  block.write('ustar\0', 257);
  block.write('00', 263);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
