import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf, plainContext, vmiOf } from '../../testing/vmi.ts';
import { convertVmiToDomain } from '../convert.ts';

test('a context id that was given is used', () => {
  const vmi = { ...vmiOf(), status: { VSOCKCID: 7 } };
  assert.deepEqual(convertVmiToDomain(vmi, plainContext).devices?.vsock?.cid, { auto: 'no', address: '7' });
});

test('a USB device of the host needs a USB bus', () => {
  const usbModel = (type: 'usb' | 'pci'): string | undefined =>
    convertOf(
      {},
      {},
      { hostDevices: [{ mode: 'subsystem', type, managed: 'no', source: {} }] },
    ).devices?.controllers?.find((controller) => controller.type === 'usb')?.model;
  assert.deepEqual([usbModel('usb'), usbModel('pci')], ['qemu-xhci', 'none']);
});

test('a sound card that is not told is ICH9; one that nobody knows is an error', () => {
  const cards = (model?: string): unknown =>
    convertOf({ devices: { sound: { name: 'sound', ...(model === undefined ? {} : { model }) } } }).devices
      ?.sounds?.[0]?.model;
  assert.deepEqual([cards(), cards(''), cards('ac97')], ['ich9', 'ich9', 'ac97']);
  assert.throws(() => cards('gus'), /^ConversionError: invalid model: gus$/);
});
