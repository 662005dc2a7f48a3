import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VMISpec } from '@podvisor/api';
import { locksMemory } from './locked-memory.ts';

type Domain = VMISpec['domain'];

const LOCKED: Readonly<Record<string, Partial<Domain>>> = {
  'it is asked for': { memory: { reservedOverhead: { memLock: 'Required' } } },
  'a device of the host': { devices: { hostDevices: [{ name: 'card', deviceName: 'vendor.com/card' }] } },
  'a GPU': { devices: { gpus: [{ name: 'gpu', deviceName: 'vendor.com/gpu' }] } },
  'a NIC of the host': { devices: { interfaces: [{ name: 'fast', sriov: {} }] } },
  'a realtime guest': { cpu: { dedicatedCpuPlacement: true, realtime: {} } },
  'encrypted memory': { launchSecurity: { sev: {} } },
};
const NOT_LOCKED: Readonly<Record<string, Partial<Domain>>> = {
  'nothing said': {},
  'not required': { memory: { reservedOverhead: { memLock: 'NotRequired', addedOverhead: '1Gi' } } },
  'an interface of the Pod': { devices: { interfaces: [{ name: 'default', masquerade: {} }] } },
};

for (const [cases, expected] of [
  [LOCKED, true],
  [NOT_LOCKED, false],
] as const)
  for (const [name, domain] of Object.entries(cases))
    test(`${name}: memory is ${expected ? '' : 'not '}locked`, () => {
      assert.equal(locksMemory({ domain: { devices: {}, ...domain } }), expected);
    });
