/** Evidence against the catalogue. Pure. */
import { firstOpen } from '../handoffs/trouble.ts';
import { catalogue } from './catalogue.ts';
import type { DeadEnd, KnownFailure } from './known/known-failure.ts';
import type { Evidence, Observed } from './observed.ts';
import { evidenceOf } from './evidence.ts';

export interface Diagnosis {
  readonly id: string;
  readonly title: string;
  /** The handoff that it stops. */
  readonly handoff?: number;
  /** It does not pass by waiting. */
  readonly deadEnd?: DeadEnd;
  readonly cause: string;
  /** With names filled in. */
  readonly fix: string;
  readonly evidence: Evidence;
}

/** What fits, the most probable first; each known failure once. */
export function diagnose(
  observed: Observed,
  known: readonly KnownFailure[] = catalogue,
): readonly Diagnosis[] {
  const evidence = currentEvidence(observed);
  return known.flatMap((failure) => {
    const found = evidence.find(
      (one) => failure.where.includes(one.source) && failure.pattern.test(textOfEvidence(one)),
    );
    if (found === undefined) return [];
    const { id, title, handoff, cause, deadEnd } = failure;
    const stops = {
      ...(handoff === undefined ? {} : { handoff }),
      ...(deadEnd === undefined ? {} : { deadEnd }),
    };
    return [{ id, title, ...stops, cause, fix: filledIn(failure, found, observed), evidence: found }];
  });
}

/** Evidence that still counts: once the guest runs, what went wrong on the way there is history. */
export function currentEvidence(observed: Observed): readonly Evidence[] {
  const all = evidenceOf(observed);
  const running = observed.vmi?.status?.phaseTransitionTimestamps?.find(({ phase }) => phase === 'Running');
  if (firstOpen(observed) !== undefined || observed.vmi?.status?.phase !== 'Running') return all;
  const since = Date.parse(running?.phaseTransitionTimestamp ?? '');
  return all.filter(({ source, atMs }) => {
    if (source === 'log') return false;
    return source !== 'event' || atMs === undefined || Number.isNaN(since) || atMs > since;
  });
}

const textOfEvidence = ({ reason, message }: Evidence): string => `${reason}: ${message}`;

function filledIn(failure: KnownFailure, evidence: Evidence, observed: Observed): string {
  const match = failure.pattern.exec(textOfEvidence(evidence));
  const declared = observed.vmi ?? observed.vm;
  const values: Readonly<Record<string, string | undefined>> = {
    name: declared?.metadata?.name,
    namespace: declared?.metadata?.namespace ?? 'default',
    node: observed.vmi?.status?.nodeName ?? observed.pod?.spec.nodeName ?? 'the node',
    pod: observed.pod?.metadata.name ?? 'POD',
    '1': match?.slice(1).find((group) => group !== undefined) ?? '',
  };
  return failure.fix.replace(
    /\{(name|namespace|node|pod|1)\}/g,
    (whole, key: string) => values[key] ?? whole,
  );
}
