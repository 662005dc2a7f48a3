import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_FLAGS, planInstance } from './instance-plan.ts';

test('the main home has the well-known names', () => {
  const plan = planInstance('/var/lib/podvisor', DEFAULT_FLAGS);
  assert.equal(plan.bridge, 'pv-main');
  assert.deepEqual(plan.nodes, [
    { name: 'node-1', address: '10.244.0.1', podCidr: '10.244.0.0/24', handlerPort: 6445 },
  ]);
});

test('two homes never share a bridge, and its name fits an interface', () => {
  const bridges = ['/a', '/b', '/tmp/podvisor-x', '/tmp/podvisor-y'].map(
    (home) => planInstance(home, DEFAULT_FLAGS).bridge,
  );
  assert.equal(new Set(bridges).size, bridges.length);
  for (const bridge of bridges) assert.ok(bridge.length <= 15, bridge);
});

test('a Pod network that is no /16 is refused by name', () => {
  for (const podCidr of ['10.244.0.0/24', '10.244.1.0/16', '300.1.0.0/16', 'x'])
    assert.throws(() => planInstance('/x', { ...DEFAULT_FLAGS, podCidr }), /--pod-cidr/);
});
