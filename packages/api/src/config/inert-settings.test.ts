import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inertWarnings } from './inert-settings.ts';

test('a setting without effect is told of when it is set, not again with each change of another', () => {
  const set = { supportedGuestAgentVersions: ['2.*'], developerConfiguration: { minimumReservePVCBytes: 1 } };
  assert.deepEqual(
    inertWarnings(set, {}).map((warning) => warning.split(':')[0]),
    [
      'spec.configuration.developerConfiguration.minimumReservePVCBytes has no effect',
      'spec.configuration.supportedGuestAgentVersions has no effect',
    ],
  );
  assert.deepEqual(inertWarnings({ ...set, cpuModel: 'host-model' }, set), []);
  assert.deepEqual(inertWarnings({ cpuModel: 'host-model' }, {}), []);
});
