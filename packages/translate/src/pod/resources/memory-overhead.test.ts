import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vmiOf } from '../../testing/vmi.ts';
import { explainOverhead, isGuaranteed, memoryOverheadBytes } from './memory-overhead.ts';
import { kubevirtOverhead, podvisorOverhead } from './overhead-tables.ts';

const MI = 1024 ** 2;
const { spec } = vmiOf({
  cpu: { cores: 2 },
  resources: { requests: { memory: '1Gi' } },
  devices: { tpm: {} },
});

test('the items add up, and none is empty', () => {
  const options = { table: kubevirtOverhead, architecture: 'amd64' };
  const items = explainOverhead(spec, options);
  assert.equal(
    items.reduce((sum, { bytes }) => sum + bytes, 0),
    memoryOverheadBytes(spec, options),
  );
  assert.ok(items.every(({ bytes, from }) => bytes > 0 && from !== ''));
  // page tables 2, processes 240, vCPUs 16, IO thread 8, graphics 32, TPM 53
  assert.equal(memoryOverheadBytes(spec, options), (2 + 240 + 16 + 8 + 32 + 53) * MI);
});

test('the surcharge of the cluster is an item of its own', () => {
  const items = explainOverhead(spec, { table: podvisorOverhead, architecture: 'amd64', ratio: '1.5' });
  assert.equal(items.at(-1)?.what, 'surcharge × 1.5');
});

test('ours is smaller than KubeVirt’s, whatever the VM', () => {
  for (const architecture of ['amd64', 'arm64', 's390x']) {
    const [ours, theirs] = [podvisorOverhead, kubevirtOverhead].map((table) =>
      memoryOverheadBytes(spec, { table, architecture }),
    );
    assert.ok((ours ?? 0) < (theirs ?? 0));
  }
});

test('page tables are counted from thousands of bytes, rounded up', () => {
  const tables = (memory: string) =>
    explainOverhead(vmiOf({ devices: {}, resources: { requests: { memory } } }).spec, {
      table: kubevirtOverhead,
      architecture: 'amd64',
    })[0]?.bytes;
  assert.equal(tables('1Gi'), 2 * MI);
  assert.equal(tables('320Mi'), 655_361);
});

test('CPU requests tell the number of virtual CPUs only when the VMI says nothing about its CPU', () => {
  const cpus = (cpu?: object) =>
    explainOverhead(vmiOf({ cpu, devices: {}, resources: { requests: { cpu: '4' } } }).spec, {
      table: kubevirtOverhead,
      architecture: 'amd64',
    }).find(({ from }) => from === 'spec.domain.cpu')?.bytes;
  assert.equal(cpus(), 4 * 8 * MI);
  assert.equal(cpus({ model: 'host-model' }), 8 * MI);
  assert.equal(cpus({ cores: 2 }), 2 * 8 * MI);
});

test('a Pod is Guaranteed when requests equal limits; memory may be limited alone, CPU may not', () => {
  const of = (requests: object, limits: object) =>
    isGuaranteed(vmiOf({ devices: {}, resources: { requests, limits } as never }).spec);
  assert.equal(of({ cpu: '2', memory: '1Gi' }, { cpu: 2, memory: '1024Mi' }), true);
  assert.equal(of({ cpu: '2' }, { cpu: '2', memory: '1Gi' }), true);
  assert.equal(of({ cpu: '2', memory: '0' }, { cpu: '2', memory: '1Gi' }), true);
  assert.equal(of({ memory: '1Gi' }, { cpu: '2', memory: '1Gi' }), false);
  assert.equal(of({ cpu: '2', memory: '1Gi' }, { cpu: '2' }), false);
  assert.equal(of({ cpu: '2' }, { cpu: '2' }), false);
  assert.equal(of({}, {}), false);
});
