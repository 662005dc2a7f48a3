import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from '@podvisor/api';
import { domainState, vmiOf } from '../../testing/objects.ts';
import { withReadyAtStart } from './ready-with-running.ts';

const NOW = '2026-01-01T00:01:00Z';
const notYet = {
  type: 'Ready',
  status: 'False',
  reason: 'GuestNotRunning',
  message: 'Guest VM is not reported as running',
};
const other = { type: 'LiveMigratable', status: 'True' };

function podWith(status: Pod['status'], metadata: Pod['metadata'] = {}): Pod {
  return { metadata, spec: { containers: [] }, status };
}

const readyPod = podWith({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });

const ready = (
  pod: Pod | undefined,
  phase = 'Scheduled',
  domain: Parameters<typeof domainState>[0] = {},
): unknown => withReadyAtStart([notYet, other], vmiOf({ phase }), pod, domainState(domain), NOW);

describe('Ready in the write of Running', () => {
  test('the Pod is Ready: so is the VMI, in place, without what was missing before', () => {
    assert.deepEqual(ready(readyPod), [{ type: 'Ready', status: 'True', lastTransitionTime: NOW }, other]);
  });

  test('what the Pod says of it is said of the VMI', () => {
    const condition = { type: 'Ready', status: 'True', reason: 'r', message: 'm' } as const;
    assert.deepEqual(ready(podWith({ phase: 'Running', conditions: [condition] })), [
      { ...condition, lastTransitionTime: NOW },
      other,
    ]);
  });

  test('a VMI without the condition gets it', () => {
    assert.deepEqual(withReadyAtStart([], vmiOf({ phase: 'Scheduled' }), readyPod, domainState({}), NOW), [
      { type: 'Ready', status: 'True', lastTransitionTime: NOW },
    ]);
  });

  for (const [what, conditions] of [
    ['no Pod is seen', ready(undefined)],
    ['the VMI runs already: that is the word of virt-controller', ready(readyPod, 'Running')],
    ['the guest starts paused', ready(readyPod, 'Scheduled', { state: 'Paused' })],
    [
      'a probe has not passed',
      ready(podWith({ phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] })),
    ],
    ['the kubelet has not told yet', ready(podWith({ phase: 'Running' }))],
    ['the Pod has ended', ready(podWith({ ...readyPod.status, phase: 'Failed' }))],
    ['the Pod goes', ready(podWith(readyPod.status, { deletionTimestamp: NOW }))],
  ] as const)
    test(`nothing is said: ${what}`, () => {
      assert.deepEqual(conditions, [notYet, other]);
    });
});
