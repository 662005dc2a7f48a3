import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdUpOf } from './hold-up.ts';

const event = (type: string, message: string, lastTimestamp: string) => ({ type, message, lastTimestamp });
const bound = { type: 'Bound', status: 'False', message: 'PVC x Pending' };

test('a condition that says why comes before events, and those before the phase of the claim', () => {
  const running = { type: 'Running', status: 'False', message: 'no node' };
  const events = [
    event('Warning', 'first', '2026-01-01T00:00:01Z'),
    event('Warning', 'exceeded quota', '2026-01-01T00:00:03Z'),
    event('Normal', 'ExternalProvisioning', '2026-01-01T00:00:04Z'),
  ];
  assert.equal(holdUpOf({ status: { conditions: [bound, running] } }, events), 'no node');
  const silent = { ...running, message: '' };
  assert.equal(holdUpOf({ status: { conditions: [bound, silent] } }, events), 'exceeded quota');
  assert.equal(holdUpOf({ status: { conditions: [bound, silent] } }, []), 'PVC x Pending');
});

test('a claim of its own says its phase, and nothing when it is bound', () => {
  const claim = (phase: string) => ({
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'x' },
    status: { phase },
  });
  assert.equal(holdUpOf(claim('Pending'), []), 'PVC x Pending');
  assert.equal(holdUpOf(claim('Bound'), []), undefined);
  assert.equal(holdUpOf({}, []), undefined);
});
