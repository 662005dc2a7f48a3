import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventAt, isAboutVm, vmOfEvent } from './events.ts';

test('events of a VM, its VMI and its launchers lead to it, those of another do not', () => {
  const launcher = { kind: 'Pod', name: 'virt-launcher-web-1-x7k2p', namespace: 'a' };
  assert.equal(vmOfEvent(launcher), 'web-1');
  assert.equal(vmOfEvent({ kind: 'VirtualMachineInstance', name: 'web' }), 'web');
  assert.equal(vmOfEvent({ kind: 'Pod', name: 'nginx' }), undefined);
  assert.equal(vmOfEvent({ kind: 'Node', name: 'node-1' }), undefined);
  assert.equal(vmOfEvent(undefined), undefined);
  assert.ok(isAboutVm(launcher, 'web-1'));
  assert.ok(!isAboutVm(launcher, 'web'), 'a VM whose name begins alike');
  assert.ok(isAboutVm({ kind: 'VirtualMachine', name: 'web' }, 'web'));
});

test('an event has its time in whatever field it stands', () => {
  assert.equal(eventAt({ eventTime: '2' }), '2');
  assert.equal(eventAt({ lastTimestamp: '1', eventTime: '2' }), '1');
  assert.equal(eventAt({ metadata: { creationTimestamp: '3' } }), '3');
  assert.equal(eventAt({}), '');
});
