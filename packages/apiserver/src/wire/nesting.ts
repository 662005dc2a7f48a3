/**
 * How deep a document may be. Everything that walks an object does so by recursion, so that an object that got in
 * must fit onto the stack of all of them. Real objects have a few dozen levels.
 */
import { MAX_JSON_DEPTH } from '@podvisor/base';
export const MAX_DEPTH = MAX_JSON_DEPTH;

/** Whether JSON text opens more than MAX_DEPTH objects and lists within each other. Brackets in strings do not count. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      for (i += 1; i < text.length && text.charCodeAt(i) !== QUOTE; i += 1)
        if (text.charCodeAt(i) === BACKSLASH) i += 1;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
