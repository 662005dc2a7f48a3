import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../../testing/vmi.ts';

test('features are on when they are named, off when they say so', () => {
  const features = convertOf({
    features: { acpi: {}, apic: { enabled: false }, hyperv: { vapic: {}, relaxed: { enabled: false } } },
  }).features;
  assert.equal(features?.acpi, true);
  assert.equal(features?.apic, undefined);
  assert.deepEqual(features?.hyperv, { relaxed: { state: 'off' }, vapic: { state: 'on' } });
});
