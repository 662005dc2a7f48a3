/** Where the last N lines of a file begin, found from its end. */
import { fstatSync, readSync } from 'node:fs';

const CHUNK = 64 * 1024;

export function tailOffset(fd: number, lines: number): number {
  let end = fstatSync(fd).size;
  if (lines <= 0) return end;
  // The newline that ends the last line does not begin another one.
  let left = lines + 1;
  const buffer = Buffer.alloc(CHUNK);
  while (end > 0) {
    const start = Math.max(0, end - CHUNK);
    const count = readSync(fd, buffer, 0, end - start, start);
    for (let i = count - 1; i >= 0; i -= 1) {
      if (buffer[i] !== 0x0a) continue;
      left -= 1;
      if (left === 0) return start + i + 1;
    }
    end = start;
  }
  return 0;
}
