import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pluggedVmi } from './plugged-vmi.ts';

const request = { namespace: 'ns', name: 'vm' };
const requests = [{ removeVolumeOptions: { name: 'v' } }];

/** What is found for a VM of this status, while a VMI with this metadata exists. */
const found = async (status: object, metadata: object = {}): Promise<boolean> =>
  (await pluggedVmi({ status } as never, request, { findVmi: async () => ({ metadata }) as never })) !==
  undefined;

test('requests to plug are about a guest that is ready and stays', async () => {
  assert.equal(await found({ ready: true, volumeRequests: requests }), true);
  assert.equal(await found({ ready: true }), false);
  assert.equal(await found({ ready: false, volumeRequests: requests }), false);
  assert.equal(
    await found({ ready: true, volumeRequests: requests }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    false,
  );
});
