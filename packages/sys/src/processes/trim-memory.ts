/**
 * Gives memory back after a burst of work. Loading our code and starting a VM leaves garbage that V8 would
 * keep for a busy process, and pages of programs that nobody touches again; a launcher then does nothing for weeks,
 * next to many others, and so does a home.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mallocTrimmer, type TrimMalloc } from './malloc-pages.ts';
import { ownFileRanges, pageReleaser, type ReleasePages } from './program-pages.ts';

type Collect = (options: {
  readonly type: 'major' | 'minor';
  readonly execution: 'sync';
  readonly flavor?: 'last-resort';
}) => void;

let collect: Collect | undefined;

interface NativePages {
  readonly release: ReleasePages;
  readonly trimMalloc: TrimMalloc;
}

let pages: NativePages | undefined;

export function trimMemory(): void {
  collect ??= collector();
  pages ??= nativePages();
  // Read before the collection, because the text of the list is garbage; let go after it, because it runs much code.
  const ranges = ownFileRanges();
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  // After the collection, which frees what objects of V8 held beside its heap.
  pages.trimMalloc();
  pages.release(ranges);
}

function nativePages(): NativePages {
  try {
    return { release: pageReleaser(), trimMalloc: mallocTrimmer() };
  } catch {
    // Where koffi is not installed, garbage goes all the same.
    return { release: () => {}, trimMalloc: () => {} };
  }
}

/** Collects young garbage only, which takes a fraction of a millisecond in a small process. */
export function collectYoung(): void {
  collect ??= collector();
  collect({ type: 'minor', execution: 'sync' });
}

/**
 * Node shows its collector with `--expose-gc`, at the start or to contexts that are made later. At the start the flag
 * costs more: Node's own modules come compiled, and V8 does not take what was compiled with other flags, so that each
 * process compiles them again (25 ms of CPU, half a MiB). The same holds for modules that are loaded while it is on.
 */
function collector(): Collect {
  if (globalThis.gc !== undefined) return globalThis.gc as Collect;
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof found === 'function' ? (found as Collect) : () => {};
}
