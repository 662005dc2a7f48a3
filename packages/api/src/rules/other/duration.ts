/** Durations as Go writes them: `1h30m`, `5m0s`, `1.5h`. */
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
};

/** Seconds of a duration, or undefined when the text is missing or none. */
export function durationSeconds(text: string | undefined): number | undefined {
  if (text === undefined || !/^[+-]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount = '0', unit = 's'] of text
    .replace(/^[+-]/, '')
    .matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/gy)) {
    total += Number(amount) * (UNIT_SECONDS[unit] ?? 0);
  }
  return text.startsWith('-') ? -total : total;
}

/** Why a text that is there is no duration, as Go says it. */
export function durationProblem(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const quoted = JSON.stringify(text);
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return undefined;
  if (rest === '') return `time: invalid duration ${quoted}`;
  while (rest !== '') {
    const [number = ''] = /^(\d+\.?\d*|\.\d+)/.exec(rest) ?? [];
    if (number === '') return `time: invalid duration ${quoted}`;
    const [unit = ''] = /^[^.\d]*/.exec(rest.slice(number.length)) ?? [];
    if (unit === '') return `time: missing unit in duration ${quoted}`;
    if (UNIT_SECONDS[unit] === undefined)
      return `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
    rest = rest.slice(number.length + unit.length);
  }
  return undefined;
}
