/** Prints what came of a run. */
import type { FileReport } from './run.ts';

/** Differences shown for one case. */
const SHOWN = 20;

/** One line for the file, then the known differences; with `verbose` also what failed and how, and assumptions. */
export function fileLines(
  { file, passed, assumed, failures, known }: FileReport,
  verbose: boolean,
): readonly string[] {
  const counts = [
    `${passed} passed`,
    ...(assumed.length === 0 ? [] : [`${assumed.length} passed on an assumption`]),
    `${failures.length} failed`,
    ...(known.length === 0 ? [] : [`${known.length} known to differ`]),
  ];
  return [
    `${file}: ${counts.join(', ')}`,
    ...known.map(({ id, reason }) => `  differs ${id}: ${reason}`),
    ...(verbose ? assumed.map((id) => `  assumed ${id}`) : []),
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
  return [
    `total: ${sum((r) => r.passed)} passed`,
    `${sum((r) => r.assumed.length)} passed on an assumption`,
    `${sum((r) => r.failures.length)} failed`,
    `${sum((r) => r.known.length)} known to differ`,
  ].join(', ');
}
