/**
 * Gives memory back after a burst of work. Loading our code and starting a VM leaves garbage that V8 would
 * keep for a busy process, and pages of programs that nobody touches again; a launcher then does nothing for weeks,
 * next to many others, and so does a home.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ownFileRanges, pageReleaser, type ReleasePages } from './program-pages.ts';

type Collect = (options: {
  readonly type: 'major' | 'minor';
  readonly execution: 'sync';
  readonly flavor?: 'last-resort';
}) => void;

let collect: Collect | undefined;

let releasePages: ReleasePages | undefined;

export function trimMemory(): void {
  collect ??= collector();
  releasePages ??= releaser();
  // Read before the collection, because the text of the list is garbage; let go after it, because it runs much code.
  const ranges = ownFileRanges();
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  releasePages(ranges);
}

function releaser(): ReleasePages {
  try {
    return pageReleaser();
  } catch {
    return () => {}; // where koffi is not installed, garbage goes all the same
  }
}

/** Collects young garbage only, which takes a fraction of a millisecond in a small process. */
export function collectYoung(): void {
  collect ??= collector();
  collect({ type: 'minor', execution: 'sync' });
}

/**
 * Node shows its collector with `--expose-gc`. Only this flag may be turned on late: new contexts then have it, and such
 * a context stays, so a program of which there are many is started with the flag.
 */
function collector(): Collect {
  if (globalThis.gc === undefined) setFlagsFromString('--expose-gc');
  const found: unknown = globalThis.gc ?? runInNewContext('gc');
  return typeof found === 'function' ? (found as Collect) : () => {};
}
