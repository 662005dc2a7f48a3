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
  for (const [, amount = '0', unit = 's'] of text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g)) {
    total += Number(amount) * (UNIT_SECONDS[unit] ?? 0);
  }
  return text.startsWith('-') ? -total : total;
}
