/**
 * Gives memory back after a burst of work. Loading our code and starting a VM leaves garbage that V8 would
 * keep for a busy process; a launcher then does nothing for weeks, next to many others.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}) => void;

let collect: Collect | undefined;

export function trimMemory(): void {
  collect ??= exposedCollector();
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** The collector is reachable only through a flag, which may be set at run time. */
function exposedCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  return typeof found === 'function' ? (found as Collect) : () => {};
}
