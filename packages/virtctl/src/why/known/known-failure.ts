/** The shape of an entry in the catalogue of known failures. */
import type { Source } from '../observed.ts';

/** `lasting`: it may pass (something is tried again, or comes late), and counts when it is still there some seconds later. */
export type DeadEnd = 'at once' | 'lasting';

export interface KnownFailure {
  readonly id: string;
  readonly title: string;
  /** The handoff that does not happen; absent for trouble of a running guest. */
  readonly handoff?: number;
  /** Evidence to look at. */
  readonly where: readonly Source[];
  /** Matched against `reason: message`. */
  readonly pattern: RegExp;
  readonly cause: string;
  /** `{name}`, `{namespace}`, `{node}`, `{pod}` and `{1}` (first group of the pattern) are filled in. */
  readonly fix: string;
  /** Somebody has to change something, and `podvisor up` ends with it. */
  readonly deadEnd?: DeadEnd;
}
