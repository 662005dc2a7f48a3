import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MigrationState, VMIMigrationStatus } from '@podvisor/api';
import { handedOff, migrationWith, readyTarget, targetPodWith } from '../../testing/migrations.ts';
import { deleting, NOW_MS, podWith, readyPod, vmiWith } from '../../testing/objects.ts';
import type { MigrationAction, MigrationObservation } from './plan.ts';
import { reconcileMigration } from './reconcile.ts';

const LATER = '2026-01-01T00:00:59Z';
const started = { ...handedOff, targetNodeAddress: '10.0.0.2', startTimestamp: LATER };

function vmiOf(migrationState?: MigrationState, more: Parameters<typeof vmiWith>[0] = {}) {
  return vmiWith({
    phase: 'Running',
    nodeName: 'node-1',
    ...(migrationState && { migrationState }),
    ...more,
  });
}

function observe(more: Partial<MigrationObservation> = {}): MigrationObservation {
  return {
    migration: migrationWith(),
    vmi: vmiOf(),
    pods: [readyPod, ...(more.targetPod === undefined ? [] : [more.targetPod])],
    targetPod: undefined,
    targetAttachments: [],
    volumes: { claim: () => undefined, dataVolumePhase: () => undefined },
    proven: false,
    cacheCaughtUp: true,
    busyWith: undefined,
    turn: { kind: 'go' },
    handOff: { configuration: { allowPostCopy: true }, policyName: 'p', memoryOverhead: '200Mi' },
    nowMs: NOW_MS,
    ...more,
  };
}

const phase = (name: string, more: VMIMigrationStatus = {}): VMIMigrationStatus => ({ phase: name, ...more });

/** What a plan does, in words. */
function told(actions: readonly MigrationAction[]): readonly string[] {
  return actions.map((action) => {
    switch (action.kind) {
      case 'status': {
        const why = action.status.migrationState?.failureReason;
        return `status ${action.status.phase}${why === undefined ? '' : `: ${why}`}`;
      }
      case 'event':
        return `event ${action.event[1]}`;
      case 'patchVmi':
        return `vmi ${action.patch.filter(({ op }) => op !== 'test').map(({ op, path }) => `${op} ${path}`)}`;
      case 'deletePod':
        return `delete ${action.pod.metadata.name}`;
      default:
        return action.kind;
    }
  });
}

const FAIL_RECORD = 'vmi add /status/migrationState';
const FORGET = 'remove /metadata/labels/kubevirt.io~1migrationTargetNodeName';
const unschedulable = {
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no node' }],
} as const;

const table: readonly (readonly [
  name: string,
  more: Partial<MigrationObservation>,
  want: readonly string[],
])[] = [
  ['its turn', {}, ['createTarget']],
  ['not its turn', { turn: { kind: 'wait' } }, ['status Pending']],
  [
    'waits after failures',
    { turn: { kind: 'wait', requeueAfterMs: 5, event: ['Warning', 'MigrationBackoff', 'x'] } },
    ['status Pending', 'event MigrationBackoff'],
  ],
  ['waits and has said so', { migration: migrationWith(phase('Pending')), turn: { kind: 'wait' } }, []],
  ['the guest does not run yet', { vmi: vmiOf(undefined, { phase: 'Scheduled' }) }, ['status Pending']],
  [
    'cannot be migrated',
    {
      vmi: vmiOf(undefined, {
        conditions: [{ type: 'LiveMigratable', status: 'False', reason: 'R', message: 'disk' }],
      }),
    },
    ['status Failed: the VMI cannot be migrated: disk', 'event FailedMigration'],
  ],
  [
    'another one moves it',
    { busyWith: migrationWith({}, { name: 'first' }) },
    ['status Failed: another migration of the VMI is in progress: first', 'event FailedMigration'],
  ],
  [
    'between clusters',
    { migration: migrationWith({}, {}, { receive: { migrationID: 'x' } }) },
    [
      'status Failed: spec.receive: migration between clusters is not available in this version',
      'event FailedMigration',
    ],
  ],
  [
    'VMI gone',
    { vmi: undefined, proven: true },
    ['status Failed: the VMI does not exist', 'event FailedMigration'],
  ],
  [
    'VMI over',
    { vmi: vmiOf(undefined, { phase: 'Failed' }) },
    ['status Failed: the VMI shut down during the migration', 'event FailedMigration'],
  ],
  [
    'deleted in the queue',
    { migration: migrationWith(phase('Pending'), deleting) },
    ['status Failed: Live migration has been aborted', 'event FailedMigration'],
  ],
  ['target Pod is there', { targetPod: targetPodWith({ phase: 'Pending' }) }, ['status Scheduling']],
  [
    'target Pod fits nowhere',
    { migration: migrationWith(phase('Scheduling')), targetPod: targetPodWith(unschedulable) },
    ['event migrationTargetPodUnschedulable'],
  ],
  [
    'target Pod fits nowhere for too long',
    {
      migration: migrationWith(phase('Scheduling')),
      targetPod: targetPodWith(unschedulable),
      nowMs: NOW_MS + 240_000,
    },
    ['status Failed: the target pod could not be scheduled: no node (waited 300 s)', 'event FailedMigration'],
  ],
  [
    'target Pod does not start',
    {
      migration: migrationWith(phase('Scheduling'), {
        annotations: { 'kubevirt.io/migrationPendingPodTimeoutSeconds': '30' },
      }),
      targetPod: targetPodWith({ phase: 'Pending' }),
    },
    ['status Failed: the target pod did not start in time (waited 30 s)', 'event FailedMigration'],
  ],
  [
    'target Pod ended',
    { migration: migrationWith(phase('Scheduling')), targetPod: targetPodWith({ phase: 'Failed' }) },
    ['status Failed: the target pod ended before the migration began', 'event FailedMigration'],
  ],
  [
    'target Pod is gone',
    { migration: migrationWith(phase('Scheduling')), proven: true },
    ['status Failed: the target pod is gone', 'event FailedMigration'],
  ],
  [
    'target Pod runs',
    { migration: migrationWith(phase('Scheduling')), targetPod: readyTarget },
    [
      'vmi add /status/migrationState,add /metadata/labels',
      'status PreparingTarget',
      'event SuccessfulHandOver',
    ],
  ],
  [
    'target Pod runs, and another one was handed over meanwhile',
    {
      migration: migrationWith(phase('Scheduling')),
      vmi: vmiOf({ ...handedOff, migrationUid: 'other-uid' }),
      targetPod: readyTarget,
      busyWith: migrationWith({}, { name: 'first', uid: 'other-uid' }),
    },
    ['status Failed: another migration of the VMI is in progress: first', 'event FailedMigration'],
  ],
  [
    'hand-off without its status',
    { vmi: vmiOf(handedOff), targetPod: readyTarget },
    ['status PreparingTarget'],
  ],
  [
    'target is ready',
    {
      migration: migrationWith(phase('PreparingTarget')),
      vmi: vmiOf({ ...handedOff, targetNodeAddress: '10.0.0.2' }),
      targetPod: readyTarget,
    },
    ['status TargetReady'],
  ],
  [
    'deleted before the source began',
    {
      migration: migrationWith(phase('TargetReady'), deleting),
      vmi: vmiOf(handedOff),
      targetPod: readyTarget,
    },
    [FAIL_RECORD, 'status Failed: Live migration has been aborted', 'event FailedMigration'],
  ],
  [
    'target ended before the source began',
    {
      migration: migrationWith(phase('PreparingTarget')),
      vmi: vmiOf(handedOff),
      targetPod: targetPodWith({ phase: 'Failed' }),
    },
    [FAIL_RECORD, 'status Failed: the target pod ended before the migration began', 'event FailedMigration'],
  ],
  [
    'nobody gets ready',
    {
      migration: migrationWith({
        phase: 'TargetReady',
        phaseTransitionTimestamps: [{ phase: 'PreparingTarget', phaseTransitionTimestamp: LATER }],
      }),
      vmi: vmiOf(handedOff),
      targetPod: readyTarget,
      nowMs: NOW_MS + 119_000,
    },
    [
      FAIL_RECORD,
      'status Failed: virt-handler of the source node did not get ready within 120 s',
      'event FailedMigration',
    ],
  ],
  [
    'source began',
    { migration: migrationWith(phase('TargetReady')), vmi: vmiOf(started), targetPod: readyTarget },
    ['status Running'],
  ],
  [
    'target ended while the source moves the guest: the source tells',
    {
      migration: migrationWith(phase('Running')),
      vmi: vmiOf(started),
      targetPod: targetPodWith({ phase: 'Failed' }),
    },
    [],
  ],
  [
    'deleted while it runs',
    { migration: migrationWith(phase('Running'), deleting), vmi: vmiOf(started), targetPod: readyTarget },
    ['vmi add /status/migrationState/abortRequested', 'event SuccessfulAbortMigration', 'status Running'],
  ],
  [
    'abort asked for already',
    {
      migration: migrationWith(
        phase('Running', {
          conditions: [
            {
              type: 'migrationAbortRequested',
              status: 'True',
              reason: 'MigrationAborted',
              message: 'The migration object was deleted.',
            },
          ],
        }),
        deleting,
      ),
      vmi: vmiOf({ ...started, abortRequested: true }),
      targetPod: readyTarget,
    },
    [],
  ],
  [
    'source failed',
    {
      migration: migrationWith(phase('Running')),
      vmi: vmiOf({ ...started, completed: true, failed: true, failureReason: 'no memory' }),
      targetPod: readyTarget,
    },
    ['status Failed: no memory', 'event FailedMigration'],
  ],
  [
    'source is done, the target has not taken over',
    {
      migration: migrationWith(phase('Running')),
      vmi: vmiOf({ ...started, completed: true, targetNodeDomainReadyTimestamp: LATER }),
      targetPod: readyTarget,
    },
    ['markTargetReady'],
  ],
  [
    'moved',
    {
      migration: migrationWith(phase('Running')),
      vmi: vmiOf({ ...started, completed: true }, { nodeName: 'node-2' }),
      targetPod: readyTarget,
    },
    ['status Succeeded', 'event SuccessfulMigration'],
  ],
  [
    'moved, and a change is still to be finished there',
    {
      migration: migrationWith(phase('Running')),
      vmi: vmiOf(
        { ...started, completed: true },
        { nodeName: 'node-2', conditions: [{ type: 'HotVCPUChange', status: 'True' }] },
      ),
      targetPod: readyTarget,
    },
    [],
  ],
  [
    'a later migration is on record',
    {
      migration: migrationWith(phase('Running')),
      vmi: vmiOf({ ...started, migrationUid: 'other' }),
      proven: true,
    },
    ['status Failed: the VMI is not the one that the migration was started for', 'event FailedMigration'],
  ],
  [
    'failed: nothing of it stays',
    {
      migration: migrationWith(phase('Failed')),
      vmi: {
        ...vmiOf({ ...started, completed: true, failed: true }),
        metadata: { ...vmiOf().metadata, labels: { 'kubevirt.io/migrationTargetNodeName': 'node-2' } },
      },
      targetPod: readyTarget,
    },
    [`vmi ${FORGET}`, 'delete target', 'release'],
  ],
  [
    'succeeded: earlier Pods go, the source has its time',
    {
      migration: migrationWith(
        phase('Succeeded', {
          phaseTransitionTimestamps: [{ phase: 'Succeeded', phaseTransitionTimestamp: LATER }],
        }),
      ),
      vmi: vmiOf({ ...started, completed: true }, { nodeName: 'node-2' }),
      pods: [readyPod, readyTarget, podWith({ phase: 'Succeeded' }, { name: 'first' })],
      targetPod: readyTarget,
    },
    ['delete first', 'release'],
  ],
  [
    'succeeded: a source that does not end',
    {
      migration: migrationWith(
        phase('Succeeded', {
          phaseTransitionTimestamps: [
            { phase: 'Succeeded', phaseTransitionTimestamp: '2026-01-01T00:00:00Z' },
          ],
        }),
        { finalizers: [] },
      ),
      vmi: vmiOf({ ...started, completed: true }, { nodeName: 'node-2' }),
      pods: [readyPod, readyTarget],
      targetPod: readyTarget,
    },
    ['delete pod'],
  ],
  ['the cache is behind', { cacheCaughtUp: false }, []],
];

for (const [name, more, want] of table) {
  test(`migration: ${name}`, () => {
    assert.deepEqual(told(reconcileMigration(observe(more)).actions), want);
  });
}

test('what the cache does not show is asked for before anything is decided', () => {
  const unknown: readonly Partial<MigrationObservation>[] = [
    { vmi: undefined },
    { migration: migrationWith(phase('Scheduling')) },
    { migration: migrationWith(phase('PreparingTarget')) },
    { migration: migrationWith(phase('PreparingTarget')), vmi: vmiOf(handedOff) },
  ];
  for (const more of unknown) {
    const plan = reconcileMigration(observe(more));
    assert.deepEqual([plan.actions, plan.needsProof], [[], true]);
  }
});

test('the hand-off holds only for the record that was seen, and freezes the settings', () => {
  const earlier = { migrationUid: 'old', completed: true };
  const observed = observe({ vmi: vmiOf(earlier), targetPod: readyTarget });
  const [patch, status] = reconcileMigration(observed).actions;
  assert.ok(patch?.kind === 'patchVmi' && status?.kind === 'status');
  assert.deepEqual(patch.patch.slice(0, 3), [
    { op: 'test', path: '/status/nodeName', value: 'node-1' },
    { op: 'test', path: '/spec/volumes', value: null },
    { op: 'test', path: '/status/migrationState', value: earlier },
  ]);
  assert.deepEqual(status.status.migrationState, {
    ...handedOff,
    migrationConfiguration: { allowPostCopy: true },
    migrationNetworkType: 'pod',
    migrationPolicyName: 'p',
    targetMemoryOverhead: '200Mi',
  });
  assert.deepEqual(
    status.status.phaseTransitionTimestamps?.map((stamp) => stamp.phase),
    ['Pending', 'Scheduling', 'Scheduled', 'PreparingTarget'],
  );
});

test('the report of the source goes along with its own migration only', () => {
  const report = JSON.stringify({ uid: 'move-uid', totalMs: 5 });
  const vmi = vmiOf({ ...started, completed: true }, { nodeName: 'node-2' });
  const reported = (text: string) => ({
    ...vmi,
    metadata: { ...vmi.metadata, annotations: { 'podvisor.io/migration-report': text } },
  });
  const release = (text: string) =>
    reconcileMigration(observe({ migration: migrationWith(phase('Succeeded')), vmi: reported(text) }))
      .actions;
  assert.deepEqual(release(report).at(-1), { kind: 'release', report });
  assert.deepEqual(release('{"uid":"other"}').at(-1), { kind: 'release', report: undefined });
});

test('a guest that is being backed up moves when that has ended', () => {
  const vmi = vmiOf();
  const busy = {
    ...vmi,
    status: {
      ...vmi.status,
      changedBlockTracking: { state: 'Enabled', backupStatus: { backupName: 'nightly' } },
    },
  };
  const [action] = reconcileMigration(observe({ vmi: busy })).actions;
  assert.ok(action?.kind === 'status');
  assert.equal(action.status.phase, 'Pending');
  assert.deepEqual(
    action.status.conditions?.map(({ type, message }) => [type, message]),
    [['migrationBlockedByBackup', 'backup nightly of the VMI is in progress']],
  );
  const waiting = migrationWith(action.status);
  assert.deepEqual(reconcileMigration(observe({ vmi: busy, migration: waiting })).actions, []);
  assert.deepEqual(told(reconcileMigration(observe({ migration: waiting })).actions), ['createTarget']);
});
