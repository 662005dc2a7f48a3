import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fenceAfterMs,
  handlerRenewMs,
  leasePlace,
  nodeLossBounds,
  nodeLossTimes,
  renewEveryMs,
} from './node-loss.ts';
import type { VirtualMachineInstance } from '../types/index.ts';

test('whatever the configuration, a guest has ended before anyone may take it', () => {
  for (const seconds of [undefined, -1, 0, 4, 16, 60, 1e9, Number.NaN]) {
    const times = nodeLossTimes({ leaseSeconds: seconds, silenceSeconds: seconds });
    const { leaseSeconds } = nodeLossBounds;
    assert.ok(times.leaseMs >= leaseSeconds.min * 1000 && times.leaseMs <= leaseSeconds.max * 1000);
    assert.ok(fenceAfterMs(times.leaseMs) + 1_000 <= times.leaseMs, 'a second of margin, at least');
    assert.ok(renewEveryMs(times.leaseMs) * 2 < fenceAfterMs(times.leaseMs), 'one renewal may be missed');
    assert.ok(handlerRenewMs(times) * 2 < fenceAfterMs(times.silenceMs));
  }
});

interface Case {
  readonly name: string;
  readonly volume: object;
  readonly disk?: object;
  readonly info?: object;
  readonly wanted: string;
}
const shared = { accessModes: ['ReadWriteMany'] };
const claim = { persistentVolumeClaim: { claimName: 'c' } };
const cases: readonly Case[] = [
  { name: 'a shared file system', volume: claim, info: shared, wanted: 'volume' },
  { name: 'of a DataVolume', volume: { dataVolume: { name: 'c' } }, info: shared, wanted: 'volume' },
  { name: 'for one node', volume: claim, info: { accessModes: ['ReadWriteOnce'] }, wanted: 'DiskIsLocal' },
  { name: 'of which nothing is known', volume: claim, wanted: 'DiskIsLocal' },
  { name: 'a file of the node', volume: { hostDisk: { path: '/a', type: 'Disk' } }, wanted: 'DiskIsLocal' },
  { name: 'in the Pod', volume: { containerDisk: { image: 'i' } }, wanted: 'NoSharedDisk' },
  { name: 'a device', volume: claim, info: { ...shared, volumeMode: 'Block' }, wanted: 'NoPlaceForLease' },
  {
    name: 'shared with other guests',
    volume: claim,
    info: shared,
    disk: { shareable: true },
    wanted: 'NoPlaceForLease',
  },
  {
    name: 'read-only',
    volume: claim,
    info: shared,
    disk: { disk: { readonly: true } },
    wanted: 'NoPlaceForLease',
  },
  {
    name: 'plugged in',
    volume: { persistentVolumeClaim: { claimName: 'c', hotpluggable: true } },
    info: shared,
    wanted: 'NoPlaceForLease',
  },
];
const vmi = (volumes: readonly Case[]): VirtualMachineInstance =>
  ({
    spec: {
      domain: { devices: { disks: volumes.map(({ disk }, i) => ({ name: `v${i}`, disk: {}, ...disk })) } },
      volumes: volumes.map(({ volume }, i) => ({ name: `v${i}`, ...volume })),
    },
    status: {
      volumeStatus: volumes.map(({ info }, i) => ({ name: `v${i}`, persistentVolumeClaimInfo: info })),
    },
  }) as unknown as VirtualMachineInstance;
const verdict = (of: VirtualMachineInstance): string => {
  const place = leasePlace(of);
  return place.kind === 'none' ? place.reason : place.kind;
};

for (const one of cases) test(`a disk: ${one.name}`, () => assert.equal(verdict(vmi([one])), one.wanted));

test('one lease for all disks, on the first that has room for it; one local disk spoils it', () => {
  const [file, , once] = cases;
  const device = cases.find(({ name }) => name === 'a device');
  assert.ok(file !== undefined && once !== undefined && device !== undefined);
  assert.deepEqual(leasePlace(vmi([device, file])), { kind: 'volume', volume: 'v1', claim: 'c' });
  assert.equal(verdict(vmi([file, once])), 'DiskIsLocal');
});
