/** A page of docs/ as steps that can be run: its `sh` blocks are what a reader types, `text` blocks what is printed. Pure. */

export interface Step {
  readonly title: string;
  /** The lines of its `sh` blocks, as one script. */
  readonly script: string;
  /** Lines that the step prints, in this order; `…` stands for anything. */
  readonly prints: readonly string[];
}

/** A step is a heading of the second level; headings without commands are text for people. */
export function stepsOf(markdown: string): readonly Step[] {
  const [, ...sections] = markdown.split(/^## /m);
  return sections
    .map((section): Step => {
      const blocks = (kind: string): string =>
        [...section.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))]
          .map(([, block = '']) => block)
          .join('');
      return {
        title: section.slice(0, section.indexOf('\n')),
        script: blocks('sh'),
        prints: blocks('text').split('\n').filter(Boolean),
      };
    })
    .filter(({ script }) => script !== '');
}

/** The first expected line that the output does not have after those before it; undefined when all are there. */
export function missingLine(prints: readonly string[], output: string): string | undefined {
  const lines = output.split('\n');
  let from = 0;
  for (const expected of prints) {
    const at = lines.findIndex((line, number) => number >= from && isLike(line, expected));
    if (at === -1) return expected;
    from = at + 1;
  }
  return undefined;
}

/** Columns of a table may be wider than on the page. */
function isLike(line: string, expected: string): boolean {
  const pattern = expected
    .trim()
    .split(/\s+/)
    .map((word) => word.split('…').map(escaped).join('.*'))
    .join('\\s+');
  return new RegExp(`^\\s*${pattern}\\s*$`).test(line);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** First cells of all rows of the page's tables, without those of their heads. */
export function tasksOf(markdown: string): readonly string[] {
  const lines = markdown.split('\n');
  return lines
    .filter(
      (line, index) =>
        line.startsWith('| ') && !lines[index + 1]?.startsWith('|---') && !line.startsWith('|---'),
    )
    .map((line) => line.slice(2, line.indexOf(' |')));
}

/**
 * Commands of the row of a table whose first cell has these words: what stands between backticks in the other cells,
 * unless a part of it is left to the reader.
 */
export function rowCommands(markdown: string, task: string): readonly string[] {
  const row = markdown.split('\n').find((line) => line.startsWith(`| ${task} |`));
  if (row === undefined) throw new Error(`the page has no row "${task}"`);
  const others = row.slice(task.length + 3);
  return [...others.matchAll(/`((?:\.\/podvisor|virtctl|kubectl) [^`]+)`/g)]
    .map(([, text = '']) => text.replaceAll('\\|', '|'))
    .filter((text) => !text.includes('…'));
}
