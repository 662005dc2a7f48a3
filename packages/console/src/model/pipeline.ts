/** The handoffs of a VM as spans of one line of time, and words with code in them. Pure. */

export interface HandoffSpan {
  /** Where in the whole it began, and how much of it it took. */
  readonly fromPercent: number;
  readonly percent: number;
  /** Undefined when nobody knows. */
  readonly ms: number | undefined;
}

/** `sinceLastMs`: of each handoff the time since the one before. */
export function handoffSpans(sinceLastMs: readonly (number | undefined)[]): readonly HandoffSpan[] {
  const times = sinceLastMs.map((ms) => Math.max(0, ms ?? 0));
  const total = times.reduce((sum, ms) => sum + ms, 0);
  let before = 0;
  return times.map((ms, i) => {
    const span = {
      fromPercent: total === 0 ? 0 : (before / total) * 100,
      percent: total === 0 ? 0 : (ms / total) * 100,
      ms: sinceLastMs[i],
    };
    before += ms;
    return span;
  });
}

export interface WordsPart {
  readonly text: string;
  readonly isCode: boolean;
}

/** What stands between two backticks is code; a backtick without another is itself. */
export function codeParts(words: string): readonly WordsPart[] {
  return words
    .split(/(`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) => {
      const isCode = part.length > 2 && part.startsWith('`') && part.endsWith('`');
      return { text: isCode ? part.slice(1, -1) : part, isCode };
    });
}
