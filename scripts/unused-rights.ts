/**
 * After a whole run of the tests: what the components of all its homes asked of their API servers, against the lists of
 * their rights. A right that was used and is in no list fails the run. So does one that is in a list, was not used, and
 * that unrecorded-rights.ts says nothing of: there stand those that no test uses and those whose use depends on time.
 * An entry there that says that no test uses the right is told when one does.
 */
import { compareRights } from '../packages/cluster/src/bootstrap-objects/testing/compare-rights.ts';
import { recordedRights } from '../packages/cluster/src/bootstrap-objects/testing/record-rights.ts';

export interface RightsVerdict {
  /** A line for each. */
  readonly failures: readonly string[];
  /** What somebody should do when he is there next. */
  readonly hints: readonly string[];
}

/** `isWhole`: every test has passed. What did not run has used nothing, so that nothing is said of unused rights then. */
export function judgeRights(isWhole: boolean, recording = recordedRights()): RightsVerdict {
  const { missing, outdated } = compareRights(recording);
  const failures = missing.map((right) => `used and granted by no list: ${right}`);
  if (!isWhole) return { failures, hints: [] };
  const { unexplained } = compareRights([...recording, ...recording.flatMap(watchBehind)]);
  return {
    failures: [
      ...failures,
      ...unexplained.map(
        (right) =>
          `granted and not used (take it away, or say when it is used in unrecorded-rights.ts): ${right}`,
      ),
    ],
    hints: outdated.map((right) => `used after all (take it out of UNRECORDED_RIGHTS): ${right}`),
  };
}

/** A watch is noted when it ends, and most homes end before that: whoever has listed to watch has used both. */
function watchBehind(line: string): readonly string[] {
  const [user, verb, ...rest] = line.split(' ');
  return verb === 'list' ? [[user, 'watch', ...rest].join(' ')] : [];
}
