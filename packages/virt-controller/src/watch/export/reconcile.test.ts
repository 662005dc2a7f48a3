import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaim, Pod, VirtualMachineExport } from '@podvisor/api';
import { vmiWith, vmWith } from '../../testing/objects.ts';
import { controllerReference } from '../ownership.ts';
import { exportPod, exportService, metaOf } from './plan.ts';
import { type ExportObservation, exportedClaims, type ExportPlan, planExport } from './reconcile.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;
const exportOf = (kind: string, name: string): VirtualMachineExport => ({
  apiVersion: 'export.kubevirt.io/v1',
  kind: 'VirtualMachineExport',
  metadata: { name: 'e', namespace: 'n', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { source: { apiGroup: '', kind, name } },
});
const claim: PersistentVolumeClaim = {
  metadata: { name: 'data', namespace: 'n' },
  spec: { volumeMode: 'Filesystem' },
  status: { phase: 'Bound' },
};
const pod = (isReady: boolean): Pod => ({
  ...exportPod(exportOf('PersistentVolumeClaim', 'data'), [claim], { image: 'i', secret: 's', ca: 'pem' }),
  status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

function plan(more: Partial<ExportObservation>): Extract<ExportPlan, { readonly kind: 'keep' }> {
  const found = planExport({
    found: exportOf('PersistentVolumeClaim', 'data'),
    sources: {},
    claims: new Map([['data', claim]]),
    taken: new Map(),
    pod: undefined,
    nowMs: START_MS,
    userOf: () => undefined,
    ...more,
  });
  assert.ok(found.kind === 'keep');
  return found;
}
const readyReason = ({ status }: ReturnType<typeof plan>): string | undefined =>
  status.conditions?.find(({ type }) => type === 'Ready')?.reason;

test('what an export waits for is said', () => {
  const vm = vmWith();
  const running = vmiWith({ phase: 'Running' });
  const lost = { ...claim, status: { phase: 'Lost' } };
  const filled = { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume', name: 'data', uid: 'd' };
  const metadata = { ...claim.metadata, ownerReferences: [{ ...filled, controller: true }] };
  const table: readonly [Partial<ExportObservation>, string][] = [
    [{ claims: new Map() }, 'NotFound'],
    [{ claims: new Map([['data', lost]]) }, 'NotBound'],
    [{ claims: new Map([['data', { ...claim, metadata, status: { phase: 'Pending' } }]]) }, 'NotBound'],
    [{ userOf: () => 'n/guest' }, 'InUse'],
    [{ found: exportOf('VirtualMachine', 'vm') }, 'NotFound'],
    [{ found: exportOf('VirtualMachine', 'vm'), sources: { vm, vmi: running } }, 'InUse'],
    [{ found: exportOf('VirtualMachine', 'vm'), sources: { vm } }, 'NoVolumes'],
    [{ found: exportOf('VirtualMachineSnapshot', 's') }, 'NotReady'],
    [{ found: exportOf('VirtualMachineBackup', 'b') }, 'NotFound'],
    [{ found: exportOf('Other', 'o') }, 'NotAvailable'],
  ];
  for (const [more, reason] of table) {
    const found = plan(more);
    assert.equal(readyReason(found), reason);
    assert.equal(found.serve, undefined);
  }
});

test('a Pod serves what is ready, and its certificate goes into the links', () => {
  const first = plan({});
  assert.deepEqual([first.serve?.createsPod, readyReason(first)], [true, 'Initializing']);
  const starting = plan({ pod: pod(false) });
  assert.deepEqual([starting.serve?.createsPod, readyReason(starting)], [false, 'Initializing']);
  const served = plan({ pod: pod(true) });
  assert.deepEqual([served.status.phase, served.status.links?.internal?.cert], ['Ready', 'pem']);
});

test('a Pod of somebody else under the name of the exporter is not believed', () => {
  const mine = pod(true);
  const other = { ...exportOf('PersistentVolumeClaim', 'data').metadata, uid: 'another' };
  const owners = [controllerReference({ metadata: other }, 'export.kubevirt.io/v1', 'VirtualMachineExport')];
  for (const ownerReferences of [undefined, owners]) {
    const found = plan({ pod: { ...mine, metadata: { ...mine.metadata, ownerReferences } } });
    assert.deepEqual(
      [found.status.phase, found.status.links, found.serve, readyReason(found)],
      ['Pending', undefined, undefined, 'NameTaken'],
    );
    assert.ok(found.requeueAfterMs < 60_000, 'it may be the Pod of an export that was');
  }
});

test('whoever changes annotations of the Pod does not change whom clients trust', () => {
  const mine = pod(true);
  const annotations = { 'podvisor.io/export-ca': 'of somebody else' };
  const found = plan({ pod: { ...mine, metadata: { ...mine.metadata, annotations } } });
  assert.equal(found.status.links?.internal?.cert, 'pem');
});

test('only Pods of exports answer at the Service of one', () => {
  const { selector } = exportService(exportOf('PersistentVolumeClaim', 'data')).spec as {
    readonly selector: Readonly<Record<string, string>>;
  };
  assert.equal(selector['kubevirt.io'], 'virt-export', 'a label that nobody else may give a Pod');
});

test('a claim of somebody else under the name of a snapshot’s is not exported as the snapshot', () => {
  const found = exportOf('VirtualMachineSnapshot', 's');
  const sources = {
    snapshot: { spec: { source: {} }, status: { readyToUse: true, virtualMachineSnapshotContentName: 'c' } },
    content: { spec: { source: {}, volumeBackups: [{ volumeName: 'root' }] } },
  } as unknown as ExportObservation['sources'];
  const at = (metadata: PersistentVolumeClaim['metadata']) =>
    plan({ found, sources, claims: new Map([['e-root', { ...claim, metadata }]]) });
  assert.equal(readyReason(at({ name: 'e-root', namespace: 'n' })), 'NameTaken');
  assert.equal(readyReason(at(metaOf(found, 'e-root') ?? {})), 'Initializing');
});

test('a claim that waits for its first consumer gets the exporter', () => {
  const claims = new Map<string, PersistentVolumeClaim>([
    ['data', { ...claim, status: { phase: 'Pending' } }],
  ]);
  const first = plan({ claims });
  assert.deepEqual([first.serve?.createsPod, readyReason(first)], [true, 'NotBound']);
  assert.match(first.status.conditions?.[0]?.message ?? '', /PVC data is not bound; the exporter pod/);
});

test('an export ends by itself', () => {
  assert.equal(plan({}).requeueAfterMs, 2 * HOUR);
  const sources = {
    sources: {},
    claims: new Map(),
    taken: new Map(),
    pod: undefined,
    userOf: () => undefined,
  };
  const found = exportOf('PersistentVolumeClaim', 'data');
  assert.deepEqual(planExport({ ...sources, found, nowMs: START_MS + 2 * HOUR }), { kind: 'expire' });
});

test('memory is exported only when its claim is asked for by name', () => {
  const disk = { name: 'root', persistentVolumeClaim: { claimName: 'disk' } };
  const vm = vmWith({ template: { spec: { domain: { devices: {} }, volumes: [disk] } } });
  const hibernation = { phase: 'Hibernated', claimName: 'slept' };
  const slept = { ...vm, status: { hibernation } } as typeof vm;
  assert.deepEqual(exportedClaims(exportOf('VirtualMachine', 'vm'), { vm: slept }), ['disk']);
  const content = {
    spec: { volumeBackups: [{ volumeName: 'root' }], memoryBackup: { claimName: 'memory' } },
  } as unknown as NonNullable<ExportObservation['sources']['content']>;
  assert.deepEqual(exportedClaims(exportOf('VirtualMachineSnapshot', 's'), { content }), ['e-root']);
  assert.deepEqual(exportedClaims(exportOf('PersistentVolumeClaim', 'memory'), {}), ['memory']);
});
