import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VMISpec } from '@podvisor/api';
import { hostDevicesFromEnvironment } from './host-device-environment.ts';

const spec = (devices: VMISpec['domain']['devices']): VMISpec => ({ domain: { devices } });
const address = (bus: string): object => ({
  type: 'pci',
  domain: '0x0000',
  bus: `0x${bus}`,
  slot: '0x00',
  function: '0x0',
});

test('each guest device takes one of the PCI devices that its resource was given', () => {
  const hostDevices = [
    { name: 'a', deviceName: 'example.com/nvme-x' },
    { name: 'b', deviceName: 'example.com/nvme-x' },
  ];
  const env = { PCI_RESOURCE_EXAMPLE_COM_NVME_X: '0000:03:00.0,0000:04:00.0' };
  const found = hostDevicesFromEnvironment(spec({ hostDevices }), env).hostDevices;
  assert.deepEqual(
    found.map(({ alias, source }) => [alias?.name, source?.address]),
    [
      ['ua-hostdevice-a', address('03')],
      ['ua-hostdevice-b', address('04')],
    ],
  );
});

test('USB devices of a resource go to their guest device together', () => {
  const hostDevices = [{ name: 'key', deviceName: 'example.com/key' }];
  const found = hostDevicesFromEnvironment(spec({ hostDevices }), {
    USB_RESOURCE_EXAMPLE_COM_KEY: '1:5,1:6',
  });
  assert.deepEqual(
    found.hostDevices.map(({ type, alias, source }) => [type, alias?.name, source?.address]),
    [
      ['usb', 'ua-hostdevice-key', { bus: '1', device: '5' }],
      ['usb', 'ua-hostdevice-key-1', { bus: '1', device: '6' }],
    ],
  );
});

test('a virtual GPU has a display unless the spec says no', () => {
  const gpu = { name: 'gpu', deviceName: 'nvidia.com/grid' };
  const env = { MDEV_PCI_RESOURCE_NVIDIA_COM_GRID: '2f3a4b5c-0000-4000-8000-000000000002' };
  const displayOf = (more: object): readonly unknown[] => {
    const [found] = hostDevicesFromEnvironment(spec({ gpus: [{ ...gpu, ...more }] }), env).gpus;
    return [found?.type, found?.model, found?.display, found?.ramfb];
  };
  assert.deepEqual(displayOf({}), ['mdev', 'vfio-pci', 'on', 'on']);
  assert.deepEqual(displayOf({ virtualGPUOptions: { display: { enabled: false } } }), [
    'mdev',
    'vfio-pci',
    undefined,
    undefined,
  ]);
});

test('a device that the Pod was not given, and a value that is no address, are told by field', () => {
  const hostDevices = [{ name: 'a', deviceName: 'example.com/x' }];
  assert.throws(
    () => hostDevicesFromEnvironment(spec({ hostDevices }), {}),
    /no device of example\.com\/x was given/,
  );
  for (const env of [{ PCI_RESOURCE_EXAMPLE_COM_X: '../3' }, { USB_RESOURCE_EXAMPLE_COM_X: '1:5/..' }])
    assert.throws(() => hostDevicesFromEnvironment(spec({ hostDevices }), env), /failed to parse/);
});
