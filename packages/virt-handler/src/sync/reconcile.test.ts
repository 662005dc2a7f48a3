import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DomainView } from '../launcher-client/domain-view.ts';
import { domainState, POD_UID, vmiOf } from '../testing/objects.ts';
import { type Decision, reconcile } from './reconcile.ts';
import type { Situation, VmiKnowledge } from './situation.ts';

const NOW = Date.parse('2026-01-01T00:01:00Z');
const unknown: DomainView = { kind: 'unknown', why: 'no answer', sinceMs: NOW };
const noDomain: DomainView = { kind: 'absent', proof: 'launcher-says-so' };
const podEnded: DomainView = { kind: 'absent', proof: 'pod-ended' };
const present = (changes: Parameters<typeof domainState>[0] = {}): DomainView => ({
  kind: 'present',
  domain: domainState(changes),
});
const ours = (phase: string, deleting = false, graceSeconds?: number): VmiKnowledge => ({
  kind: 'ours',
  vmi: vmiOf({ phase }, deleting ? { deletionTimestamp: '2026-01-01T00:00:50Z' } : {}, graceSeconds),
});
/** A VMI that is about to start, with plugged claims: the UID of the Pod that holds each on the node. */
const withPlug = (...attachPodUIDs: readonly (string | undefined)[]): VmiKnowledge => {
  const uids = attachPodUIDs.length === 0 ? [undefined] : attachPodUIDs;
  const volumeStatus = uids.map((attachPodUID, index) => ({
    name: `data${index}`,
    target: '',
    hotplugVolume: attachPodUID === undefined ? {} : { attachPodUID },
  }));
  const vmi = vmiOf({ phase: 'Scheduled', volumeStatus });
  const volumes = volumeStatus.map(({ name }) => ({
    name,
    dataVolume: { name, hotpluggable: true },
  }));
  return { kind: 'ours', vmi: { ...vmi, spec: { ...vmi.spec, volumes } } };
};
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString();

function situation(vmi: VmiKnowledge, view: DomainView, changes: Partial<Situation> = {}): Situation {
  return {
    vmi,
    view,
    connected: true,
    linkSinceMs: NOW - 1000,
    pod: undefined,
    mayRunOnTarget: false,
    shutdown: {},
    isSpecSynced: true,
    plugged: new Set(),
    syncNotBeforeMs: 0,
    nowMs: NOW,
    ...changes,
  };
}

const off = { state: 'Shutoff', reason: 'Shutdown' } as const;
const cases: readonly (readonly [string, Situation, Decision['kind'] | Decision])[] = [
  // Unknown never acts.
  ['running, domain unknown', situation(ours('Running'), unknown, { connected: false }), 'wait'],
  ['deleting, domain unknown', situation(ours('Running', true), unknown, { connected: false }), 'wait'],
  ['deleting without grace, domain unknown', situation(ours('Running', true, 0), unknown), 'wait'],
  ['VMI unknown, domain there', situation({ kind: 'unknown' }, present()), 'wait'],
  ['VMI gone, domain unknown', situation({ kind: 'gone' }, unknown), 'wait'],
  [
    'VMI gone, domain there, launcher away',
    situation({ kind: 'gone' }, present(), { connected: false }),
    'wait',
  ],
  ['VMI elsewhere, domain there', situation({ kind: 'elsewhere' }, present()), 'wait'],
  // Shut down.
  [
    'deleting, first time',
    situation(ours('Running', true), present()),
    { kind: 'ask-shutdown', requeueAfterMs: 5000 },
  ],
  [
    'deleting, short grace',
    situation(ours('Running', true, 2), present()),
    { kind: 'ask-shutdown', requeueAfterMs: 2000 },
  ],
  [
    'deleting, no grace',
    situation(ours('Running', true, 0), present()),
    { kind: 'kill', why: 'no grace period' },
  ],
  [
    'deleting, asked 3 s ago',
    situation(ours('Running', true), present({ shutdownRequestedAt: at(3) }), {
      shutdown: { firstAskedMs: NOW - 3000, lastAskedMs: NOW - 3000 },
    }),
    { kind: 'wait', why: 'the guest is shutting down', requeueAfterMs: 2000 },
  ],
  [
    'deleting, asked 5 s ago',
    situation(ours('Running', true), present({ shutdownRequestedAt: at(5) }), {
      shutdown: { firstAskedMs: NOW - 5000, lastAskedMs: NOW - 5000 },
    }),
    { kind: 'ask-shutdown', requeueAfterMs: 5000 },
  ],
  [
    'deleting, asked by an earlier handler',
    situation(ours('Running', true), present({ shutdownRequestedAt: at(10) })),
    'ask-shutdown',
  ],
  [
    'deleting, grace over',
    situation(ours('Running', true), present({ shutdownRequestedAt: at(31) })),
    { kind: 'kill', why: 'grace period over' },
  ],
  [
    'deleting, grace over by our own memory',
    situation(ours('Running', true), present(), { shutdown: { firstAskedMs: NOW - 30_000 } }),
    { kind: 'kill', why: 'grace period over' },
  ],
  [
    'domain asked to shut down, VMI not deleted',
    situation(ours('Running'), present({ shutdownRequestedAt: at(6) })),
    'ask-shutdown',
  ],
  // Destroy.
  [
    'post-copy failed',
    situation(ours('Running'), present({ state: 'Paused', reason: 'PostcopyFailed' })),
    { kind: 'kill', why: 'migration failed in post-copy' },
  ],
  ['VMI over, domain alive', situation(ours('Failed'), present()), { kind: 'kill', why: 'VMI is over' }],
  // Delete.
  ['guest shut down', situation(ours('Running'), present(off)), 'delete-domain'],
  ['guest shut down, VMI deleting', situation(ours('Succeeded', true), present(off)), 'delete-domain'],
  ['crashed', situation(ours('Running'), present({ state: 'Crashed' })), 'delete-domain'],
  ['VMI gone, domain alive', situation({ kind: 'gone' }, present()), { kind: 'kill', why: 'VMI is gone' }],
  ['VMI gone, domain off', situation({ kind: 'gone' }, present(off)), 'delete-domain'],
  ['VMI gone, domain gone', situation({ kind: 'gone' }, noDomain), 'forget'],
  ['VMI gone, Pod ended', situation({ kind: 'gone' }, podEnded, { connected: false }), 'forget'],
  [
    'VMI elsewhere, domain off',
    situation({ kind: 'elsewhere' }, present({ state: 'Shutoff', reason: 'Migrated' })),
    'delete-domain',
  ],
  ['VMI over, Pod ended', situation(ours('Succeeded'), podEnded, { connected: false }), 'forget'],
  ['scheduled, Pod ended', situation(ours('Scheduled'), podEnded, { connected: false }), 'forget'],
  // Update.
  ['scheduled, no domain yet', situation(ours('Scheduled'), noDomain), 'sync'],
  ['scheduled, a plugged claim is not on the node yet', situation(withPlug(), noDomain), 'wait'],
  [
    'scheduled, one of two plugged claims is on the node',
    situation(withPlug(POD_UID, undefined), noDomain),
    'wait',
  ],
  ['scheduled, its plugged claims are on the node', situation(withPlug(POD_UID, POD_UID), noDomain), 'sync'],
  [
    'its claims are late, and the guest runs already',
    situation(withPlug(), present(), { isSpecSynced: false }),
    'sync',
  ],
  ['scheduled, no domain, deleting', situation(ours('Scheduled', true), noDomain), 'forget'],
  ['scheduled, launcher away', situation(ours('Scheduled'), noDomain, { connected: false }), 'wait'],
  ['running, domain vanished', situation(ours('Running'), noDomain), 'wait'],
  [
    'defined, not started',
    situation(ours('Scheduled'), present({ state: 'Shutoff', reason: 'Unknown' })),
    'sync',
  ],
  ['running as wanted', situation(ours('Running'), present()), 'nothing'],
  ['running, spec changed', situation(ours('Running'), present(), { isSpecSynced: false }), 'sync'],
  [
    'scheduled, last attempt failed',
    situation(ours('Scheduled'), noDomain, { syncNotBeforeMs: NOW + 400 }),
    { kind: 'wait', why: 'the last attempt failed a moment ago', requeueAfterMs: 400 },
  ],
  [
    'scheduled, last attempt failed long ago',
    situation(ours('Scheduled'), noDomain, { syncNotBeforeMs: NOW }),
    'sync',
  ],
  ['paused by user', situation(ours('Running'), present({ state: 'Paused', reason: 'User' })), 'nothing'],
];

describe('reconcile', () => {
  for (const [name, input, expected] of cases)
    test(name, () => {
      const decision = reconcile(input);
      if (typeof expected === 'string') assert.equal(decision.kind, expected, JSON.stringify(decision));
      else assert.deepEqual(decision, expected);
    });

  test('no situation with an unknown domain or VMI leads to an act', () => {
    const acts = new Set(['kill', 'ask-shutdown', 'delete-domain', 'sync', 'forget']);
    const knowledge: VmiKnowledge[] = [
      { kind: 'gone' },
      { kind: 'elsewhere' },
      { kind: 'unknown' },
      ...['Scheduled', 'Running', 'Succeeded', 'Failed'].flatMap((p) => [
        ours(p),
        ours(p, true),
        ours(p, true, 0),
      ]),
    ];
    for (const vmi of knowledge)
      for (const connected of [true, false])
        assert.ok(!acts.has(reconcile(situation(vmi, unknown, { connected })).kind), JSON.stringify(vmi));
  });
});
