import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from '@podvisor/api';
import {
  DEFAULT_NETWORK,
  defaultSelectionOf,
  NETWORKS,
  NetworkSelectionError,
  networkStatus,
  pluginChain,
  selectionsOf,
} from './multus.ts';

const podOf = (annotations: Record<string, string>): Pod => ({
  metadata: { namespace: 'shop', name: 'p', uid: 'u', annotations },
  spec: { containers: [] },
});
const selections = (text: string): ReturnType<typeof selectionsOf> =>
  selectionsOf(podOf({ [NETWORKS]: text }));

describe('what a Pod asks for', () => {
  test('as a JSON list, with interface and MAC address', () => {
    const text =
      '[{"name":"blue","interface":"pod16477688c0e","mac":"02:AA:00:00:00:01"},{"name":"red","namespace":"default"}]';
    assert.deepEqual(selections(text), [
      { namespace: 'shop', name: 'blue', ifname: 'pod16477688c0e', mac: '02:aa:00:00:00:01' },
      { namespace: 'default', name: 'red', ifname: 'net2' },
    ]);
  });
  test('as names', () => {
    assert.deepEqual(selections('blue, default/red@eth7'), [
      { namespace: 'shop', name: 'blue', ifname: 'net1' },
      { namespace: 'default', name: 'red', ifname: 'eth7' },
    ]);
    assert.deepEqual(selectionsOf(podOf({})), []);
    assert.equal(defaultSelectionOf(podOf({ [DEFAULT_NETWORK]: 'default/red' }))?.ifname, 'eth0');
    assert.equal(defaultSelectionOf(podOf({})), undefined);
  });
  test('nonsense is refused with a sentence', () => {
    for (const [text, said] of [
      ['[{]', /not a JSON list/],
      ['[{}]', /which is no name/],
      ['../etc', /which is no name/],
      ['a@b/c', /name of an interface|which is no name/],
      ['a@sixteencharacter', /name of an interface/],
      ['a@x,b@x', /interface x twice/],
      ['a@eth0', /interface eth0 twice/],
      ['[{"name":"a","mac":"x"}]', /not a MAC address/],
    ] as const)
      assert.throws(() => selections(text), said, text);
  });
});

describe('plugins of a definition', () => {
  const selection = { namespace: 'shop', name: 'blue', ifname: 'net1', mac: '02:aa:00:00:00:01' };
  test('one plugin: name, MAC address, and where addresses are kept', () => {
    const config = {
      cniVersion: '0.4.0',
      type: 'bridge',
      bridge: 'br1',
      ipam: { type: 'host-local', subnet: '10.9.0.0/24' },
    };
    assert.deepEqual(pluginChain(selection, JSON.stringify(config), '/ipam'), [
      {
        ...config,
        name: 'blue',
        ipam: { ...config.ipam, dataDir: '/ipam' },
        args: { cni: { mac: selection.mac } },
      },
    ]);
  });
  test('a chain, with what each plugin is capable of', () => {
    const config = {
      cniVersion: '0.4.0',
      name: 'chain',
      plugins: [{ type: 'macvlan', master: 'eth0', capabilities: { mac: true } }, { type: 'tuning' }],
    };
    const chain = pluginChain(selection, JSON.stringify(config), '/ipam');
    assert.deepEqual(
      chain.map((p) => [p.type, p['name'], p['runtimeConfig']]),
      [
        ['macvlan', 'chain', { mac: selection.mac }],
        ['tuning', 'chain', undefined],
      ],
    );
  });
  test('what is no configuration is refused; a type is never a path', () => {
    for (const config of ['', '[]', '{}', '{"plugins":[]}', '{"type":"../../bin/sh"}'])
      assert.throws(
        () => pluginChain(selection, config, '/ipam'),
        /NetworkAttachmentDefinition shop\/blue/,
        config,
      );
  });
});

test('the status names the own network first', () => {
  const inside = { sandbox: '/run/netns/x' };
  const own = {
    network: 'podvisor-main',
    ifname: 'eth0',
    result: {
      ips: [{ address: '10.1.0.5/24' }],
      interfaces: [{ name: 'eth0', mac: 'aa:aa:aa:aa:aa:aa', ...inside }],
    },
  };
  const other = {
    network: 'shop/blue',
    ifname: 'net1',
    result: {
      interfaces: [
        { name: 'net1', mac: 'outside' },
        { name: 'net1', mac: 'bb:bb:bb:bb:bb:bb', ...inside },
      ],
    },
  };
  assert.deepEqual(JSON.parse(networkStatus(own, [other])), [
    {
      name: 'podvisor-main',
      interface: 'eth0',
      ips: ['10.1.0.5'],
      mac: 'aa:aa:aa:aa:aa:aa',
      default: true,
      dns: {},
    },
    { name: 'shop/blue', interface: 'net1', mac: 'bb:bb:bb:bb:bb:bb', dns: {} },
  ]);
});

test("a network of another namespace is not a tenant's to enter, one of a shared namespace is", () => {
  const named = (key: string, text: string) => podOf({ [key]: text });
  for (const text of ['other/net', '[{"name":"net","namespace":"other"}]', 'kube-system/net'])
    assert.throws(
      () => selectionsOf(named(NETWORKS, text)),
      /Pods of namespace shop may have networks of shop, /,
    );
  assert.throws(() => defaultSelectionOf(named(DEFAULT_NETWORK, 'other/net')), NetworkSelectionError);
  for (const namespace of ['shop', 'default', 'kubevirt'])
    assert.equal(selectionsOf(named(NETWORKS, `${namespace}/net`))[0]?.namespace, namespace);
});
