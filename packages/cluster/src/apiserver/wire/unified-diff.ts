/** A unified diff of lines, without file names: hunks with three lines of context. Pure. */

const CONTEXT = 3;

interface Edit {
  readonly kind: ' ' | '-' | '+';
  readonly text: string;
  /** Lines of the old and the new text before this one. */
  readonly before: readonly [number, number];
}

export function unifiedDiff(from: string, to: string): string {
  const edits = editsOf(from.split('\n'), to.split('\n'));
  const changed = edits.flatMap(({ kind }, i) => (kind === ' ' ? [] : [i]));
  let text = '';
  for (let i = 0; i < changed.length; ) {
    let last = i;
    while (last + 1 < changed.length && (changed[last + 1] ?? 0) - (changed[last] ?? 0) <= 2 * CONTEXT)
      last += 1;
    const start = Math.max(0, (changed[i] ?? 0) - CONTEXT);
    text += hunk(edits.slice(start, (changed[last] ?? 0) + CONTEXT + 1));
    i = last + 1;
  }
  return text;
}

function hunk(edits: readonly Edit[]): string {
  const [old, now] = edits[0]?.before ?? [0, 0];
  const range = (start: number, skip: '-' | '+'): string => {
    const length = edits.filter(({ kind }) => kind !== skip).length;
    return length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`;
  };
  const head = `@@ -${range(old, '+')} +${range(now, '-')} @@\n`;
  return head + edits.map(({ kind, text }) => `${kind}${text}\n`).join('');
}

/** The shortest way from one to the other by the longest common lines; removals come before additions. */
function editsOf(from: readonly string[], to: readonly string[]): Edit[] {
  const common: number[][] = Array.from({ length: from.length + 1 }, () =>
    Array<number>(to.length + 1).fill(0),
  );
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1) {
    const line = common[i];
    if (line === undefined) continue;
    for (let j = to.length - 1; j >= 0; j -= 1)
      line[j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    const before = [i, j] as const;
    if (i < from.length && j < to.length && from[i] === to[j]) {
      edits.push({ kind: ' ', text: from[i] ?? '', before });
      i += 1;
      j += 1;
    } else if (i < from.length && (j >= to.length || at(i + 1, j) >= at(i, j + 1))) {
      edits.push({ kind: '-', text: from[i] ?? '', before });
      i += 1;
    } else {
      edits.push({ kind: '+', text: to[j] ?? '', before });
      j += 1;
    }
  }
  return edits;
}
