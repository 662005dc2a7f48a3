import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataVolume } from '@podvisor/api';
import { volumeLine } from './preparations.ts';

const volume = (status: DataVolume['status']): DataVolume => ({ metadata: { name: 'd' }, spec: {}, status });

test('a disk on its way has a bar, a failing one its reason', () => {
  assert.equal(volumeLine(volume({})), undefined);
  assert.equal(
    volumeLine(volume({ phase: 'ImportInProgress', progress: '49.80%' }))?.text.trim(),
    'disk d: ImportInProgress [==========          ] 50 %',
  );
  assert.equal(
    volumeLine(volume({ phase: 'Succeeded', progress: '100.0%' }))?.text.trim(),
    'disk d: Succeeded',
  );
  const conditions = [{ type: 'Running', status: 'False', reason: 'Error', message: 'got 404' } as const];
  assert.equal(
    volumeLine(volume({ phase: 'ImportScheduled', progress: 'N/A', conditions }))?.text.trim(),
    'disk d: ImportScheduled: got 404',
  );
});

test('one line for ten percent', () => {
  const key = (progress: string): string | undefined =>
    volumeLine(volume({ phase: 'ImportInProgress', progress }))?.key;
  assert.equal(key('41.0%'), key('49.9%'));
  assert.notEqual(key('49.9%'), key('50.0%'));
});
