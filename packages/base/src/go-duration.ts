/** Durations as Go and Kubernetes write them: `1h30m`, `5m0s`, `1.5h`, `-10ms`, `0`. */

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

type Read = { readonly ms: number } | { readonly problem: string };

function read(text: string): Read {
  const quoted = JSON.stringify(text);
  const start = /^[+-]/.test(text) ? 1 : 0;
  if (text.slice(start) === '0') return { ms: 0 };
  const invalid = { problem: `time: invalid duration ${quoted}` };
  if (text.length === start) return invalid;
  const part = /(\d+\.?\d*|\.\d+)([^.\d]*)/y;
  part.lastIndex = start;
  let ms = 0;
  while (part.lastIndex < text.length) {
    const [, amount, unit = ''] = part.exec(text) ?? [];
    if (amount === undefined) return invalid;
    if (unit === '') return { problem: `time: missing unit in duration ${quoted}` };
    const factor = UNIT_MS.get(unit);
    if (factor === undefined)
      return { problem: `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}` };
    ms += Number(amount) * factor;
  }
  return { ms: text.startsWith('-') ? -ms : ms };
}

/** Milliseconds, with fractions; undefined when the text is missing or no duration. */
export function goDurationMs(text: string | undefined): number | undefined {
  const found = text === undefined ? undefined : read(text);
  return found !== undefined && 'ms' in found ? found.ms : undefined;
}

/** Why a text that is there is no duration, as Go says it. */
export function goDurationProblem(text: string | undefined): string | undefined {
  const found = text === undefined ? undefined : read(text);
  return found !== undefined && 'problem' in found ? found.problem : undefined;
}
