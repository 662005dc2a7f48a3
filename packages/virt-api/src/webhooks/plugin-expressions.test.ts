import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExpressionUse } from '@podvisor/api';
import { expressionProblem } from './plugin-expressions.ts';

const cases: readonly [string, ExpressionUse, RegExp | undefined][] = [
  ['vmi.spec.domain.cpu.cores > 0', 'node condition', undefined],
  ['vmi.spec.domain.cpu.cores > 0', 'condition', /spec/],
  ['vmi.Spec.Domain.CPU.Cores > 0', 'condition', undefined],
  ['vmi.Spec.Domain.CPU.Cores > 0', 'node condition', /^CEL compilation failed: .*Spec/],
  ['domainSpec.Name == "x"', 'condition', undefined],
  ['domainSpec.Nothing == "x"', 'condition', /Nothing/],
  ['vmi.Name == "x" && has(vmi.Spec)', 'condition', undefined],
  ['true', 'condition', undefined],
  ['vmi.Name', 'condition', /must return bool, got string/],
  // Nothing is known of what is in a spec before it is there.
  ['vmi.Spec.Hostname', 'condition', undefined],
  ['"text"', 'condition', /must return bool, got string/],
  ['1 + 1', 'condition', /got int/],
  ['unknown > 1', 'condition', /Unknown variable/],
  ['invalid!!! condition', 'condition', /^compiling expression/],
  ['Domain{Title: "test"}', 'mutation', undefined],
  ['Domain{Memory: DomainMemory{Value: 1, Unit: "GiB"}, Title: "a{b"}', 'mutation', undefined],
  ['Domain{Title: vmi.Name}', 'mutation', undefined],
  ['Domain{Memory: "not-a-struct"}', 'mutation', /field 'Memory'/],
  ['Domain{Title: DomainMemory{}}', 'mutation', /field 'Title'/],
  ['Domain{Nothing: 1}', 'mutation', /undefined field 'Nothing'/],
  ['Domain{Title: }', 'mutation', /^compiling expression/],
  ['"text"', 'mutation', /must return Domain, got string/],
];

for (const [expression, result, problem] of cases) {
  test(`${result}: ${expression}`, () => {
    const found = expressionProblem(expression, result);
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found ?? '', problem);
  });
}
