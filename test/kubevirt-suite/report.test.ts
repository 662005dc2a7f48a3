import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SuiteReport, specsOf, totalLine } from './report.ts';

const it = (LeafNodeText: string, State: string, Failure?: object): object => ({
  LeafNodeType: 'It',
  ContainerHierarchyTexts: ['[sig-compute] VM'],
  LeafNodeText,
  State,
  RunTime: 1.5e9,
  ...(Failure === undefined ? {} : { Failure }),
});

const reports = (...SpecReports: object[]): readonly SuiteReport[] => [{ SpecReports } as SuiteReport];

test('specs are named by their containers, failures by their first lines and place', () => {
  const failure = {
    Message: 'Timed out after 90.001s.\n\nExpected\n    <bool>: false\nto be true\n',
    Location: { FileName: 'kubevirt.io/kubevirt/tests/vm_test.go', LineNumber: 331 },
  };
  const specs = specsOf(reports(it('starts', 'passed'), it('stops', 'failed', failure)));
  assert.deepEqual(specs, [
    { name: '[sig-compute] VM starts', verdict: 'passed', seconds: 1.5, why: '' },
    {
      name: '[sig-compute] VM stops',
      verdict: 'failed',
      seconds: 1.5,
      why: 'Timed out after 90.001s. | Expected | <bool>: false (tests/vm_test.go:331)',
    },
  ]);
  assert.equal(totalLine(specs), '1 passed, 1 failed, 0 skipped');
});

test('what a filter left out does not count, what a spec itself skips does, with its reason', () => {
  const specs = specsOf(
    reports(it('a', 'skipped'), it('b', 'pending'), it('c', 'skipped', { Message: 'needs KVM' })),
  );
  assert.deepEqual(
    specs.map(({ name, why }) => [name, why]),
    [['[sig-compute] VM c', 'needs KVM']],
  );
});

test('panics, time-outs and interruptions are failures', () => {
  const states = ['panicked', 'timedout', 'interrupted', 'aborted'];
  const specs = specsOf(reports(...states.map((state) => it(state, state))));
  assert.equal(totalLine(specs), '0 passed, 4 failed, 0 skipped');
});

test('a set-up that fails is one failure, one that passes is none of the specs', () => {
  const step = (State: string): object => ({
    LeafNodeType: 'SynchronizedBeforeSuite',
    LeafNodeText: '',
    State,
    RunTime: 0,
    Failure: { Message: 'no schedulable nodes' },
  });
  assert.equal(totalLine(specsOf(reports(step('passed')))), '0 passed, 0 failed, 0 skipped');
  const [spec] = specsOf(reports(step('failed')));
  assert.equal(spec?.name, 'SynchronizedBeforeSuite');
  assert.equal(spec?.verdict, 'failed');
});
