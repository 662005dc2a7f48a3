import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig } from '@podvisor/api';
import { migrationWith } from '../../testing/migrations.ts';
import { NOW_MS } from '../../testing/objects.ts';
import { outdatedMigrations } from './garbage.ts';
import { type Candidate, mayStart, pauseMs } from './turn.ts';

const limits = clusterConfig().migrations;
const EVACUATION = { annotations: { 'kubevirt.io/evacuationMigration': 'n' } };

function candidate(
  uid: string,
  node: string,
  more: Partial<Candidate> & { priority?: string } = {},
): Candidate {
  const { priority, ...rest } = more;
  return {
    migration: migrationWith({}, { uid, name: uid }, priority === undefined ? {} : { priority }),
    sourceNode: node,
    active: false,
    held: false,
    ...rest,
  };
}

const started = (candidates: readonly Candidate[], over = {}): readonly string[] => [
  ...mayStart(candidates, { ...limits, ...over }),
];

test('two leave a node at once, five move in the cluster, in the order of age', () => {
  const all = ['a', 'b', 'c', 'd'].flatMap((node) => [1, 2, 3].map((n) => candidate(`${node}${n}`, node)));
  assert.deepEqual(started(all), ['a1', 'a2', 'b1', 'b2', 'c1']);
  assert.deepEqual(started(all, { parallelMigrationsPerCluster: 20 }).length, 8);
});

test('who is on the way counts, wherever it comes from', () => {
  const busy = [candidate('x', 'a', { active: true }), candidate('y', 'a', { active: true })];
  assert.deepEqual(started([...busy, candidate('a1', 'a'), candidate('b1', 'b')]), ['b1']);
  const full = Array.from({ length: 5 }, (_, n) => candidate(`x${n}`, `n${n}`, { active: true }));
  assert.deepEqual(started([...full, candidate('b1', 'b')]), []);
});

test('priorities go first, and who is held takes no place', () => {
  const waiting = [
    candidate('maintenance', 'a', { priority: 'system-maintenance' }),
    candidate('person', 'a'),
    candidate('named', 'a', { priority: 'user-triggered' }),
    candidate('critical', 'a', { priority: 'system-critical' }),
  ];
  assert.deepEqual(started(waiting), ['critical', 'named']);
  const held = waiting.map((one) => ({ ...one, held: one.migration.metadata?.uid === 'critical' }));
  assert.deepEqual(started(held), ['named', 'person']);
});

const ended = (uid: string, phase: string, secondsAgo: number, metadata = EVACUATION) =>
  migrationWith(
    {
      phase,
      phaseTransitionTimestamps: [
        { phase, phaseTransitionTimestamp: new Date(NOW_MS - secondsAgo * 1000).toISOString() },
      ],
    },
    { uid, name: uid, ...metadata },
  );

test('after failures in a row an evacuation waits 20 s, doubled with each; a person never waits', () => {
  const mine = migrationWith({}, EVACUATION);
  const cases = [
    [[], 0],
    [[ended('a', 'Failed', 5)], 15_000],
    [[ended('a', 'Failed', 25)], 0],
    [[ended('a', 'Failed', 30), ended('b', 'Failed', 10)], 30_000],
    [[ended('a', 'Failed', 30), ended('b', 'Succeeded', 10)], 0],
    [[ended('a', 'Failed', 90), ended('b', 'Succeeded', 60), ended('c', 'Failed', 5)], 15_000],
    [[ended('a', 'Failed', 5, { annotations: {} } as never)], 0],
  ] as const;
  for (const [siblings, want] of cases) assert.equal(pauseMs(mine, siblings, NOW_MS), want);
  assert.equal(pauseMs(migrationWith(), [ended('a', 'Failed', 5)], NOW_MS), 0);
});

test('five ended migrations are kept', () => {
  const all = [8, 7, 6, 5, 4, 3, 2].map((age) =>
    ended(`m${age}`, age % 2 === 0 ? 'Failed' : 'Succeeded', age),
  );
  const open = migrationWith({ phase: 'Running' }, { uid: 'open' });
  const gone = outdatedMigrations([open, ...all]).map(({ metadata }) => metadata?.uid);
  assert.deepEqual(gone, ['m8', 'm7']);
});
