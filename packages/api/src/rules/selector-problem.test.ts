import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectorProblem } from './selector-problem.ts';

const of = (operator: string, values?: readonly string[], key = 'a'): string | undefined =>
  selectorProblem({ matchExpressions: [{ key, operator: operator as never, values }] });

test('a selector that Kubernetes can read has no problem', () => {
  assert.equal(selectorProblem(undefined), undefined);
  assert.equal(selectorProblem({ matchLabels: { a: 'b', 'x.io/y': '' } }), undefined);
  assert.equal(of('In', ['b']), undefined);
  assert.equal(of('Exists'), undefined);
});

test('one that it cannot read is told in its words', () => {
  assert.equal(of('Bad', ['b']), '"Bad" is not a valid label selector operator');
  assert.equal(
    of('Exists', ['b']),
    'values: Invalid value: ["b"]: values set must be empty for exists and does not exist',
  );
  assert.match(of('In', []) ?? '', /^values: Invalid value: \[\]: for 'in', 'notin' operators/);
  assert.match(of('In', ['b'], 'bad key') ?? '', /^key: Invalid value: "bad key": name part must consist/);
  assert.match(
    selectorProblem({ matchLabels: { a: 'no blanks' } }) ?? '',
    /^values\[0\]\[a\]: Invalid value/,
  );
});
