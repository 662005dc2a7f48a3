/**
 * Warnings as `Warning` headers. All together have room for 4,096 characters: where they have more, each is cut to 256,
 * and those beyond the room are left out, as Kubernetes does it.
 */
import { hasControl } from './control-characters.ts';

const ROOM = 4096;
const CUT = 256;

export function warningHeaders(warnings: readonly string[]): string[] {
  // A text with control characters cannot stand in a header; it is left out, as the real server does.
  const plain = warnings.filter((text) => text !== '' && !hasControl(text)).map((text) => Array.from(text));
  const total = plain.reduce((sum, { length }) => sum + length, 0);
  return (total <= ROOM ? plain : cut(plain)).map((text) => `299 - ${quote(text.join(''))}`);
}

function cut(texts: readonly string[][]): string[][] {
  let written = 0;
  const kept: string[][] = [];
  for (const text of texts) {
    if (written >= ROOM) break;
    const short = text.slice(0, CUT);
    kept.push(short);
    written += short.length;
  }
  return kept;
}

/** A header carries bytes: those of UTF-8, one character each. */
function quote(text: string): string {
  const quoted = `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return Buffer.from(quoted, 'utf8').toString('latin1');
}
