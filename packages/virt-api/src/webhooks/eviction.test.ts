import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { webhookContextForTests } from '../testing/webhook-context.ts';
import type { EvacuationMark, WebhookContext } from './context.ts';
import { validateEviction } from './eviction.ts';

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'guest', namespace: 'ns', uid: 'guest-uid' },
  spec: { domain: { devices: {} }, evictionStrategy: 'External' },
  status: { nodeName: 'n', phase: 'Running' },
};

function podOf(
  name: string,
  app: string,
  kind: string,
  owner: string,
  phase: 'Running' | 'Succeeded' = 'Running',
): Pod {
  const apiVersion = kind === 'Pod' ? 'v1' : 'kubevirt.io/v1';
  return {
    metadata: {
      name,
      namespace: 'ns',
      uid: `${name}-uid`,
      labels: { 'kubevirt.io': app },
      ownerReferences: [{ apiVersion, kind, name: owner, uid: `${owner}-uid`, controller: true }],
    },
    spec: { containers: [], nodeName: 'n' },
    status: { phase },
  };
}

const launcher = podOf('launcher', 'virt-launcher', 'VirtualMachineInstance', 'guest');
const hotplug = podOf('hotplug', 'hotplug-disk', 'Pod', 'launcher');

interface State {
  readonly pods?: readonly Pod[];
  readonly findVmi?: WebhookContext['findVmi'];
  readonly failsToMark?: boolean;
  readonly object?: object;
  readonly dryRun?: boolean;
}

async function evict(name: string, state: State = {}) {
  const marks: EvacuationMark[] = [];
  const answer = await validateEviction(
    {
      uid: 'u',
      resource: { group: '', version: 'v1', resource: 'pods' },
      operation: 'CREATE',
      namespace: 'ns',
      name,
      user: 'ann',
      userGroups: [],
      userExtra: {},
      object: state.object ?? {},
      oldObject: undefined,
      dryRun: state.dryRun ?? false,
    },
    {
      ...webhookContextForTests,
      findPod: async (_namespace, pod) =>
        (state.pods ?? [launcher, hotplug]).find(({ metadata }) => metadata.name === pod),
      findVmi: state.findVmi ?? (async () => vmi),
      markForEvacuation: async (_vmi, mark) => {
        if (state.failsToMark) throw new Error('the object has been modified');
        marks.push(mark);
      },
    },
  );
  assert.ok(answer.kind === 'validated');
  return { ...answer, marks };
}

const missing = async (): Promise<undefined> => undefined;
const unreadable = async (): Promise<never> => {
  throw new Error('the server is busy');
};

test('a launcher is not evicted while its VMI cannot be read', async () => {
  const gone = await evict('launcher', { findVmi: missing });
  assert.deepEqual(
    [gone.code, gone.message],
    [429, 'kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io "guest" not found'],
  );
  const busy = await evict('launcher', { findVmi: unreadable });
  assert.deepEqual([busy.code, busy.message], [429, 'kubevirt failed getting the vmi: the server is busy']);
});

test('a Pod of a volume goes when its guest is gone, and stays when nobody knows', async () => {
  assert.equal((await evict('hotplug')).code, 429);
  assert.ok((await evict('hotplug', { findVmi: missing })).allowed);
  assert.ok((await evict('hotplug', { pods: [hotplug] })).allowed);
  const ended = podOf('launcher', 'virt-launcher', 'VirtualMachineInstance', 'guest', 'Succeeded');
  assert.ok((await evict('hotplug', { pods: [hotplug, ended] })).allowed);
  assert.equal((await evict('hotplug', { findVmi: unreadable })).code, 429);
});

test('a VMI that cannot be marked is told', async () => {
  const { code, message } = await evict('launcher', { failsToMark: true });
  assert.deepEqual(
    [code, message],
    [429, 'kubevirt failed marking the vmi for eviction: the object has been modified'],
  );
});

test('a dry run marks in a dry run, whether the request or the eviction says so', async () => {
  const dryRuns = async (state: State) => (await evict('launcher', state)).marks.map(({ dryRun }) => dryRun);
  assert.deepEqual(await dryRuns({}), [false]);
  assert.deepEqual(await dryRuns({ dryRun: true }), [true]);
  assert.deepEqual(await dryRuns({ object: { deleteOptions: { dryRun: ['All'] } } }), [true]);
});
