/** Logs of a container, as `kubectl logs` asks for them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LogOptions } from '@podvisor/home-contract';
import type { KubeletContext } from '../context.ts';
import { bundleOf, runState } from '../pod/records.ts';
import type { ContainerRecord } from '../pod/types.ts';
import { followLines } from './follow-file.ts';
import { formatLogLine, parseLogLine } from './log-lines.ts';
import { tailOffset } from './tail-offset.ts';

/** Lines from the container's log; ends with the container when following. */
export async function* containerLogs(
  context: KubeletContext,
  record: ContainerRecord,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const path = join(bundleOf(context, record), 'log');
  if (!existsSync(path)) return;
  const from = sinceMs(options, context.clock.now());
  const lines = followLines(
    {
      path,
      start: (fd) => (options.tailLines === undefined ? 0 : tailOffset(fd, options.tailLines)),
      follow: options.follow,
      exitDirectory: context.exitDir,
      ended: () => runState(context, record).kind === 'exited',
    },
    signal,
  );
  let left = options.limitBytes ?? Number.POSITIVE_INFINITY;
  let continues = false;
  for await (const raw of lines) {
    const line = parseLogLine(raw);
    if (line === undefined || (from !== undefined && Date.parse(line.time) < from)) continue;
    const bytes = formatLogLine(line, options.timestamps, continues);
    continues = !line.complete;
    yield bytes.subarray(0, left);
    left -= bytes.length;
    if (left <= 0) return;
  }
}

/** Time before which lines are left out; undefined: none is. */
export function sinceMs({ sinceSeconds, sinceTime }: LogOptions, nowMs: number): number | undefined {
  if (sinceSeconds !== undefined) return nowMs - sinceSeconds * 1000;
  return sinceTime === undefined ? undefined : Date.parse(sinceTime);
}
