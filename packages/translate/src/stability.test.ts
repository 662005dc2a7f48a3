/**
 * What a guest has seen stays: names of disks, aliases and PCI ports survive restart and hotplug. Random VMIs and
 * random histories, from a fixed seed so that a failure can be repeated.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from '@podvisor/base';
import type { VirtualMachineInstance } from '@podvisor/api';
import { convertVmiToDomain } from './domain/convert.ts';
import type { Domain } from './domain/model/domain.ts';
import { domainFromXml, domainToXml } from './domain/xml.ts';
import { typicalVmis } from './testing/typical-vmis.ts';
import { plainContext, vmiOf } from './testing/vmi.ts';

const RUNS = 200;
const BUSES = ['virtio', 'scsi', 'sata', 'usb'] as const;

interface History {
  readonly disks: readonly { readonly name: string; readonly bus: (typeof BUSES)[number] }[];
  readonly targets: Readonly<Record<string, string>>;
}

/** The VMI of a moment: its disks, and the names that the guest knows them by. */
function vmiAt({ disks, targets }: History): VirtualMachineInstance {
  const vmi = vmiOf(
    { devices: { disks: disks.map(({ name, bus }) => ({ name, disk: { bus } })) } },
    { volumes: disks.map(({ name }) => ({ name, emptyDisk: { capacity: '1Gi' } })) },
  );
  const volumeStatus = Object.entries(targets).map(([name, target]) => ({ name, target }));
  return { ...vmi, status: { ...vmi.status, volumeStatus } };
}

function targetsOf(domain: Domain): Record<string, string> {
  return Object.fromEntries(
    (domain.devices?.disks ?? []).map(({ alias, target }) => [
      alias?.name?.slice('ua-'.length) ?? '',
      target?.dev ?? '',
    ]),
  );
}

test('disks keep their names through any history of plugging, and no two share one', () => {
  const random = randomFrom(1);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  for (let run = 0; run < RUNS; run += 1) {
    let now: History = { disks: [], targets: {} };
    for (let step = 0; step < 8; step += 1) {
      const gone = random() < 0.3 ? pick(now.disks)?.name : undefined;
      const kept = now.disks.filter(({ name }) => name !== gone);
      const added = random() < 0.8 ? [{ name: `d${run}-${step}`, bus: pick(BUSES) ?? 'virtio' }] : [];
      const { [gone ?? '']: _gone, ...known } = now.targets;
      // New disks may come anywhere in the list.
      const at = Math.floor(random() * (kept.length + 1));
      const disks = [...kept.slice(0, at), ...added, ...kept.slice(at)];
      const domain = convertVmiToDomain(vmiAt({ disks, targets: known }), plainContext);
      const targets = targetsOf(domain);
      for (const [name, target] of Object.entries(known)) assert.equal(targets[name], target, `run ${run}`);
      const names = Object.values(targets);
      assert.equal(new Set(names).size, names.length, `run ${run}: ${names.join(' ')}`);
      now = { disks, targets };
    }
  }
});

test('a restart gives the same domain again', () => {
  for (const { vmi, context } of typicalVmis) {
    const facts = { ...plainContext, ...context };
    const first = convertVmiToDomain(vmi, facts);
    const volumeStatus = Object.entries(targetsOf(first)).map(([name, target]) => ({ name, target }));
    const again = convertVmiToDomain({ ...vmi, status: { ...vmi.status, volumeStatus } }, facts);
    assert.equal(domainToXml(again), domainToXml(first));
  }
});

test('a disk that comes later moves no port: more may come, behind those that are there', () => {
  const ports = (domain: Domain): readonly string[] =>
    (domain.devices?.controllers ?? []).map(({ type, index, model }) => `${type} ${index} ${model}`);
  for (let count = 0; count < 3; count += 1) {
    const disks = Array.from({ length: count }, (_, i) => ({ name: `d${i}`, bus: 'virtio' as const }));
    const before = convertVmiToDomain(vmiAt({ disks, targets: {} }), plainContext);
    const after = convertVmiToDomain(
      vmiAt({ disks: [...disks, { name: 'late', bus: 'virtio' }], targets: targetsOf(before) }),
      plainContext,
    );
    assert.deepEqual(ports(after).slice(0, ports(before).length), ports(before));
  }
});

test('every domain survives the way to XML and back', () => {
  for (const { vmi, context } of typicalVmis) {
    const domain = convertVmiToDomain(vmi, { ...plainContext, ...context });
    const xml = domainToXml(domain);
    assert.equal(domainToXml(domainFromXml(xml)), xml);
  }
});
