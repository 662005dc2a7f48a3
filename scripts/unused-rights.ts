/**
 * After a whole run of the tests: what the components of all its homes asked of their API servers, against the lists of
 * their rights. A right that was used and is in no list fails the run. One that is in a list, was not used, and that
 * unrecorded-rights.ts says nothing of, is told; when three runs in a row did not use it, it fails: one run may miss
 * what depends on time. build/unused-rights.json remembers, as build/flaky.json does of tests.
 */
import { join } from 'node:path';
import {
  compareRights,
  GRANTED,
  textOf,
} from '../packages/cluster/src/bootstrap-objects/testing/compare-rights.ts';
import { recordedRights } from '../packages/cluster/src/bootstrap-objects/testing/record-rights.ts';
import { nextHistory, readHistory, tooFlaky, writeHistory } from './flaky-history.ts';

const HISTORY = join(import.meta.dirname, '../build/unused-rights.json');

export interface RightsVerdict {
  /** A line for each. */
  readonly failures: readonly string[];
  /** What this run did not use, and an earlier one may have. */
  readonly unused: readonly string[];
}

/** `isWhole`: every test has passed. What did not run has used nothing, so that nothing is said of unused rights then. */
export function judgeRights(
  isWhole: boolean,
  { recording = recordedRights(), history = HISTORY } = {},
): RightsVerdict {
  const { missing, unexplained } = compareRights(recording);
  const failures = missing.map((right) => `used and granted by no list: ${right}`);
  if (!isWhole) return { failures, unused: [] };
  const all = GRANTED.map(textOf);
  const next = nextHistory(readHistory(history), all, new Set(unexplained));
  writeHistory(history, next);
  const never = tooFlaky(next, all).map(([right, runs]) => `granted and not used in ${runs} runs: ${right}`);
  return { failures: [...failures, ...never], unused: unexplained };
}
