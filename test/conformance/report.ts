/** Prints what came of a run. */
import type { FileReport } from './run.ts';

/** Differences shown for one case. */
const SHOWN = 20;

/** One line for the file, then what was skipped, and with `verbose` what failed and how. */
export function fileLines(
  { file, passed, failures, skipped }: FileReport,
  verbose: boolean,
): readonly string[] {
  const [whole] = skipped.filter(({ id }) => id === undefined);
  if (whole !== undefined) return [`${file}: skipped, ${whole.reason}`];
  const counts = `${passed} passed, ${failures.length} failed`;
  return [
    `${file}: ${counts}${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`,
    ...skipped.map(({ id, reason }) => `  skipped ${id}: ${reason}`),
    ...(verbose ? failures.flatMap(({ id, differences }) => failureLines(id, differences)) : []),
  ];
}

function failureLines(id: string, differences: readonly string[]): readonly string[] {
  const more = differences.length - SHOWN;
  return [
    `  FAILED ${id}`,
    ...differences.slice(0, SHOWN).map((line) => `    ${line}`),
    ...(more > 0 ? [`    … and ${more} more`] : []),
  ];
}

/** The last line. */
export function totalLine(reports: readonly FileReport[]): string {
  const sum = (count: (report: FileReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  const files = reports.flatMap(({ file, skipped }) =>
    skipped.some(({ id }) => id === undefined) ? [file] : [],
  );
  const cases = sum(({ skipped }) => skipped.filter(({ id }) => id !== undefined).length);
  return [
    `total: ${sum((r) => r.passed)} passed, ${sum((r) => r.failures.length)} failed, ${cases} skipped`,
    ...(files.length === 0 ? [] : [`files skipped: ${files.join(', ')}`]),
  ].join('; ');
}
