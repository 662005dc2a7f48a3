import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../../testing/vmi.ts';

test('a headless VMI has neither VNC nor display, and none of a console without one', () => {
  const devices = convertOf({
    devices: { autoattachGraphicsDevice: false, autoattachSerialConsole: false, autoattachMemBalloon: false },
  }).devices;
  assert.deepEqual([devices?.graphics, devices?.videos, devices?.serials], [undefined, undefined, undefined]);
  assert.deepEqual(devices?.memoryBalloon, { model: 'none' });
});
