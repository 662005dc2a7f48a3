import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf, plainContext, vmiOf } from '../../testing/vmi.ts';
import { convertVmiToDomain } from '../convert.ts';

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

test('a TDX guest asks for quotes at the socket that was noted for it', () => {
  const service = (annotations: Record<string, string>): unknown =>
    convertVmiToDomain(vmiOf({ launchSecurity: { tdx: {} } }, {}, { annotations }), plainContext)
      .launchSecurity?.quoteGenerationService;
  assert.deepEqual(service({ 'kubevirt.io/qgs-socket-path': '/run/quotes.sock' }), {
    path: '/run/quotes.sock',
  });
  assert.deepEqual(service({}), {});
});
