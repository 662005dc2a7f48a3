/**
 * virt-tail: the guest's serial console as a container's log. Follows the file that QEMU writes and copies
 * it to standard output; when the file has grown large it is emptied, because nobody else ever would.
 *
 *   virt-tail --logfile FILE
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';

/** QEMU appends, so the file may be emptied under its hands. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
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
      file = openSync(path, 'r+');
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
  if (offset > MAX_FILE_BYTES) {
    ftruncateSync(file, 0);
    offset = 0;
  }
}

process.once('SIGTERM', () => {
  copy();
  if (file !== undefined) closeSync(file);
  process.exit(0);
});
watch(dirname(path), (_event, name) => (name === null || name === basename(path)) && copy());
copy();
