/** The size of a container's terminal, told to its monitor. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes to the monitor's control pipe in the bundle: message type 1 is "window size". A client may ask for it at any
 * time, also when the container has ended and nobody reads the pipe: opened as usual it would hold this process, and
 * with it every Pod of the node, for ever. A size is only a request: what cannot be told is not.
 */
export function tellTerminalSize(bundle: string, columns: number, rows: number): void {
  let pipe: number | undefined;
  try {
    pipe = openSync(join(bundle, 'ctl'), constants.O_WRONLY | constants.O_NONBLOCK);
    writeSync(pipe, `1 ${rows} ${columns}\n`);
  } catch {
    // Nobody reads it any more, it is full, or it is gone with the container.
  } finally {
    if (pipe !== undefined) closeSync(pipe);
  }
}
