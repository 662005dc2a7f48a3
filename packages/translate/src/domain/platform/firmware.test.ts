import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../../testing/vmi.ts';

const efi = { code: '/fw/CODE.fd', vars: '/fw/VARS.fd', secureLoader: true };

test('UEFI: flash with variables, or a ROM for measured guests', () => {
  const bootloader = { efi: {} };
  const os = convertOf({ firmware: { bootloader } }, {}, { efi }).os;
  assert.deepEqual(os?.loader, { readonly: 'yes', secure: 'yes', type: 'pflash', path: '/fw/CODE.fd' });
  assert.equal(os?.nvram?.path, '/var/run/kubevirt-private/libvirt/qemu/nvram/vm_VARS.fd');
  const measured = convertOf({ firmware: { bootloader }, launchSecurity: { tdx: {} } }, {}, { efi }).os;
  assert.deepEqual([measured?.loader?.type, measured?.nvram], ['rom', undefined]);
});

test('without a word about firmware files there is no loader: whoever looks for them tells what is missing', () => {
  const os = convertOf({ firmware: { bootloader: { efi: {} } } }).os;
  assert.deepEqual([os?.loader, os?.nvram], [undefined, undefined]);
});
