/** The difference between two texts, line by line, as `diff -u` shows it. Pure. */

const CONTEXT_LINES = 3;

type Edit = { readonly kind: ' ' | '-' | '+'; readonly line: string };

/** Lines with `-`, `+` or a space in front; empty when the texts are the same. */
export function lineDiff(before: string, after: string): readonly string[] {
  const edits = editsOf(linesOf(before), linesOf(after));
  const near = edits.map((_, i) =>
    edits.slice(Math.max(0, i - CONTEXT_LINES), i + CONTEXT_LINES + 1).some(({ kind }) => kind !== ' '),
  );
  return edits.flatMap(({ kind, line }, i) => {
    if (!near[i]) return [];
    const gap = i > 0 && !near[i - 1] ? ['…'] : [];
    return [...gap, `${kind}${line}`];
  });
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** By the longest common subsequence; texts are a few hundred lines, so the plain table is enough. */
function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      edits.push({ kind: ' ', line: before[i] ?? '' });
      [i, j] = [i + 1, j + 1];
    } else if (i < before.length && (j === after.length || at(i + 1, j) >= at(i, j + 1))) {
      edits.push({ kind: '-', line: before[i++] ?? '' });
    } else edits.push({ kind: '+', line: after[j++] ?? '' });
  }
  return edits;
}
