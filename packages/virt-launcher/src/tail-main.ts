/**
 * virt-tail: the guest's serial console as a container's log. Follows the file that QEMU writes and copies it to
 * standard output. It sees the file read-only; the launcher empties it when it has grown large, and tailing begins
 * anew. It starts before the launcher has made the file's directory.
 *
 *   virt-tail --logfile FILE
 */
import { closeSync, existsSync, fstatSync, type FSWatcher, openSync, readSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';

const CHUNK_BYTES = 64 * 1024;

const { values } = parseArgs({ options: { logfile: { type: 'string' } } });
if (values.logfile === undefined) {
  console.error('virt-tail needs --logfile FILE');
  process.exit(2);
}
const path = values.logfile;
const buffer = Buffer.alloc(CHUNK_BYTES);
let file: number | undefined;
let offset = 0;

/** Copies what is new. Standard output is a pipe of the container runtime: writes to it are synchronous. */
function copy(): void {
  if (file === undefined) {
    try {
      file = openSync(path, 'r');
    } catch {
      return; // QEMU has not made it yet; the directory tells when it does
    }
  }
  if (fstatSync(file).size < offset) offset = 0;
  for (;;) {
    const length = readSync(file, buffer, 0, CHUNK_BYTES, offset);
    if (length === 0) break;
    process.stdout.write(buffer.subarray(0, length));
    offset += length;
  }
}

/** Tells of every change of the file, from the moment on when its directory exists. */
function follow(directory: string): void {
  if (existsSync(directory)) {
    watch(directory, (_event, name) => (name === null || name === basename(path)) && copy());
    copy();
    return;
  }
  const parent: FSWatcher = watch(dirname(directory), () => {
    if (!existsSync(directory)) return;
    parent.close();
    follow(directory);
  });
  // It may have come between the look and the watch.
  if (existsSync(directory)) {
    parent.close();
    follow(directory);
  }
}

process.once('SIGTERM', () => {
  copy();
  if (file !== undefined) closeSync(file);
  process.exit(0);
});
follow(dirname(path));
