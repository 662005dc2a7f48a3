/** The end of QEMU's log file: why it died, in its own words. */
import { open } from 'node:fs/promises';

const TAIL_BYTES = 8 * 1024;
const MAX_LINES = 6;
const MAX_CHARACTERS = 1_024;

/** The last lines that QEMU itself wrote; empty when there is no log. */
export async function qemuLogTail(path: string): Promise<string> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return lastWords(buffer.toString('utf8', 0, bytesRead));
  } catch {
    return ''; // no log: the reason libvirt gave has to do
  }
}

/** Drops libvirt's record of the command line and keeps what QEMU said after the last start. Pure. */
export function lastWords(log: string): string {
  const start = log.lastIndexOf(': starting up libvirt version');
  const lines = (start < 0 ? log : log.slice(start)).split('\n').slice(start < 0 ? 0 : 1);
  const said = lines
    .filter(
      (line) => line.trim() !== '' && !/^(LC_ALL|PATH|HOME|USER|LOGNAME|XDG_|QEMU_|SHELL|TMPDIR)/.test(line),
    )
    .filter((line) => !line.startsWith('-') && !line.endsWith('\\') && !/^\S*qemu-system-\w+$/.test(line))
    .filter((line) => !line.includes('char device redirected to'));
  return said.slice(-MAX_LINES).join('\n').slice(-MAX_CHARACTERS);
}
