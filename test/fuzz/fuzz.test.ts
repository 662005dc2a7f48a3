/**
 * Ten thousand hostile inputs for each parser, and every input that ever broke one. The same inputs in every run:
 * `./podvisor fuzz` makes new ones.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { casesOf, keptTargets } from './frame/cases.ts';
import { runTarget } from './frame/run.ts';
import { inputsFor, targets } from './targets/index.ts';

const INPUTS = 10_000;
const SEED = 20_261_115;

test('every input that once broke something is fed to a parser that there is', () => {
  assert.deepEqual(
    keptTargets().filter((name) => !Object.hasOwn(targets, name)),
    [],
  );
});

describe('hostile input', { concurrency: 2 }, () => {
  for (const target of Object.keys(targets)) {
    const options = { target, seed: SEED, seconds: 120 };
    const wanted = inputsFor(target, INPUTS);
    test(`${target}: ${wanted} inputs`, async () => {
      const { inputs, found } = await runTarget({ ...options, inputs: wanted });
      assert.deepEqual(told(found), []);
      assert.equal(inputs, wanted);
    });
    const cases = casesOf(target);
    if (cases.length > 0)
      test(`${target}: ${cases.length} inputs that once broke it`, async () => {
        const { found } = await runTarget({ ...options, inputs: 0, replay: cases.map(({ input }) => input) });
        assert.deepEqual(told(found), []);
      });
  }
});

/** Faults with their input, so that a failure can be repeated. */
function told(found: Awaited<ReturnType<typeof runTarget>>['found']): readonly string[] {
  return found.map(
    ({ fault, input }) =>
      `${fault.kind}: ${fault.words} for ${Buffer.from(input).toString('base64')}\n${fault.stack ?? ''}`,
  );
}
