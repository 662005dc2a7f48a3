import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@podvisor/base';
import type { DomainRef } from '@podvisor/libvirt';
import { type Domain, type DomainHostDevice, domainToXml } from '@podvisor/translate';
import { DeviceRemovals } from '../domain/device-removals.ts';
import {
  deviceXml,
  giveDevices,
  missingDevices,
  networkDevicesOf,
  releaseDevices,
} from './network-devices.ts';

const REF: DomainRef = { name: 'default_v', uuid: '00000000-0000-0000-0000-000000000001', id: 1 };
const device = (name: string, bus = '0x81'): DomainHostDevice => ({
  mode: 'subsystem',
  type: 'pci',
  managed: 'no',
  source: { address: { type: 'pci', domain: '0x0000', bus, slot: '0x00', function: '0x1' } },
  alias: { name },
});
const domainOf = (...hostDevices: DomainHostDevice[]): Domain => ({ devices: { hostDevices } });

/** A libvirt with one domain; `letsGo`: the guest gives devices back when it is asked. */
function fakeLibvirt(live: readonly DomainHostDevice[], letsGo = true) {
  let devices = [...live];
  const removals = new DeviceRemovals();
  const calls: string[] = [];
  const connection = {
    getXml: async () => domainToXml(domainOf(...devices)),
    devices: {
      detachAlias: async (_: DomainRef, alias: string) => {
        calls.push(`detach ${alias}`);
        if (!letsGo) return;
        devices = devices.filter((d) => d.alias?.name !== alias);
        queueMicrotask(() => removals.event({ kind: 'deviceRemoved', domain: REF, alias }));
      },
      attach: async (_: DomainRef, xml: string) => {
        calls.push(`attach ${/ua-sriov-\w+/.exec(xml)?.[0]} ${/bus=["'](0x\w+)/.exec(xml)?.[1]}`);
      },
    },
  };
  return { connection: connection as never, removals, calls };
}

test('only devices of SR-IOV networks travel this way', () => {
  const live = domainOf(device('ua-sriov-fast'), device('ua-hostdevice-gpu'));
  assert.deepEqual(
    networkDevicesOf(live).map(({ alias }) => alias?.name),
    ['ua-sriov-fast'],
  );
  assert.deepEqual(missingDevices([device('ua-sriov-fast'), device('ua-sriov-b')], live), [
    device('ua-sriov-b'),
  ]);
  assert.match(deviceXml(device('ua-sriov-fast')), /^<hostdev[^]*ua-sriov-fast[^]*<\/hostdev>$/);
});

test('the guest lets go, moves, and gets the device of the other node', async () => {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const source = fakeLibvirt([device('ua-sriov-fast')]);
  const removed = (alias: string, s: AbortSignal) => source.removals.wait(alias, s);
  const held = await releaseDevices(source.connection, REF, { removed, clock, signal });
  assert.deepEqual(
    held.map(({ alias }) => alias?.name),
    ['ua-sriov-fast'],
  );
  const target = fakeLibvirt([]);
  await giveDevices(target.connection, REF, [device('ua-sriov-fast', '0x3b')]);
  assert.deepEqual(target.calls, ['attach ua-sriov-fast 0x3b']);
  const again = fakeLibvirt([device('ua-sriov-fast', '0x3b')]);
  await giveDevices(again.connection, REF, [device('ua-sriov-fast', '0x3b')]);
  assert.deepEqual(again.calls, [], 'asked twice, given once');
});

test('a guest that keeps its device does not move', async () => {
  const clock = new FakeClock();
  const { connection, removals } = fakeLibvirt([device('ua-sriov-fast')], false);
  const { signal } = new AbortController();
  const released = releaseDevices(connection, REF, {
    removed: (alias, s) => removals.wait(alias, s),
    clock,
    signal,
  });
  const failure = assert.rejects(released, /has not let go of the SR-IOV interface fast within 30 s/);
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(30_000);
  await failure;
});
