import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clusterConfig,
  defaultVmi,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMMemoryDumpRequest,
} from '@podvisor/api';
import { parseQuantity, StatusError } from '@podvisor/base';
import { ANYBODY } from '../testing/anybody.ts';
import type { StoredState, SubresourceRequest } from './decision.ts';
import { dumpMemory, removeMemoryDump } from './memory-dump.ts';

interface Given {
  readonly claim?: Partial<PersistentVolumeClaim['spec']> | null;
  readonly known?: VMMemoryDumpRequest;
  readonly phase?: string;
  /** What the VMI requests; the guest has 1Gi. */
  readonly requested?: string;
}

function state({ claim = {}, known, phase = 'Running', requested }: Given): StoredState {
  const domain = {
    devices: {},
    memory: { guest: '1Gi' },
    ...(requested !== undefined && { resources: { requests: { memory: requested } } }),
  };
  const vm: VirtualMachine = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    spec: { template: { spec: { domain } } },
    status: { memoryDumpRequest: known },
  };
  const vmi: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    spec: { domain },
    status: { phase },
  };
  const spec = {
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    resources: { requests: { storage: '2Gi' } },
    ...claim,
  } as const;
  return {
    vm: { kind: 'found', object: vm },
    vmi: { kind: 'found', object: vmi },
    claim: claim === null ? { kind: 'absent' } : { kind: 'found', object: { metadata: { name: 'c' }, spec } },
    config: clusterConfig(),
  };
}

function request(body: unknown): SubresourceRequest {
  return {
    namespace: 'default',
    name: 'vm',
    body,
    query: new URLSearchParams(),
    parameters: {},
    user: ANYBODY,
  };
}

const refusals: readonly [string, unknown, Given, number, RegExp][] = [
  ['no claim is named', {}, {}, 400, /claim name/],
  ['the claim does not exist', { claimName: 'c' }, { claim: null }, 404, /not found/],
  ['the claim is a block device', { claimName: 'c' }, { claim: { volumeMode: 'Block' } }, 409, /filesystem/],
  [
    'the claim is read only',
    { claimName: 'c' },
    { claim: { accessModes: ['ReadOnlyMany'] } },
    409,
    /read only/,
  ],
  [
    'the claim is too small',
    { claimName: 'c' },
    { claim: { resources: { requests: { storage: '1Gi' } } }, requested: '1Gi' },
    409,
    /1186Mi/,
  ],
  ['the guest does not run', { claimName: 'c' }, { phase: 'Scheduled' }, 409, /not running/],
  [
    'another claim is associated',
    { claimName: 'c' },
    { known: { claimName: 'd', phase: 'Completed' } },
    409,
    /still associated/,
  ],
  ['a dump is under way', {}, { known: { claimName: 'c', phase: 'InProgress' } }, 409, /in progress/],
];

for (const [name, body, given, code, message] of refusals) {
  test(`refused: ${name}`, () => {
    assert.throws(
      () => dumpMemory(request(body), state(given)),
      (error) => error instanceof StatusError && error.code === code && message.test(error.message),
    );
  });
}

test('a dump is asked for in the status, on the claim of the last one unless another is named', () => {
  const path = '/status/memoryDumpRequest';
  const first = dumpMemory(request({ claimName: 'c' }), state({}));
  assert.ok(first.kind === 'patch');
  assert.deepEqual(first.patches[0]?.patch, [
    { op: 'test', path, value: null },
    { op: 'add', path, value: { claimName: 'c', phase: 'Associating' } },
  ]);
  const known = { claimName: 'c', phase: 'Completed' };
  const again = dumpMemory(request(undefined), state({ known }));
  assert.ok(again.kind === 'patch');
  assert.deepEqual(again.patches[0]?.patch[1], {
    op: 'replace',
    path,
    value: { claimName: 'c', phase: 'Associating' },
  });
});

test('a claim is measured by what the VMI requests, as the clients that make it do', () => {
  const claim = { resources: { requests: { storage: '106Mi' } } };
  assert.equal(dumpMemory(request({ claimName: 'c' }), state({ claim })).kind, 'patch');
  assert.throws(
    () => dumpMemory(request({ claimName: 'c' }), state({ claim, requested: '1Gi' })),
    StatusError,
  );
});

test('a claim that KubeVirt’s client makes for a VM that says only memory.guest is taken', () => {
  const made: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default' },
    spec: { domain: { devices: {}, memory: { guest: '1Gi' } } },
  };
  const now = '2026-01-01T00:00:00Z';
  const { spec } = defaultVmi(made, { config: clusterConfig(), now, newUuid: () => 'uuid' });
  // What the VMI that the client reads requests, 100Mi, and 5.5% of both.
  const requested = String(spec.domain.resources?.requests?.memory ?? '0');
  const bytes = (parseQuantity(requested).value() + 100 * 2 ** 20) * 1.055;
  const sized = (mebibytes: number) => ({ resources: { requests: { storage: `${mebibytes}Mi` } } });
  const dump = (mebibytes: number) =>
    dumpMemory(request({ claimName: 'c' }), {
      ...state({ claim: sized(mebibytes) }),
      vmi: { kind: 'found', object: { ...made, spec, status: { phase: 'Running' } } },
    });
  const enough = Math.ceil(bytes / 2 ** 20);
  assert.equal(dump(enough).kind, 'patch');
  assert.throws(
    () => dump(enough - 1),
    (error) => error instanceof StatusError && error.code === 409,
  );
});

test('a removal needs something to remove, once', () => {
  const removed = removeMemoryDump(
    request(undefined),
    state({ known: { claimName: 'c', phase: 'Completed' } }),
  );
  assert.ok(removed.kind === 'patch');
  const value = { claimName: 'c', phase: 'Dissociating', remove: true };
  assert.deepEqual(removed.patches[0]?.patch[1], { op: 'replace', path: '/status/memoryDumpRequest', value });
  assert.throws(() => removeMemoryDump(request(undefined), state({})), StatusError);
  const known = { claimName: 'c', phase: 'Dissociating', remove: true };
  assert.throws(() => removeMemoryDump(request(undefined), state({ known })), StatusError);
});
