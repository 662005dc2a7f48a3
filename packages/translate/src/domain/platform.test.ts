/** Firmware, features, clock, memory and the small devices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../testing/vmi.ts';

const efi = { code: '/fw/CODE.fd', vars: '/fw/VARS.fd', secureLoader: true };

test('UEFI: flash with variables, or a ROM for measured guests', () => {
  const bootloader = { efi: {} };
  const os = convertOf({ firmware: { bootloader } }, {}, { efi }).os;
  assert.deepEqual(os?.loader, { readonly: 'yes', secure: 'yes', type: 'pflash', path: '/fw/CODE.fd' });
  assert.equal(os?.nvram?.path, '/var/run/kubevirt-private/libvirt/qemu/nvram/vm_VARS.fd');
  const measured = convertOf({ firmware: { bootloader }, launchSecurity: { tdx: {} } }, {}, { efi }).os;
  assert.deepEqual([measured?.loader?.type, measured?.nvram], ['rom', undefined]);
});

test('UEFI without firmware is an error, never a silent BIOS', () => {
  assert.throws(() => convertOf({ firmware: { bootloader: { efi: {} } } }), /no UEFI firmware/);
});

test('features are on when they are named, off when they say so', () => {
  const features = convertOf({
    features: { acpi: {}, apic: { enabled: false }, hyperv: { vapic: {}, relaxed: { enabled: false } } },
  }).features;
  assert.equal(features?.acpi, true);
  assert.equal(features?.apic, undefined);
  assert.deepEqual(features?.hyperv, { relaxed: { state: 'off' }, vapic: { state: 'on' } });
});

test('the clock is reset to UTC, or shifted, or in a time zone', () => {
  assert.deepEqual(convertOf({ clock: { utc: {} } }).clock, { offset: 'utc', adjustment: 'reset' });
  assert.deepEqual(convertOf({ clock: { utc: { offsetSeconds: 60 } } }).clock, {
    offset: 'utc',
    adjustment: '60',
  });
  assert.deepEqual(convertOf({ clock: { timezone: 'Europe/Berlin' } }).clock, {
    offset: 'timezone',
    timezone: 'Europe/Berlin',
  });
  assert.equal(convertOf().clock, undefined);
});

test('guest memory, else the request, else the limit', () => {
  const memory = (domain: Parameters<typeof convertOf>[0]): number | undefined =>
    convertOf(domain).memory?.value;
  assert.equal(memory({ memory: { guest: '1Gi' }, resources: { requests: { memory: '2Gi' } } }), 2 ** 30);
  assert.equal(memory({ resources: { requests: { memory: '64M' } } }), 64_000_000);
  assert.equal(memory({ resources: { limits: { memory: '1Mi' } } }), 2 ** 20);
});

test('shared memory needs a NUMA cell to hang on', () => {
  const domain = convertOf({
    memory: { guest: '1Gi' },
    devices: { filesystems: [{ name: 'fs', virtiofs: {} }] },
  });
  assert.deepEqual(domain.memoryBacking, { source: { type: 'memfd' }, access: { mode: 'shared' } });
  assert.deepEqual(domain.cpu?.numa?.cells, [{ id: '0', cpus: '0-0', memory: 1048576, unit: 'KiB' }]);
});

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

test('a headless VMI has neither VNC nor display, and none of a console without one', () => {
  const devices = convertOf({
    devices: { autoattachGraphicsDevice: false, autoattachSerialConsole: false, autoattachMemBalloon: false },
  }).devices;
  assert.deepEqual([devices?.graphics, devices?.videos, devices?.serials], [undefined, undefined, undefined]);
  assert.deepEqual(devices?.memoryBalloon, { model: 'none' });
});

test('a tablet is the only input that can be asked for', () => {
  assert.throws(
    () => convertOf({ devices: { inputs: [{ name: 'k', type: 'keyboard' }] } }),
    /unsupported type keyboard/,
  );
});
