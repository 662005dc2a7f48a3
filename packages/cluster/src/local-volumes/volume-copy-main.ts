/**
 * `volume-copy FROM TO [--only-disk]`: copies the content of a volume into an empty directory, tells its
 * progress as JSON lines and ends. A program of its own, because copying blocks and may be ended at any time.
 */
import { lstatSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyTree } from '@podvisor/storage';
import type { CopyLine } from './run-copy.ts';

const TELL_EVERY_MS = 200;

const { values, positionals } = parseArgs({
  options: { 'only-disk': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [from = '', to = ''] = positionals;
const tell = (line: CopyLine): unknown => writeSync(1, `${JSON.stringify(line)}\n`);

try {
  // The top level is enough to tell progress by: a VM's volume holds one large file.
  const totalBytes = readdirSync(from)
    .map((name) => lstatSync(join(from, name), { throwIfNoEntry: false }))
    .reduce((sum, stats) => sum + (stats?.isFile() === true ? stats.blocks * 512 : 0), 0);
  let bytes = 0;
  let toldAt = performance.now();
  copyTree(from, to, {
    ...(values['only-disk'] ? { only: 'disk.img' } : {}),
    onCopied: (count) => {
      bytes += count;
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      toldAt = performance.now();
      tell({ bytes, totalBytes });
    },
  });
  tell({ bytes, totalBytes: bytes });
} catch (error) {
  tell({ error: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
