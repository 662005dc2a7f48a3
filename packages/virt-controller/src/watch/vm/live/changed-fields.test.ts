import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VMISpec, VMSpec } from '@podvisor/api';
import { changedFields, describeChanges } from './changed-fields.ts';

const vm = (spec: object, more: object = {}): VMSpec => ({
  ...more,
  template: { spec: { domain: { devices: {} }, ...spec } as VMISpec },
});

const told = (before: VMSpec, after: VMSpec): string => describeChanges(changedFields(before, after, true));

test('a changed field is told with its old and new value', () => {
  assert.equal(
    told(vm({ hostname: 'old' }), vm({ hostname: 'new' })),
    'spec.template.spec.hostname (was "old", now "new")',
  );
  assert.equal(told(vm({}), vm({ subdomain: 'x' })), 'spec.template.spec.subdomain (was unset, now "x")');
});

test('items of lists go by their names', () => {
  const disks = (bus: string): object => ({
    domain: { devices: { disks: [{ name: 'root', disk: { bus } }, { name: 'data' }] } },
  });
  assert.equal(
    told(vm(disks('sata')), vm(disks('virtio'))),
    'spec.template.spec.domain.devices.disks[root].disk.bus (was "sata", now "virtio")',
  );
});

test('what is followed live is not told, nor what may be a secret', () => {
  assert.equal(told(vm({ nodeSelector: { a: 'b' } }), vm({ nodeSelector: { a: 'c' } })), '');
  const cloudInit = (userData: string): object => ({
    volumes: [{ name: 'init', cloudInitNoCloud: { userData } }],
  });
  assert.equal(
    told(vm(cloudInit('password: old')), vm(cloudInit('password: new'))),
    'spec.template.spec.volumes[init].cloudInitNoCloud.userData',
  );
});

test('many changes are counted, long values cut', () => {
  const all = told(vm({}), vm({ a: 'x'.repeat(200), b: 1, c: 2, d: 3, e: 4 }));
  assert.match(all, /^spec\.template\.spec\.a \(was unset, now "x{59}…\), .*, 2 more$/);
});

test('another instance type is a change', () => {
  assert.equal(
    told(vm({}, { instancetype: { name: 'small' } }), vm({}, { instancetype: { name: 'large' } })),
    'spec.instancetype.name (was "small", now "large")',
  );
});
