import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainSpec } from '@podvisor/api';
import { vmiOf } from '../../testing/vmi.ts';
import { assignIoThreads, planIoThreads, scsiIoThread } from './iothreads.ts';

function specOf(
  dedicated: readonly boolean[],
  domain: Partial<DomainSpec> = {},
): ReturnType<typeof vmiOf>['spec'] {
  const disks = dedicated.map((dedicatedIOThread, index) => ({
    name: `d${index}`,
    disk: { bus: 'virtio' },
    dedicatedIOThread,
  }));
  return vmiOf({ devices: { disks }, ...domain }).spec;
}

test('no policy and no dedicated disk: no threads', () => {
  assert.equal(planIoThreads(specOf([false, false])), undefined);
});

test('dedicated disks get their own thread after the shared one', () => {
  const spec = specOf([true, false, true]);
  assert.deepEqual(planIoThreads(spec), { total: 3, shared: 1, pool: false });
  assert.deepEqual(assignIoThreads(spec, ['virtio', 'virtio', 'virtio']), [
    { iothread: 2 },
    { iothread: 1 },
    { iothread: 3 },
  ]);
});

test('auto: two threads for each requested CPU, dealt out in turn', () => {
  const spec = specOf([false, false, false, false, false], {
    ioThreadsPolicy: 'auto',
    resources: { requests: { cpu: '2' } },
  });
  const threads = assignIoThreads(
    spec,
    Array.from({ length: 5 }, () => 'virtio'),
  );
  assert.deepEqual(threads, [
    { iothread: 1 },
    { iothread: 2 },
    { iothread: 3 },
    { iothread: 4 },
    { iothread: 1 },
  ]);
});

test('auto: one thread when the emulator has a CPU of its own', () => {
  const cpu = { dedicatedCpuPlacement: true, isolateEmulatorThread: true };
  assert.equal(planIoThreads(specOf([false, false], { ioThreadsPolicy: 'auto', cpu }))?.total, 1);
});

test('only virtio disks use threads', () => {
  const spec = specOf([false, false], { ioThreadsPolicy: 'shared' });
  assert.deepEqual(assignIoThreads(spec, ['sata', 'virtio']), [undefined, { iothread: 1 }]);
});

test('the SCSI controller runs on the next shared thread once a disk of it asks for a thread', () => {
  const virtio = { name: 'a', disk: { bus: 'virtio' } };
  const scsi = { name: 'b', disk: { bus: 'scsi' }, dedicatedIOThread: true };
  const lun = { name: 'c', lun: { bus: 'scsi' } };
  const threadOf = (disks: DomainSpec['devices']['disks'], domain: Partial<DomainSpec> = {}) =>
    scsiIoThread(vmiOf({ devices: { disks }, ...domain }).spec);
  const auto = { ioThreadsPolicy: 'auto', resources: { requests: { cpu: '2' } } };
  assert.equal(threadOf([virtio, scsi], auto), 1);
  assert.equal(threadOf([virtio, lun, scsi], auto), 2);
  assert.equal(threadOf([virtio, lun], auto), undefined);
  assert.equal(threadOf([scsi]), undefined);
  const pool = { ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 2 } };
  assert.equal(threadOf([virtio, scsi], pool), undefined);
});
