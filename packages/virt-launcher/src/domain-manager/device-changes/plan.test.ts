import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interface, VirtualMachineInstance } from '@podvisor/api';
import type { Domain, DomainDisk, DomainNetworkInterface } from '@podvisor/translate';
import { type DeviceChangesInput, planDeviceChanges } from './plan.ts';

const disk = (name: string, file?: string, device = 'disk'): DomainDisk => ({
  type: 'file',
  device,
  ...(file === undefined ? {} : { source: { file } }),
  target: { dev: `sd-${name}` },
  alias: { name: `ua-${name}` },
});
const nic = (name: string, link?: string): DomainNetworkInterface => ({
  type: 'ethernet',
  mac: { address: '02:00:00:00:00:01' },
  alias: { name: `ua-${name}` },
  ...(link === undefined ? {} : { link: { state: link } }),
});
const spec = (interfaces: readonly Interface[]): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec: { domain: { devices: { interfaces: [...interfaces] } } },
});

function plan(
  live: Domain['devices'],
  wanted: Domain['devices'],
  rest: Partial<DeviceChangesInput> = {},
): string[] {
  const changes = planDeviceChanges({
    vmi: spec([]),
    live: { devices: live },
    wanted: { devices: wanted },
    hotplugDirectory: '/hp',
    attachedInterfaces: new Set(),
    ...rest,
  });
  return changes.map(({ kind, name }) => `${kind} ${name}`);
}

test('disks: what is plugged and not declared goes, what is declared and not there comes', () => {
  const live = { disks: [disk('root', '/r.img'), disk('old', '/hp/old.img'), { alias: { name: 'theirs' } }] };
  const wanted = { disks: [disk('root', '/r.img'), disk('new', '/hp/new.img')] };
  assert.deepEqual(plan(live, wanted), ['detach-disk old', 'attach-disk new']);
  assert.deepEqual(plan(wanted, wanted), []);
});

test('a disk that the Pod was made with is never taken away', () => {
  assert.deepEqual(plan({ disks: [disk('root', '/r.img')] }, { disks: [] }), []);
  assert.deepEqual(plan({ disks: [disk('x', '/hp-not/x.img')] }, { disks: [] }), []);
});

test('a drive changes its disc and keeps its place', () => {
  const live = { disks: [disk('cd', undefined, 'cdrom')] };
  const wanted = { disks: [{ ...disk('cd', '/hp/cd.img', 'cdrom'), target: { dev: 'other' } }] };
  const changes = planDeviceChanges({
    vmi: spec([]),
    live: { devices: live },
    wanted: { devices: wanted },
    hotplugDirectory: '/hp',
    attachedInterfaces: new Set(),
  });
  assert.equal(changes[0]?.kind, 'change-medium');
  assert.deepEqual(changes[0]?.kind === 'change-medium' && changes[0].device.target, { dev: 'sd-cd' });
  assert.deepEqual(plan(wanted, live), ['change-medium cd'], 'an empty tray is a change, too');
});

test('interfaces: link, plug when phase 1 is done, unplug when absent', () => {
  const up: Interface = { name: 'a' };
  const down: Interface = { name: 'a', state: 'down' };
  const cases: readonly [Interface, Domain['devices'], ReadonlySet<string>, string[]][] = [
    [up, { interfaces: [nic('a')] }, new Set(), []],
    [down, { interfaces: [nic('a')] }, new Set(), ['set-link a']],
    [down, { interfaces: [nic('a', 'down')] }, new Set(), []],
    [up, { interfaces: [nic('a', 'down')] }, new Set(), ['set-link a']],
    [up, {}, new Set(), []],
    [up, {}, new Set(['a']), ['attach-interface a']],
    [{ name: 'a', state: 'absent' }, { interfaces: [nic('a')] }, new Set(['a']), ['detach-interface a']],
    [{ name: 'a', state: 'absent' }, {}, new Set(['a']), []],
  ];
  for (const [desired, live, attachedInterfaces, expected] of cases) {
    const wanted = desired.state === 'absent' ? {} : { interfaces: [nic('a', desired.state)] };
    assert.deepEqual(plan(live, wanted, { vmi: spec([desired]), attachedInterfaces }), expected);
  }
});
