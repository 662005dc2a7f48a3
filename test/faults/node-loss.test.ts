/**
 * The table of docs/node-loss.md, row by row: the network, the storage, both, or the power of a node with guests on
 * shared storage, and a launcher that stands still. The guests write all the time; at the end every entry that they
 * acknowledged is on the disk, and no two runs have overlapped. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { eventually } from '../support/eventually.ts';
import { LossWorld, processesOf, stopLauncher, type Survivor } from './node-loss/world.ts';

/** Much shorter than the defaults, and long enough for a busy machine. */
const TIMES = { leaseSeconds: 5, silenceSeconds: 5 };
const LIMIT_MS = 120_000;

describe('a node is lost', { concurrency: 1 }, () => {
  let world: LossWorld;
  let survivor: Survivor;
  /** Its launcher will stand still. */
  let sleeper: Survivor;
  /** Its disk is not on shared storage. */
  let local: Survivor;

  before(async () => {
    world = await LossWorld.create(TIMES, 3);
    const [shared, own] = await Promise.all([
      world.start('survivor', 'sleeper'),
      world.startTicking(['local'], { accessMode: 'ReadWriteOnce' }),
    ]);
    [survivor, sleeper, local] = [...shared, ...own] as [Survivor, Survivor, Survivor];
  });
  after(() => world?.[Symbol.asyncDispose]());

  test('before: guests keep a lease, and everybody can see that they would survive', async () => {
    await Promise.all([survivor, sleeper].map((vm) => vm.told('FencedByLease', 'LeaseRenewed', 30_000)));
    const { stdout } = await world.instance.virtctl('get-ha');
    assert.match(stdout, /survivor +node-\d +yes/);
    assert.match(stdout, /local +node-\d +no .*not ReadWriteMany/);
    assert.match(stdout, /2 of 3 VMs start elsewhere/);
    await local.told('FencedByLease', 'DiskIsLocal', 30_000);
    assert.deepEqual(await Promise.all([sleeper.node(), local.node()]), Array(2).fill(await survivor.node()));
  });

  test('a node that is Ready is not fenced, whatever is said', async () => {
    const { code, stderr } = await world.instance.virtctl('fence', await survivor.node(), '--confirmed-off');
    assert.notEqual(code, 0);
    assert.match(stderr, /is Ready: it is heard of/);
  });

  test('only the network is cut: a guest goes on, and nobody takes it, unless its launcher stands still', async () => {
    const [alive, stopped] = await Promise.all([survivor.vmi(), sleeper.vmi()]);
    const node = await survivor.node();
    await world.fault('cut', node);
    const goOn = stopLauncher(stopped);
    const goesOn = async (): Promise<void> => {
      await survivor.told('NodeLost', 'LeaseNotOver', LIMIT_MS);
      assert.equal((await survivor.vmi())?.metadata?.uid, alive?.metadata?.uid);
      assert.equal(processesOf(alive, 'qemu-system').length, 1);
      assert.match((await world.instance.virtctl('why', 'vm/survivor')).stdout, /node-lost-lease-renewed/);
    };
    const isTaken = async (): Promise<void> => {
      await sleeper.restarted(stopped, LIMIT_MS);
      assert.deepEqual(processesOf(stopped, 'qemu-system'), [], 'its switch has ended it, and nobody else');
      assert.equal(
        processesOf(stopped, 'virt-launcher.mjs').length,
        1,
        'the launcher stands still all the time',
      );
      // It finds its guest ended and its lease taken; what it could do wrong it does now, beside a guest that boots.
      goOn();
      await sleeper.writes(Date.now(), LIMIT_MS);
    };
    await Promise.all([goesOn(), isTaken()]);
    await world.fault('heal', node);
    await eventually('nothing is said of it any more', 30_000, async () =>
      (await survivor.condition('NodeLost')) === undefined ? true : undefined,
    );
    await survivor.writes(Date.now(), 30_000);
    assert.equal((await survivor.vmi())?.metadata?.uid, alive?.metadata?.uid);
  });

  test('only the storage is cut: the guest waits, and is told from one whose node is lost', async () => {
    const before = await survivor.vmi();
    await world.fault('cut', await survivor.node(), '--storage');
    await survivor.told('FencedByLease', 'StorageLost', LIMIT_MS);
    // Longer than its lease: only its node's word keeps it.
    await new Promise((resolve) => setTimeout(resolve, TIMES.leaseSeconds * 1000));
    assert.equal(await survivor.condition('NodeLost'), undefined);
    assert.equal(processesOf(before, 'qemu-system').length, 1);
    await world.fault('heal', await survivor.node());
    await survivor.told('FencedByLease', 'LeaseRenewed', 30_000);
    await survivor.writes(Date.now(), 30_000);
    assert.equal((await survivor.vmi())?.metadata?.uid, before?.metadata?.uid);
  });

  test('two nodes are lost at once, one with its power, one to network and storage: both guests run on the third', async () => {
    const [dark, cut] = await Promise.all([survivor.vmi(), sleeper.vmi()]);
    const [darkNode, cutNode] = [dark?.status?.nodeName ?? '', cut?.status?.nodeName ?? ''];
    assert.notEqual(darkNode, cutNode);
    await world.fault('cut', cutNode, '--storage');
    await world.fault('cut', cutNode);
    const lostAt = Date.now();
    await world.fault('kill', darkNode);
    await Promise.all([powerFails(dark, lostAt), isEnded(cut, cutNode)]);
    await Promise.all([survivor, sleeper].map((vm) => vm.writes(Date.now(), LIMIT_MS)));
    const [third] = new Set([await survivor.node(), await sleeper.node()]);
    assert.ok(third !== darkNode && third !== cutNode);
    for (const vm of [survivor, sleeper]) {
      const events = await vm.events();
      for (const reason of ['NodeLost', 'LeaseExpired', 'Fenced', 'RestartedOn'])
        assert.ok(events.includes(reason), `${reason} in ${events.join(', ')}`);
    }
  });

  /** It runs on another node when its lease is provably over. */
  async function powerFails(before: VirtualMachineInstance | undefined, lostAt: number): Promise<void> {
    await survivor.restarted(before, LIMIT_MS);
    console.log(`# power lost → Running elsewhere: ${((Date.now() - lostAt) / 1000).toFixed(1)} s`);
  }

  /** Cut from everything: the guest is ended where it is, and then runs elsewhere. */
  async function isEnded(before: VirtualMachineInstance | undefined, node: string): Promise<void> {
    // Either it has ended, and its run is over. Or its last write is still in the kernel of this machine, and its disk
    // locked: then nobody takes it, although the lease is over, until QEMU is gone.
    await eventually('it is ended, or its disk is locked', LIMIT_MS, async () => {
      const isOver = (await sleeper.vmi())?.metadata?.uid !== before?.metadata?.uid;
      if (isOver) assert.deepEqual(processesOf(before, 'qemu-system'), [], 'nobody else before it has ended');
      const reason = (await sleeper.condition('NodeLost'))?.reason;
      return isOver || reason === 'LeaseNotOver' ? true : undefined;
    });
    // What it had begun to write may hold up others in the same file system: this storage is one machine's.
    await world.fault('heal', node, '--storage');
    await sleeper.restarted(before, LIMIT_MS);
    assert.deepEqual(processesOf(before, 'qemu-system'), []);
  }

  test('a guest with local disks is lost with its node, until somebody says that the machine is off', async () => {
    const before = await local.vmi();
    await local.told('NodeLost', 'DiskIsLocal', LIMIT_MS);
    const node = await local.node();
    await eventually('the word is taken, when the node is not Ready any more', LIMIT_MS, async () => {
      const { code } = await world.instance.virtctl('fence', node, '--confirmed-off');
      return code === 0 ? true : undefined;
    });
    await local.restarted(before, LIMIT_MS);
    await local.writes(Date.now(), LIMIT_MS);
    assert.ok((await local.events()).includes('Fenced'));
    assert.ok(!(await local.events()).includes('LeaseExpired'), 'there was none');
  });

  test('power is lost while the guest migrates: it starts elsewhere when its target has ended without it', async () => {
    await Promise.all(['node-1', 'node-2', 'node-3'].map((node) => world.heal(node)));
    await world.slowMigrations();
    const before = await sleeper.vmi();
    const node = await sleeper.node();
    const { code, stdout, stderr } = await world.instance.virtctl('migrate', 'sleeper');
    assert.equal(code, 0, stdout + stderr);
    await eventually('its memory is on its way', LIMIT_MS, async () => {
      const state = (await sleeper.vmi())?.status?.migrationState;
      return state?.startTimestamp !== undefined && state.completed !== true ? true : undefined;
    });
    await world.fault('kill', node);
    // The target notices first that its source is silent, and then its Pod ends.
    await sleeper.restarted(before, 2 * LIMIT_MS);
    await sleeper.writes(Date.now(), LIMIT_MS);
    assert.ok((await sleeper.events()).includes('NodeLost'));
  });

  test('no entry that was acknowledged is lost, and no two runs have overlapped', () => {
    assert.deepEqual(
      [survivor, sleeper, local].flatMap((vm) => vm.judge()),
      [],
    );
  });
});
