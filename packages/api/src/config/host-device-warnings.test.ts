import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostDeviceWarnings } from './host-device-warnings.ts';

const gpu = { pciVendorSelector: '10de:2342', resourceName: 'nvidia.com/GH100' };
const usb = { resourceName: 'example.com/key', selectors: [{ vendor: '46f4', product: '0001' }] };

test('a host device that no other plugin offers is told of when it comes, not again', () => {
  const set = { permittedHostDevices: { pciHostDevices: [gpu], usb: [usb] } };
  assert.deepEqual(
    hostDeviceWarnings(set, {}).map((warning) => warning.split(':')[0]),
    [
      'spec.configuration.permittedHostDevices.pciHostDevices[0]',
      'spec.configuration.permittedHostDevices.usb[0]',
    ],
  );
  assert.match(hostDeviceWarnings(set, {})[0] ?? '', /nvidia\.com\/GH100/);
  assert.deepEqual(hostDeviceWarnings({ ...set, cpuModel: 'host-model' }, set), []);
  const external = { pciHostDevices: [{ ...gpu, externalResourceProvider: true }] };
  assert.deepEqual(hostDeviceWarnings({ permittedHostDevices: external }, {}), []);
});
