import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeClock, requireUid } from '@podvisor/base';
import { vmiOf } from '../testing/objects.ts';
import { UsageFiles } from './usage-files.ts';
import { UsageKeeper } from './usage-keeper.ts';

const UID = requireUid('0d4e8a76-8a12-4f0c-9d0b-0123456789ab', 'VMI');
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} };
let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pvu-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A node with one guest, which uses a nanosecond more each time it is asked. */
class Node {
  readonly clock = new FakeClock(Date.now());
  asked = 0;
  isHere = true;
  read: () => Promise<Record<string, unknown> | undefined> = async () => ({ 'cpu.time': this.asked });

  keeper(): UsageKeeper {
    const vmi = { ...vmiOf({ phase: 'Running' }), metadata: { namespace: 'shop', name: 'web', uid: UID } };
    const numbers = {
      read: () => {
        this.asked += 1;
        return this.read();
      },
    };
    return new UsageKeeper({
      measured: () => (this.isHere ? [{ vmi, numbers, taps: {} }] : []),
      present: () => new Set(this.isHere ? [UID] : []),
      files: new UsageFiles(directory),
      clock: this.clock,
      log,
    });
  }

  async pass(keeper: UsageKeeper, times: number): Promise<void> {
    for (let i = 0; i < times; i += 1) {
      this.clock.advance(30_000);
      await keeper.pass();
    }
  }
}

test('an hour is kept and no more, however long the guest runs', async () => {
  const node = new Node();
  const keeper = node.keeper();
  assert.equal(keeper.history(UID), undefined);
  await node.pass(keeper, 200);
  const { points = [], nowMs } = keeper.history(UID) ?? {};
  assert.deepEqual([points.length, points[0]?.cpuNs, points.at(-1)?.cpuNs], [120, 81, 200]);
  assert.equal(points.at(-1)?.atMs, nowMs);
});

test('a guest that cannot be asked is only a gap, and one whose launcher keeps an hour itself has none here', async () => {
  const node = new Node();
  const keeper = node.keeper();
  node.read = async () => {
    if (node.asked === 2) throw new Error('no answer in time');
    return { 'cpu.time': node.asked };
  };
  await node.pass(keeper, 3);
  assert.deepEqual(
    keeper.history(UID)?.points.map(({ cpuNs }) => cpuNs),
    [1, 3],
  );
  const older = new Node();
  older.read = async () => undefined;
  rmSync(directory, { recursive: true });
  const other = older.keeper();
  await older.pass(other, 3);
  assert.equal(other.history(UID), undefined);
});

test('the past goes a while after the guest has left, and its file with it', async () => {
  const node = new Node();
  const keeper = node.keeper();
  await node.pass(keeper, 12);
  assert.deepEqual(readdirSync(join(directory, 'usage')), [`${UID}.json`]);
  node.isHere = false;
  await node.pass(keeper, 5);
  assert.equal(keeper.history(UID)?.points.length, 12, 'for the node that it went to');
  await node.pass(keeper, 10);
  assert.equal(keeper.history(UID), undefined);
  assert.deepEqual(readdirSync(join(directory, 'usage')), []);
});

test('a new virt-handler goes on where the old one ended', async () => {
  const node = new Node();
  const old = node.keeper();
  const stop = new AbortController();
  const run = old.run(stop.signal);
  await node.pass(old, 13);
  stop.abort();
  await run;
  const fresh = node.keeper();
  assert.equal(fresh.history(UID)?.points.length, 13, 'before its first measurement');
  await node.pass(fresh, 1);
  assert.equal(fresh.history(UID)?.points.length, 14);
  // Killed: what was not written yet is a gap of five minutes at most.
  await node.pass(fresh, 12);
  assert.equal(node.keeper().history(UID)?.points.length, 23);
});

test('what came from elsewhere is before what was measured here', async () => {
  const node = new Node();
  const keeper = node.keeper();
  const past = { cpuNs: 900, diskReadBytes: 0, diskWrittenBytes: 0, receivedBytes: 0, sentBytes: 0 };
  const beforeMs = node.clock.now() - 60_000;
  await node.pass(keeper, 2);
  keeper.inherit(UID, [{ atMs: beforeMs, ...past }]);
  assert.deepEqual(
    keeper.history(UID)?.points.map(({ cpuNs }) => cpuNs),
    [900, 1, 2],
  );
});

test('files that are broken, or an hour old, are no past', async () => {
  const node = new Node();
  const files = new UsageFiles(directory);
  const path = join(directory, 'usage', `${UID}.json`);
  for (const text of ['', '{', '[]', 'null', '{"points":7}', ' '.repeat(300_000)]) {
    writeFileSync(path, text);
    assert.deepEqual(files.read(UID, node.clock.now()), [], text.slice(0, 20));
  }
  const longAgo = (node.clock.now() - 3_700_000) / 1000;
  utimesSync(path, longAgo, longAgo);
  files.sweep(node.clock.now());
  assert.deepEqual(readdirSync(join(directory, 'usage')), []);
});
