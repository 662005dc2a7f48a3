/** The CRI log format: `2026-01-01T00:00:00.123456789Z stdout F text`; P marks a piece of a longer line. Pure. */
export interface LogLine {
  readonly time: string;
  readonly stream: string;
  readonly complete: boolean;
  readonly text: Buffer;
}

/** Reads one line (without its newline); undefined when it is not one. */
export function parseLogLine(line: Buffer): LogLine | undefined {
  const first = line.indexOf(0x20);
  const second = line.indexOf(0x20, first + 1);
  const third = line.indexOf(0x20, second + 1);
  if (first < 0 || second < 0 || third < 0) return undefined;
  return {
    time: line.toString('latin1', 0, first),
    stream: line.toString('latin1', first + 1, second),
    complete: line.toString('latin1', second + 1, third).startsWith('F'),
    text: line.subarray(third + 1),
  };
}

/** What `kubectl logs` shows of it. */
export function formatLogLine(line: LogLine, timestamps: boolean, continues: boolean): Buffer {
  const head = timestamps && !continues ? Buffer.from(`${line.time} `) : Buffer.alloc(0);
  return Buffer.concat([head, line.text, ...(line.complete ? [Buffer.from('\n')] : [])]);
}
