/** Indexes of a Job as text, as its status shows them: "1,3-5". */

/** `0-2,5` */
export function ranges(numbers: ReadonlySet<number>): string {
  const sorted = [...numbers].toSorted((a, b) => a - b);
  const parts: [number, number][] = [];
  for (const n of sorted) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === n - 1) last[1] = n;
    else parts.push([n, n]);
  }
  return parts
    .map(([from, to]) => (from === to ? `${from}` : `${from}${to === from + 1 ? ',' : '-'}${to}`))
    .join(',');
}

export function indexesOf(text: string | undefined): number[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, i) => from + i);
    });
}
