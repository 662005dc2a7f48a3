/** A bar for bytes on their way, on terminals only. */
import type { Writable } from 'node:stream';

const WIDTH = 30;
const DRAW_EVERY_MS = 200;
const MIB = 1024 * 1024;

/** `12.0 MiB / 64.0 MiB [=====>      ] 18 % 4.0 MiB/s 13 s`. Pure. */
export function barText(bytes: number, totalBytes: number, elapsedMs: number): string {
  const part = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
  const full = Math.floor(part * WIDTH);
  const bar = `${'='.repeat(full)}${full < WIDTH ? '>' : ''}`.padEnd(WIDTH).slice(0, WIDTH);
  const rate = elapsedMs === 0 ? 0 : bytes / (elapsedMs / 1000);
  const left = rate === 0 ? '' : ` ${Math.ceil((totalBytes - Math.min(bytes, totalBytes)) / rate)} s`;
  const mebibytes = (value: number): string => `${(value / MIB).toFixed(1)} MiB`;
  return `${mebibytes(bytes)} / ${mebibytes(totalBytes)} [${bar}] ${Math.floor(part * 100)} % ${mebibytes(rate)}/s${left}`;
}

/** Counts what passes and draws it; silent where nobody watches. */
export async function* withBar(
  chunks: AsyncIterable<Uint8Array>,
  totalBytes: number,
  out: Writable & { readonly isTTY?: boolean },
  now: () => number,
): AsyncGenerator<Uint8Array> {
  const startedAt = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    yield chunk;
    if (out.isTTY !== true || now() - drawnAt < DRAW_EVERY_MS) continue;
    drawnAt = now();
    out.write(`\r${barText(bytes, totalBytes, now() - startedAt)}\u001b[K`);
  }
  if (out.isTTY === true) out.write(`\r${barText(bytes, totalBytes, now() - startedAt)}\u001b[K\n`);
}
