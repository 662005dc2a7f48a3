import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interface, Network, VirtualMachineInstance, VMISpec } from '@podvisor/api';
import {
  frozenNetworks,
  liveNetworks,
  liveNetworksPatch,
  unpluggedPatch,
  withoutUnplugged,
} from './live-networks.ts';

const own: Interface = { name: 'default', masquerade: {} };
const blue: Interface = { name: 'blue', bridge: {} };
const networks: readonly Network[] = [
  { name: 'default', pod: {} },
  { name: 'blue', multus: { networkName: 'blue' } },
];
const specOf = (...interfaces: Interface[]): VMISpec => ({
  domain: { devices: { interfaces } },
  networks: networks.filter(({ name }) => interfaces.some((nic) => nic.name === name)),
});
const vmiOf = (spec: VMISpec, reported: string[] = []): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec,
  status: { interfaces: reported.map((name) => ({ name })) },
});
const names = (template: VMISpec, vmi: VirtualMachineInstance): string[] =>
  liveNetworks(template, vmi).interfaces.map(({ name, state }) => `${name} ${state ?? ''}`.trim());

test('what a running VMI follows', () => {
  const absent: Interface = { ...blue, state: 'absent' };
  const cases: readonly [string, VMISpec, VirtualMachineInstance, string[]][] = [
    ['nothing changed', specOf(own), vmiOf(specOf(own)), ['default']],
    ['link down', specOf({ ...own, state: 'down' }), vmiOf(specOf(own)), ['default down']],
    ['link up again', specOf(own), vmiOf(specOf({ ...own, state: 'down' })), ['default']],
    ['plugged in', specOf(own, blue), vmiOf(specOf(own)), ['default', 'blue']],
    [
      'unplugged, the guest has it',
      specOf(own, absent),
      vmiOf(specOf(own, blue), ['blue']),
      ['default', 'blue absent'],
    ],
    ['unplugged, the guest let go', specOf(own, absent), vmiOf(specOf(own, absent)), ['default']],
    ['the VM declares it absent from the start', specOf(own, absent), vmiOf(specOf(own)), ['default']],
    [
      'masquerade is not unplugged',
      specOf({ ...own, state: 'absent' }),
      vmiOf(specOf(own), ['default']),
      ['default'],
    ],
    ['taken from the template only', specOf(own), vmiOf(specOf(own, blue), ['blue']), ['default', 'blue']],
  ];
  for (const [what, template, vmi, expected] of cases) assert.deepEqual(names(template, vmi), expected, what);
});

test('networks come and go with their interfaces; a patch is guarded', () => {
  const patch = liveNetworksPatch(specOf(own, blue), vmiOf(specOf(own)));
  assert.deepEqual(
    patch.map(({ op, path }) => `${op} ${path}`),
    [
      'test /spec/domain/devices/interfaces',
      'add /spec/domain/devices/interfaces',
      'test /spec/networks',
      'add /spec/networks',
    ],
  );
  assert.deepEqual(liveNetworksPatch(specOf(own, blue), vmiOf(specOf(own, blue))), []);
  assert.deepEqual(
    liveNetworks(specOf(own, { ...blue, state: 'absent' }), vmiOf(specOf(own, { ...blue, state: 'absent' })))
      .networks,
    [networks[0]],
  );
});

test('only what cannot follow counts for a restart', () => {
  const started = specOf(own);
  const frozen = (template: VMISpec): unknown => frozenNetworks(template, started);
  assert.deepEqual(frozen(specOf(own, blue)), frozen(started));
  assert.deepEqual(frozen(specOf({ ...own, state: 'down' })), frozen(started));
  assert.notDeepEqual(frozen(specOf({ ...own, model: 'e1000' })), frozen(started));
  assert.notDeepEqual(frozen(specOf(own, { name: 'blue', masquerade: {} })), frozen(started));
});

test('another definition for a further network is followed; for the default network, or more than that, not', () => {
  const onto = (network: Network): VMISpec => ({
    domain: { devices: { interfaces: [own, blue] } },
    networks: [{ name: 'default', pod: {} }, network],
  });
  const running = vmiOf(onto({ name: 'blue', multus: { networkName: 'blue' } }), ['default', 'blue']);
  const changed = onto({ name: 'blue', multus: { networkName: 'other/green' } });
  assert.deepEqual(liveNetworks(changed, running).networks, changed.networks);
  assert.deepEqual(
    liveNetworksPatch(changed, running).map(({ op, path }) => `${op} ${path}`),
    ['test /spec/networks', 'add /spec/networks'],
  );
  assert.deepEqual(frozenNetworks(changed, running.spec), frozenNetworks(running.spec, running.spec));
  const asDefault = onto({ name: 'blue', multus: { networkName: 'green', default: true } });
  assert.deepEqual(liveNetworks(asDefault, running).networks, running.spec.networks);
  assert.notDeepEqual(frozenNetworks(asDefault, running.spec), frozenNetworks(running.spec, running.spec));
});

test('an unplugged interface leaves the template when the VMI has let go of it, and that asks for no restart', () => {
  const absent: Interface = { ...blue, state: 'absent' };
  const template = specOf(own, absent);
  const paths = (vmi: VirtualMachineInstance | undefined): string[] =>
    unpluggedPatch(template, vmi).flatMap(({ op, path }) => (op === 'add' ? [path] : []));
  const both = ['/spec/template/spec/domain/devices/interfaces', '/spec/template/spec/networks'];
  assert.deepEqual(paths(vmiOf(specOf(own, absent))), [], 'the VMI still has it');
  assert.deepEqual(paths(vmiOf(specOf(own), ['blue'])), [], 'the guest still has it');
  assert.deepEqual(paths(vmiOf(specOf(own), ['default'])), both);
  assert.deepEqual(paths(undefined), both, 'nothing runs');
  assert.deepEqual(unpluggedPatch(specOf(own, blue), undefined), []);
  const before = withoutUnplugged(specOf(own, blue), vmiOf(specOf(own)));
  for (const now of [template, specOf(own), specOf(own, blue)])
    assert.deepEqual(frozenNetworks(now, before), frozenNetworks(before, before));
});
