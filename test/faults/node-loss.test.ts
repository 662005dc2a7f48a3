/**
 * The table of docs/node-loss.md, row by row: the network, the storage, both, or the power of a node with a guest on
 * shared storage. The guest writes all the time; at the end every entry that it acknowledged is on the disk, and no
 * two runs of it have overlapped. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { LossWorld } from './node-loss/world.ts';

/** Shorter than the defaults, and long enough for a busy machine. */
const TIMES = { leaseSeconds: 8, silenceSeconds: 8 };
const LIMIT_MS = 120_000;

describe('a node is lost', { concurrency: 1 }, () => {
  let world: LossWorld;

  before(async () => {
    world = await LossWorld.create(TIMES);
  });
  after(() => world?.[Symbol.asyncDispose]());

  test('before: the guest keeps a lease, and everybody can see that it would survive', async () => {
    await world.told('FencedByLease', 'LeaseRenewed', 30_000);
    const { stdout } = await world.instance.virtctl('get-ha');
    assert.match(stdout, /survivor +node-\d +yes/);
    assert.match(stdout, /1 of 1 VM start elsewhere/);
  });

  test('a node that is Ready is not fenced, whatever is said', async () => {
    const { code, stderr } = await world.instance.virtctl('fence', await world.node(), '--confirmed-off');
    assert.notEqual(code, 0);
    assert.match(stderr, /is Ready: it is heard of/);
  });

  test('only the network is cut: the guest goes on, and nobody takes it', async () => {
    const before = await world.vmi();
    const node = await world.node();
    await world.fault('cut', node);
    await world.told('NodeLost', 'LeaseNotOver', LIMIT_MS);
    assert.equal((await world.vmi())?.metadata?.uid, before?.metadata?.uid);
    assert.equal((await world.qemuOf(before)).length, 1);
    assert.match((await world.instance.virtctl('why', 'vm/survivor')).stdout, /node-lost-lease-renewed/);
    await world.fault('heal', node);
    await eventually('nothing is said of it any more', 30_000, async () =>
      (await world.condition('NodeLost')) === undefined ? true : undefined,
    );
    await world.writes(Date.now(), 30_000);
    assert.equal((await world.vmi())?.metadata?.uid, before?.metadata?.uid);
  });

  test('only the storage is cut: the guest waits, and is told from one whose node is lost', async () => {
    const before = await world.vmi();
    await world.fault('cut', await world.node(), '--storage');
    await world.told('FencedByLease', 'StorageLost', LIMIT_MS);
    // Longer than its lease: only its node's word keeps it.
    await new Promise((resolve) => setTimeout(resolve, TIMES.leaseSeconds * 1000));
    assert.equal(await world.condition('NodeLost'), undefined);
    assert.equal((await world.qemuOf(before)).length, 1);
    await world.fault('heal', await world.node());
    await world.told('FencedByLease', 'LeaseRenewed', 30_000);
    await world.writes(Date.now(), 30_000);
    assert.equal((await world.vmi())?.metadata?.uid, before?.metadata?.uid);
  });

  test('the power fails: it runs on the other node when its lease is provably over', async () => {
    const before = await world.vmi();
    const lostAt = Date.now();
    await world.fault('kill', before?.status?.nodeName ?? '');
    await world.restarted(before, LIMIT_MS);
    console.log(`# power lost → Running elsewhere: ${((Date.now() - lostAt) / 1000).toFixed(1)} s`);
    await world.writes(Date.now(), LIMIT_MS);
    const events = await world.events();
    for (const reason of ['NodeLost', 'LeaseExpired', 'Fenced', 'RestartedOn'])
      assert.ok(events.includes(reason), `${reason} in ${events.join(', ')}`);
    await world.fault('heal', before?.status?.nodeName ?? '');
  });

  test('network and storage are cut: the guest is ended where it is, and then runs elsewhere', async () => {
    const before = await world.vmi();
    const node = await world.node();
    await world.fault('cut', node, '--storage');
    await world.fault('cut', node);
    // Either it has ended, and its run is over. Or its last write is still in the kernel of this machine, and its disk
    // locked: then nobody takes it, although the lease is over, until QEMU is gone.
    await eventually('it is ended, or its disk is locked', LIMIT_MS, async () => {
      const isOver = (await world.vmi())?.metadata?.uid !== before?.metadata?.uid;
      if (isOver) assert.deepEqual(await world.qemuOf(before), [], 'nobody else before it has ended');
      const reason = (await world.condition('NodeLost'))?.reason;
      return isOver || reason === 'LeaseNotOver' ? true : undefined;
    });
    // What it had begun to write may hold up others in the same file system: this storage is one machine's.
    await world.fault('heal', node, '--storage');
    await world.restarted(before, LIMIT_MS);
    assert.deepEqual(await world.qemuOf(before), []);
    await world.writes(Date.now(), LIMIT_MS);
    await world.fault('heal', node);
  });

  test('no entry that was acknowledged is lost, and no two runs have overlapped', () => {
    assert.deepEqual(world.judge(), []);
  });
});
