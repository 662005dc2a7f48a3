import assert from 'node:assert/strict';
import { test } from 'node:test';
import { container, exited, observed, running, testPod, testRun } from '../testing/observed.ts';
import { plan, restartAtMs } from './plan.ts';
import { backedOff, pullFailed } from './pull-back-off.ts';
import type { ContainerProblem } from './types.ts';

const NOW = 100_000;

/** Kind and container of each action. */
function told(...args: Parameters<typeof plan>): string[] {
  return plan(...args).map((a) => {
    if (a.kind === 'run') return `run ${a.container.name} ${a.attempt}`;
    if (a.kind === 'stop' || a.kind === 'kill') return `${a.kind} ${a.run.record.name}`;
    return a.kind === 'wait' ? `wait ${a.untilMs}` : a.kind;
  });
}

test('a new Pod is set up, then its containers run all at once', () => {
  const pod = testPod({ containers: [container('a'), container('b')] });
  assert.deepEqual(told(pod, observed([], { sandbox: { kind: 'absent', ips: [] } }), NOW), ['setUp']);
  assert.deepEqual(told(pod, observed([]), NOW), ['run a 0', 'run b 0']);
  assert.deepEqual(told(pod, observed([testRun('a', running)]), NOW), ['run b 0']);
});

test('a container that a crash left half made is made again under its number', () => {
  assert.deepEqual(told(testPod(), observed([testRun('main', { kind: 'creating' }, { attempt: 3 })]), NOW), [
    'run main 3',
  ]);
});

test('restart policies', () => {
  const cases = [
    ['Always', 0, ['run main 1']],
    ['Always', 1, ['run main 1']],
    ['OnFailure', 0, ['tearDown']],
    ['OnFailure', 1, ['run main 1']],
    ['Never', 0, ['tearDown']],
    ['Never', 1, ['tearDown']],
  ] as const;
  for (const [restartPolicy, code, expected] of cases) {
    const actions = told(testPod({ restartPolicy }), observed([testRun('main', exited(code))]), NOW);
    assert.deepEqual(actions, expected, `${restartPolicy} ${code}`);
  }
});

test('delays before restarts double from 10 s to 5 minutes and begin anew after a long run', () => {
  const at = (backoffLevel: number, ranMs = 0): number =>
    restartAtMs(testRun('main', exited(1, ranMs + 1000, 1000), { backoffLevel })) - ranMs - 1000;
  assert.equal(restartAtMs(testRun('main', exited(1))), 0);
  assert.deepEqual(
    [1, 2, 3, 9].map((level) => at(level)),
    [10_000, 20_000, 40_000, 300_000],
  );
  assert.ok(at(9, 600_000) < 0);
});

test('init containers run in order; a failed one is tried again, or ends the Pod', () => {
  const pod = testPod({ initContainers: [container('i1'), container('i2')] });
  assert.deepEqual(told(pod, observed([]), NOW), ['run i1 0']);
  assert.deepEqual(told(pod, observed([testRun('i1', running)]), NOW), []);
  assert.deepEqual(told(pod, observed([testRun('i1', exited(0))]), NOW), ['run i2 0']);
  assert.deepEqual(told(pod, observed([testRun('i1', exited(1))]), NOW), ['run i1 1']);
  assert.deepEqual(
    told(
      { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } },
      observed([testRun('i1', exited(1))]),
      NOW,
    ),
    ['tearDown'],
  );
  assert.deepEqual(told(pod, observed([testRun('i1', exited(0)), testRun('i2', exited(0))]), NOW), [
    'run main 0',
  ]);
});

test('a sidecar must have started before the next container, and is restarted beside it', () => {
  const pod = testPod({ initContainers: [container('side', { restartPolicy: 'Always' })] });
  const notYet = new Map([['side', { started: false, ready: false }]]);
  assert.deepEqual(told(pod, observed([testRun('side', running)], { probes: notYet }), NOW), []);
  assert.deepEqual(told(pod, observed([testRun('side', running)]), NOW), ['run main 0']);
  assert.deepEqual(told(pod, observed([testRun('side', exited(1)), testRun('main', running)]), NOW), [
    'run side 1',
  ]);
});

test('when the main containers are done, sidecars end in reverse order', () => {
  const initContainers = [
    container('s1', { restartPolicy: 'Always' }),
    container('s2', { restartPolicy: 'Always' }),
  ];
  const pod = testPod({ restartPolicy: 'Never', initContainers });
  const runs = [testRun('s1', running), testRun('s2', running), testRun('main', exited(0))];
  assert.deepEqual(told(pod, observed(runs), NOW), ['stop s2']);
});

test('deletion: stop, wait, kill, tear down, forget', () => {
  const pod = testPod({}, { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 });
  const stopping = (sinceMs: number) => ({
    stopping: { sinceMs, killAtMs: sinceMs + 5000, reason: 'Killing' },
  });
  assert.deepEqual(told(pod, observed([testRun('main', running)]), NOW), ['stop main']);
  assert.deepEqual(told(pod, observed([testRun('main', running, stopping(NOW - 1000))]), NOW), [
    'wait 104000',
  ]);
  assert.deepEqual(told(pod, observed([testRun('main', running, stopping(NOW - 5000))]), NOW), ['kill main']);
  assert.deepEqual(told(pod, observed([testRun('main', exited(0))]), NOW), ['tearDown']);
  assert.deepEqual(told(pod, observed([testRun('main', { kind: 'creating' })]), NOW), ['tearDown']);
  assert.deepEqual(told(pod, observed([testRun('main', exited(0))], { tornDown: true }), NOW), ['forget']);
});

test('a second deletion may shorten the grace period', () => {
  const pod = testPod({}, { deletionTimestamp: 'x', deletionGracePeriodSeconds: 0 });
  const stopping = { stopping: { sinceMs: NOW - 1, killAtMs: NOW + 30_000, reason: 'Killing' } };
  assert.deepEqual(told(pod, observed([testRun('main', running, stopping)]), NOW), ['kill main']);
});

test('a container whose liveness probe gave up is stopped', () => {
  const probes = new Map([['main', { started: true, ready: false, failed: 'no answer' }]]);
  assert.deepEqual(told(testPod(), observed([testRun('main', running)], { probes }), NOW), ['stop main']);
});

test('problems are waited out', () => {
  const problem = { reason: 'ErrImagePull', message: 'm', retryAtMs: NOW + 500, failures: 1 };
  assert.deepEqual(told(testPod(), observed([], { problems: new Map([['main', problem]]) }), NOW), [
    'wait 100500',
  ]);
  const absent = observed([], { sandbox: { kind: 'absent', ips: [] }, setUpProblem: problem });
  assert.deepEqual(told(testPod(), absent, NOW), ['wait 100500']);
  assert.deepEqual(told(testPod(), absent, NOW + 500), ['setUp']);
});

test('the failure to pull an image is told for a while, then the wait for the next try', () => {
  const failed = pullFailed(undefined, 'r.io/x:1', 'no route', NOW);
  const of = (problem: ContainerProblem) => observed([], { problems: new Map([['main', problem]]) });
  assert.equal(failed.reason, 'ErrImagePull');
  assert.deepEqual(told(testPod(), of(failed), NOW), [`wait ${NOW + 5000}`]);
  assert.deepEqual(plan(testPod(), of(failed), NOW + 5000), [{ kind: 'backOff', container: 'main' }]);
  const waiting = backedOff(failed);
  assert.equal(waiting.reason, 'ImagePullBackOff');
  assert.equal(waiting.message, 'Back-off pulling image "r.io/x:1": ErrImagePull: no route');
  assert.deepEqual(told(testPod(), of(waiting), NOW + 5000), [`wait ${failed.retryAtMs}`]);
  assert.deepEqual(told(testPod(), of(waiting), failed.retryAtMs), ['run main 0']);
  const again = pullFailed(waiting, 'r.io/x:1', 'no route', failed.retryAtMs);
  assert.equal(again.reason, 'ErrImagePull');
  assert.ok(again.retryAtMs - failed.retryAtMs > failed.retryAtMs - NOW);

  const absent = observed([], { sandbox: { kind: 'absent', ips: [] }, setUpProblem: failed });
  assert.deepEqual(plan(testPod(), absent, NOW + 5000), [{ kind: 'backOff' }]);
});

test('a Pod that ended stays as it is', () => {
  const pod = { ...testPod({ restartPolicy: 'Never' }), status: { phase: 'Succeeded' as const } };
  assert.deepEqual(
    told(pod, observed([], { tornDown: true, sandbox: { kind: 'absent', ips: [] } }), NOW),
    [],
  );
});

test('the deadline ends a Pod', () => {
  const pod = {
    ...testPod({ activeDeadlineSeconds: 10 }),
    status: { startTime: new Date(NOW - 10_000).toISOString() },
  };
  assert.deepEqual(told(pod, observed([testRun('main', running)]), NOW), ['reject']);
  assert.deepEqual(told(pod, observed([testRun('main', running)]), NOW - 1), [`wait ${NOW}`]);
});
