import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { container, exited, observed, running, testPod, testRun } from '../testing/observed.ts';
import { podStatus } from './status.ts';
import { statusPatch, withLastWritten } from './status-writer.ts';
import type { ObservedPod } from './types.ts';

const NOW = Date.parse('2026-01-01T00:00:10Z');
const status = (pod: Pod, seen: ObservedPod) => podStatus(pod, seen, ['192.0.2.1'], NOW);
const condition = (pod: Pod, seen: ObservedPod, type: string) =>
  status(pod, seen).conditions?.find((c) => c.type === type);

test('phases', () => {
  const cases: readonly (readonly [string, Pod, ObservedPod, string])[] = [
    ['nothing yet', testPod(), observed([]), 'Pending'],
    ['running', testPod(), observed([testRun('main', running)]), 'Running'],
    [
      'crashed, will restart',
      testPod(),
      observed([testRun('main', exited(1, NOW, NOW - 1), { backoffLevel: 1 })]),
      'Running',
    ],
    ['done', testPod({ restartPolicy: 'Never' }), observed([testRun('main', exited(0))]), 'Succeeded'],
    ['failed', testPod({ restartPolicy: 'Never' }), observed([testRun('main', exited(3))]), 'Failed'],
    [
      'one of two left',
      testPod({ restartPolicy: 'Never', containers: [container('main'), container('b')] }),
      observed([testRun('main', exited(0)), testRun('b', running)]),
      'Running',
    ],
    [
      'init runs',
      testPod({ initContainers: [container('i')] }),
      observed([testRun('i', running)]),
      'Pending',
    ],
    [
      'init failed',
      testPod({ restartPolicy: 'Never', initContainers: [container('i')] }),
      observed([testRun('i', exited(1))]),
      'Failed',
    ],
    ['refused', testPod(), observed([], { rejected: { reason: 'OutOfcpu', message: '' } }), 'Failed'],
  ];
  for (const [name, pod, seen, phase] of cases) assert.equal(status(pod, seen).phase, phase, name);
});

test('states of containers', () => {
  const crashed = status(
    testPod(),
    observed([testRun('main', exited(1, NOW, NOW - 1), { attempt: 2, backoffLevel: 2 })]),
  ).containerStatuses?.[0];
  assert.equal(crashed?.state?.waiting?.reason, 'CrashLoopBackOff');
  assert.match(
    crashed?.state?.waiting?.message ?? '',
    /^back-off 20s restarting failed container=main pod=p_ns\(uid-1\)$/,
  );
  assert.equal(crashed?.lastState?.terminated?.exitCode, 1);
  assert.equal(crashed?.restartCount, 2);
  const withInit = testPod({ initContainers: [container('i')] });
  assert.equal(
    status(withInit, observed([testRun('i', running)])).containerStatuses?.[0]?.state?.waiting?.reason,
    'PodInitializing',
  );
  assert.equal(
    status(testPod(), observed([])).containerStatuses?.[0]?.state?.waiting?.reason,
    'ContainerCreating',
  );
});

test('Ready follows containers and readiness gates', () => {
  const gated = testPod({ readinessGates: [{ conditionType: 'kubevirt.io/virtual-machine-unpaused' }] });
  const seen = observed([testRun('main', running)]);
  assert.equal(condition(testPod(), seen, 'Ready')?.status, 'True');
  assert.equal(condition(gated, seen, 'ContainersReady')?.status, 'True');
  assert.equal(condition(gated, seen, 'Ready')?.reason, 'ReadinessGatesNotReady');
  const open = {
    ...gated,
    status: { conditions: [{ type: 'kubevirt.io/virtual-machine-unpaused', status: 'True' as const }] },
  };
  assert.equal(condition(open, seen, 'Ready')?.status, 'True');
  const unready = observed([testRun('main', running)], {
    probes: new Map([['main', { started: true, ready: false }]]),
  });
  assert.equal(condition(testPod(), unready, 'Ready')?.message, 'containers with unready status: [main]');
});

test('a second look at the same thing writes nothing', () => {
  const seen = observed([testRun('main', running)]);
  const first = status(testPod(), seen);
  const known = withLastWritten(testPod(), { status: first, resourceVersion: '5' });
  const again = podStatus(known, seen, ['192.0.2.1'], NOW + 60_000);
  assert.equal(statusPatch(known.status, again), undefined);
});

test('a condition that somebody changed after our write is put right', () => {
  const seen = observed([testRun('main', running)]);
  const written = { status: status(testPod(), seen), resourceVersion: '5' };
  const changed = (resourceVersion: string): Pod => ({
    ...testPod(),
    metadata: { ...testPod().metadata, resourceVersion },
    status: { conditions: [{ type: 'PodReadyToStartContainers', status: 'False' }] },
  });
  const patchAt = (version: string): string => {
    const known = withLastWritten(changed(version), written);
    return JSON.stringify(statusPatch(known.status, podStatus(known, seen, ['192.0.2.1'], NOW)));
  };
  assert.match(patchAt('6'), /PodReadyToStartContainers/);
  assert.equal(patchAt('4'), undefined, 'an old version of the Pod says nothing');
});

test('a patch holds what changed, and conditions of others are left alone', () => {
  const seen = observed([testRun('main', running)]);
  const before = {
    ...status(testPod(), observed([])),
    conditions: [{ type: 'other', status: 'True' as const }],
  };
  const patch = statusPatch(before, status(testPod(), seen));
  assert.deepEqual(Object.keys(patch ?? {}).toSorted(), ['conditions', 'containerStatuses', 'phase']);
  assert.ok(!JSON.stringify(patch).includes('other'));
});

test('an address that changed is taken out by name', () => {
  const patch = statusPatch({ podIPs: [{ ip: '1.1.1.1' }] }, { podIPs: [{ ip: '2.2.2.2' }] });
  assert.deepEqual(patch, { podIPs: [{ ip: '2.2.2.2' }, { ip: '1.1.1.1', $patch: 'delete' }] });
});

test('words that no longer apply are taken back', () => {
  const unready = {
    type: 'Ready',
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: 'no',
  } as const;
  const patch = statusPatch({ conditions: [unready] }, { conditions: [{ type: 'Ready', status: 'True' }] });
  assert.deepEqual(patch, { conditions: [{ type: 'Ready', status: 'True', reason: null, message: null }] });
});
