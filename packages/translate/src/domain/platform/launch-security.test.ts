import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../../testing/vmi.ts';

test('encrypted guests reach virtio through the IOMMU', () => {
  const domain = convertOf({
    devices: { rng: {} },
    launchSecurity: { sev: { policy: { encryptedState: true } } },
  });
  assert.equal(domain.launchSecurity?.policy, '0x5');
  assert.deepEqual(
    [domain.devices?.rng?.driver, domain.devices?.memoryBalloon?.driver],
    [{ iommu: 'on' }, { iommu: 'on' }],
  );
});
