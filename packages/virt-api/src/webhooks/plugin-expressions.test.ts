import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expressionProblem } from './plugin-expressions.ts';

const cases: readonly [string, 'bool' | 'domain', RegExp | undefined][] = [
  ['vmi.spec.domain.cpu.cores > 0', 'bool', undefined],
  ['vmi.Name == "x" && has(vmi.Spec)', 'bool', undefined],
  ['true', 'bool', undefined],
  // Nothing is known of the fields of a VMI before it is there.
  ['vmi.Name', 'bool', undefined],
  ['"text"', 'bool', /must return bool, got string/],
  ['1 + 1', 'bool', /got int/],
  ['unknown > 1', 'bool', /Unknown variable/],
  ['invalid!!! condition', 'bool', /^compiling expression/],
  ['Domain{Title: "test"}', 'domain', undefined],
  ['Domain{Memory: DomainMemory{Value: 1, Unit: "GiB"}, Title: "a{b"}', 'domain', undefined],
  ['Domain{Title: vmi.Name}', 'domain', undefined],
  ['Domain{Memory: "not-a-struct"}', 'domain', /field 'Memory'/],
  ['Domain{Title: DomainMemory{}}', 'domain', /field 'Title'/],
  ['Domain{Nothing: 1}', 'domain', /undefined field 'Nothing'/],
  ['Domain{Title: }', 'domain', /^compiling expression/],
  ['"text"', 'domain', /must return Domain, got string/],
];

for (const [expression, result, problem] of cases) {
  test(`${result}: ${expression}`, () => {
    const found = expressionProblem(expression, result);
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found ?? '', problem);
  });
}
