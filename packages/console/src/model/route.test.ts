import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeOf, vmAddress } from './route.ts';

test('an address leads to a page, a VM and one of its tabs', () => {
  const nowhere = { page: '', namespace: '', name: '', tab: '' };
  assert.deepEqual(routeOf(''), nowhere);
  assert.deepEqual(routeOf('#/'), nowhere);
  assert.deepEqual(routeOf('#/nodes'), { ...nowhere, page: 'nodes' });
  const vm = { page: 'vm', namespace: 'default', name: 'hello', tab: 'console' };
  assert.deepEqual(routeOf('#/vm/default/hello/console'), vm);
});

test('an address and what it leads to are the same, whatever the names are', () => {
  for (const [namespace, name, tab] of [
    ['default', 'hello', ''],
    ['a', 'web.example', 'disks'],
    ['a', 'with/slash and %', 'way'],
  ] as const)
    assert.deepEqual(routeOf(vmAddress(namespace, name, tab)), { page: 'vm', namespace, name, tab });
});

test('an address that cannot be read breaks nothing', () => {
  assert.equal(routeOf('#/vm/%/x').namespace, '%');
});
