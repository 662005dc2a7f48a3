/** What a Ginkgo JSON report says of each spec, in the words that the runner prints. Pure. */

interface Failure {
  readonly Message?: string;
  readonly Location?: { readonly FileName?: string; readonly LineNumber?: number };
}

interface SpecReport {
  readonly LeafNodeType: string;
  readonly ContainerHierarchyTexts?: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly State: string;
  /** Nanoseconds. */
  readonly RunTime: number;
  readonly Failure?: Failure;
}

export interface SuiteReport {
  readonly SpecReports?: readonly SpecReport[] | null;
}

export type Verdict = 'passed' | 'failed' | 'skipped';

export interface Spec {
  readonly name: string;
  readonly verdict: Verdict;
  readonly seconds: number;
  /** First line of the failure or of the reason to skip, with its place; empty for what passed. */
  readonly why: string;
}

/** Specs that a filter left out have no verdict: nobody asked for them, and they are not in the answer. */
export function specsOf(reports: readonly SuiteReport[]): readonly Spec[] {
  const specs: Spec[] = [];
  for (const report of reports.flatMap(({ SpecReports }) => SpecReports ?? [])) {
    const why = firstError(report.Failure);
    // A suite whose set-up fails has run no spec: that is one failure, with the name of the step.
    const isStep = report.LeafNodeType !== 'It';
    if (isStep ? verdictOf(report.State) !== 'failed' : isFilteredOut(report)) continue;
    const texts = [...(report.ContainerHierarchyTexts ?? []), report.LeafNodeText].filter((t) => t !== '');
    specs.push({
      name: isStep ? [report.LeafNodeType, ...texts].join(' ') : texts.join(' '),
      verdict: verdictOf(report.State),
      seconds: report.RunTime / 1e9,
      why,
    });
  }
  return specs;
}

function isFilteredOut({ State, Failure }: SpecReport): boolean {
  return State === 'pending' || State === '' || (State === 'skipped' && (Failure?.Message ?? '') === '');
}

function verdictOf(state: string): Verdict {
  if (state === 'passed') return 'passed';
  return state === 'skipped' || state === 'pending' ? 'skipped' : 'failed';
}

function firstError(failure: Failure | undefined): string {
  const lines = (failure?.Message ?? '').split('\n').map((line) => line.trim());
  const message = lines
    .filter((line) => line !== '')
    .slice(0, 3)
    .join(' | ');
  const file = failure?.Location?.FileName?.replace(/^.*\/(tests|vendor)\//, '$1/');
  if (message === '' || file === undefined || file === '') return message;
  return `${message} (${file}:${failure?.Location?.LineNumber ?? 0})`;
}

export function totalLine(specs: readonly Spec[]): string {
  const count = (verdict: Verdict): number => specs.filter((spec) => spec.verdict === verdict).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
