import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LeaseReport } from '@podvisor/api';
import { decideLoss, type LossDecision, type LossFacts } from './decide.ts';

const expired: LeaseReport = {
  verdict: 'expired',
  message: 'not renewed for 16 s',
  leaseMs: 16_000,
  silenceMs: 20_000,
};
const facts: LossFacts = {
  nodeName: 'n1',
  silentMs: 21_000,
  silenceMs: 20_000,
  isQuiet: true,
  nodeExists: true,
  outOfService: false,
  confirmedOff: 'no',
  move: 'none',
  place: { kind: 'volume', volume: 'root', claim: 'root' },
  keepsLease: true,
  watch: { kind: 'none' },
};
const local: LossFacts['place'] = {
  kind: 'none',
  reason: 'DiskIsLocal',
  message: 'claim root is not ReadWriteMany',
};
const running = (forMs: number): LossFacts['watch'] => ({ kind: 'running', forMs, leaseMs: 16_000 });
const ended = (report: LeaseReport | undefined): LossFacts['watch'] => ({ kind: 'ended', report });
const short = (decision: LossDecision): string =>
  [decision.kind, 'proof' in decision ? decision.proof : 'reason' in decision ? decision.reason : '']
    .join(' ')
    .trim();

const cases: readonly [string, Partial<LossFacts>, string][] = [
  ['the node is heard of', { silentMs: 100, isQuiet: false }, 'leave'],
  ['it is late: who will watch the lease begins', { silentMs: 12_000 }, 'prepare'],
  [
    'it is late, and nothing is given up before its time',
    { silentMs: 19_999, watch: ended(expired) },
    'prepare',
  ],
  ['late, with local disks', { silentMs: 12_000, place: local }, 'leave'],
  ['late, and no lease is kept', { silentMs: 12_000, keepsLease: false }, 'leave'],
  ['late, while the guest moves', { silentMs: 12_000, move: 'underWay' }, 'leave'],
  ['nobody can tell', { silentMs: undefined, isQuiet: false }, 'leave'],
  [
    'an ended lease is no reason while the node is heard of',
    { silentMs: 100, isQuiet: false, watch: ended(expired) },
    'leave',
  ],
  ['silent: the lease is watched', {}, 'watch WatchingLease'],
  ['the watcher waits for a node', { watch: { kind: 'pending', why: 'no node' } }, 'lost WatchingLease'],
  ['it has just begun', { watch: running(5_000) }, 'lost WatchingLease'],
  ['only the network is cut: the lease is renewed', { watch: running(60_000) }, 'lost LeaseNotOver'],
  ['expired', { watch: ended(expired) }, 'fence LeaseExpired'],
  [
    'expired, but the guest was started under a longer silence',
    { watch: ended({ ...expired, silenceMs: 60_000 }) },
    'lost WatchingLease',
  ],
  ['given back', { watch: ended({ ...expired, verdict: 'released' }) }, 'fence LeaseReleased'],
  [
    'the lease is not of this runner',
    { watch: ended({ ...expired, verdict: 'foreign' }) },
    'lost LeaseForeign',
  ],
  ['the watcher ended without a word', { watch: ended(undefined) }, 'watch WatchingLease'],
  ['on its way to another node', { move: 'underWay', watch: ended(expired) }, 'lost Migrating'],
  [
    'it has left, and its target has not taken over yet',
    { move: 'done', watch: ended(expired) },
    'lost Migrating',
  ],
  [
    'it has left: a word on this machine is none on the target',
    { move: 'done', confirmedOff: 'yes' },
    'lost Migrating',
  ],
  ['late, when it has left', { silentMs: 12_000, move: 'done' }, 'leave'],
  [
    'it may have left, and the machine is off',
    { move: 'underWay', confirmedOff: 'yes' },
    'fence ConfirmedOff',
  ],
  ['local disks prove nothing', { place: local }, 'lost DiskIsLocal'],
  [
    'a lease that was never kept proves nothing',
    { keepsLease: false, watch: ended(expired) },
    'lost LeaseNotKept',
  ],
  ['out of service', { place: local, outOfService: true }, 'fence OutOfService'],
  ['deleted', { place: local, nodeExists: false }, 'fence NodeDeleted'],
  ['somebody says so', { place: local, confirmedOff: 'yes' }, 'fence ConfirmedOff'],
  [
    'a word against what is seen is not believed',
    { silentMs: 1_000, confirmedOff: 'yes', outOfService: true, nodeExists: false },
    'leave',
  ],
  ['nor while nothing is known', { silentMs: undefined, confirmedOff: 'yes' }, 'leave'],
  ['unless it is forced', { silentMs: 1_000, confirmedOff: 'forced' }, 'fence ConfirmedOff'],
];

for (const [name, more, wanted] of cases)
  test(name, () => assert.equal(short(decideLoss({ ...facts, ...more })), wanted));
