/** How far a VM came, handoff by handoff, and why no further. */
import type { JSX } from 'preact';
import type { WhyReport } from '../live/use-why.ts';
import { codeParts, handoffSpans } from '../model/pipeline.ts';
import type { VmRow } from '../model/rows.ts';
import { fixActions } from '../model/vm-actions.ts';
import { ActionBar } from './action-button.tsx';
import { Command, Problem } from './parts.tsx';
import { commonText } from '../texts/common.ts';
import { vmText } from '../texts/vm.ts';

interface PipelineProps {
  readonly report: WhyReport | undefined;
  readonly problem: string | undefined;
  readonly row: VmRow;
  readonly onProblem: (words: string | undefined) => void;
}

export function Pipeline({ report, problem, row, onProblem }: PipelineProps): JSX.Element {
  if (problem !== undefined) return <Problem>{problem}</Problem>;
  if (report === undefined) return <p class="faint">{commonText.looking}</p>;
  return (
    <>
      <p>{report.verdict}</p>
      {report.diagnoses.map((diagnosis) => (
        <Diagnosis key={diagnosis.id} {...{ diagnosis, row, onProblem }} />
      ))}
      <Handoffs report={report} />
      <p class="faint">
        {commonText.sameInTerminal} <Command text={`virtctl why vm/${row.name} -n ${row.namespace}`} />
      </p>
    </>
  );
}

function Diagnosis({
  diagnosis: { title, cause, fix, evidence },
  row,
  onProblem,
}: Pick<PipelineProps, 'row' | 'onProblem'> & { diagnosis: WhyReport['diagnoses'][number] }): JSX.Element {
  return (
    <div class="notice">
      <strong>{title}</strong>
      <div>{cause}</div>
      {evidence === undefined ? null : (
        <div class="faint">
          {vmText.seen} {evidence.object}: {evidence.reason} {evidence.message}
        </div>
      )}
      <div>
        {vmText.toDo}{' '}
        {codeParts(fix).map(({ text, isCode }) => (isCode ? <code key={text}>{text}</code> : text))}
      </div>
      <ActionBar actions={fixActions(fix, row)} row={row} onProblem={onProblem} />
    </div>
  );
}

/** Each with the time since the one before, drawn where in the whole it was. */
function Handoffs({ report: { handoffs, waitingFor } }: { report: WhyReport }): JSX.Element {
  const spans = handoffSpans(handoffs.map(({ sinceLastMs }) => sinceLastMs));
  return (
    <ol class="pipeline" aria-label={vmText.way}>
      {handoffs.map(({ number, from, to, sight, done }, i) => {
        const { fromPercent = 0, percent = 0, ms } = spans[i] ?? {};
        return (
          <li key={number} class={done ? 'done' : number === waitingFor ? 'waiting' : ''}>
            <span>{number}</span>
            <span>
              {from} → {to}
            </span>
            <span class={done ? '' : 'faint'}>{done ? sight : vmText.notYet(sight)}</span>
            <span class="took faint">{ms === undefined ? '' : vmText.took(Math.round(ms))}</span>
            <span class="span" aria-hidden="true">
              {percent === 0 ? null : <span style={{ left: `${fromPercent}%`, width: `${percent}%` }} />}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
