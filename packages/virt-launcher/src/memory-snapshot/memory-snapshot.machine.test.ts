/** The memory of a running guest is saved with its disks, and a second launcher goes on from copies of both; real QEMU. */
import assert from 'node:assert/strict';
import {
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  annotations,
  HIBERNATION_VOLUME,
  hibernatedStateText,
  MEMORY_SNAPSHOT_VOLUME,
  type MemorySnapshotType,
  memorySnapshotTypes,
  refusalIn,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { openConsole } from '../testing/console.ts';
import { startTestLauncher, type TestLauncher, UID, until } from '../testing/launcher-process.ts';
import { tinyGuestBoots } from '../testing/tiny-guest.ts';

const KEY = { stateKey: Buffer.alloc(32, 7).toString('base64') };

describe('a snapshot with memory', { timeout: 240_000 }, () => {
  let first: TestLauncher;
  let second: TestLauncher;
  let claim: string;
  const disk = (launcher: TestLauncher): string => join(launcher.directory, 'p/vmi-disks/boot');
  const snapshotting = (type: MemorySnapshotType, claimName: string): VirtualMachineInstance => {
    const vmi = first.tinyVmi();
    return {
      ...vmi,
      spec: { ...vmi.spec, utilityVolumes: [{ name: MEMORY_SNAPSHOT_VOLUME, claimName, type }] },
    };
  };
  const sync = (vmi: VirtualMachineInstance) => first.sync(vmi, { ...first.tinyOptions(), ...KEY });
  const phase = (wanted: string) =>
    first.state((seen) => seen?.memorySnapshot?.phase === wanted, `a snapshot that is ${wanted}`, 60_000);
  const answers = async (launcher: TestLauncher, letter: string): Promise<string> => {
    const console = openConsole(launcher);
    console.type(letter);
    await until(() => console.text().endsWith(letter), 60_000, 'an answer of the guest');
    return console.text();
  };

  before(async () => {
    first = await startTestLauncher();
    assert.deepEqual(await sync(first.tinyVmi()), { success: true, message: '' });
    const console = openConsole(first);
    await until(() => console.text().includes('tiny guest says hello'), 60_000, 'the greeting');
    claim = join(first.directory, 's/hotplug-disks', MEMORY_SNAPSHOT_VOLUME);
    mkdirSync(claim, { recursive: true });
    chownSync(claim, UID, UID);
  });
  after(async () => {
    await second?.stop();
    await first.stop();
  });

  test('one that nobody wants any more: the guest goes on, and nothing is left', async () => {
    assert.equal((await sync(snapshotting(memorySnapshotTypes.save, 'given-up'))).success, true);
    await phase('Saved');
    assert.equal((await sync(first.tinyVmi())).success, true);
    assert.match((await phase('Failed'))?.memorySnapshot?.message ?? '', /given up/);
    await answers(first, 'a');
    assert.deepEqual(readdirSync(claim), []);
    await sync(first.tinyVmi());
  });

  test('the guest stands still until its disks are taken, and goes on', async () => {
    assert.equal((await sync(snapshotting(memorySnapshotTypes.save, 'memory'))).success, true);
    const saved = await phase('Saved');
    assert.equal(saved?.state, 'Paused');
    assert.deepEqual(readdirSync(claim).toSorted(), [`disks-${first.uid}`, `state-${first.uid}.partial`]);
    cpSync(disk(first), join(first.directory, 'copy'), { recursive: true, preserveTimestamps: true });
    assert.equal((await sync(snapshotting(memorySnapshotTypes.goOn, 'memory'))).success, true);
    const taken = (await phase('Taken'))?.memorySnapshot;
    assert.ok((taken?.pauseMilliseconds ?? 0) > 0 && (taken?.pauseMilliseconds ?? 0) < 20_000);
    await answers(first, 'b');
    assert.deepEqual(readdirSync(claim).toSorted(), [`disks-${first.uid}`, `state-${first.uid}`]);
    assert.equal(readFileSync(join(claim, `state-${first.uid}`)).includes('tiny guest'), false);
    await sync(first.tinyVmi());
    await first.state((seen) => seen?.memorySnapshot === undefined, 'nothing to tell any more');
  });

  /** A VM of another name on copies of the disks. */
  const copy = (memory = '64Mi'): VirtualMachineInstance => {
    const vmi = second.tinyVmi();
    const state = { claimName: 'state', id: first.uid, isWhole: true, isOfSnapshot: true };
    const firmware = { uuid: '0d8d1f7c-7a5e-4b9e-9d6e-0123456789ab' };
    return {
      ...vmi,
      metadata: {
        ...vmi.metadata,
        annotations: { [annotations.hibernatedState]: hibernatedStateText(state) },
      },
      spec: {
        ...vmi.spec,
        domain: { ...vmi.spec.domain, firmware, memory: { guest: memory } },
        volumes: [{ name: 'boot', persistentVolumeClaim: { claimName: 'restored' } }],
      },
    };
  };
  const wake = async (vmi: VirtualMachineInstance, options = KEY): Promise<string> => {
    const { success, message } = await second.sync(vmi, { ...second.tinyOptions(), ...options });
    return success ? 'woken' : (refusalIn(message)?.reason ?? message);
  };
  const own = (): string => join(second.directory, 'p', HIBERNATION_VOLUME);
  /** At the same place, as in another Pod. */
  const restoreDisk = (): void => {
    rmSync(disk(first), { recursive: true });
    cpSync(join(first.directory, 'copy'), disk(first), { recursive: true });
    for (const name of ['.', ...readdirSync(disk(first))]) chownSync(join(disk(first), name), UID, UID);
    second.shareDiskOf(first);
  };

  test('what does not fit, is damaged or has other disks is refused', async () => {
    second = await startTestLauncher({
      prepare: (directory) => {
        const place = join(directory, 'p', HIBERNATION_VOLUME);
        mkdirSync(place, { recursive: true });
        cpSync(claim, place, { recursive: true });
        for (const name of ['.', ...readdirSync(place)]) chownSync(join(place, name), UID, UID);
      },
    });
    await first.call('killVirtualMachine', first.tinyVmi());
    await first.state((seen) => seen?.state === 'Shutoff', 'the end of the first guest');
    assert.equal(
      await wake(copy()),
      'StateDoesNotFit',
      'a disk that was never used is not the one of the snapshot',
    );
    restoreDisk();
    assert.equal(await wake(copy('96Mi')), 'StateDoesNotFit');
    assert.equal(await wake(copy(), { stateKey: Buffer.alloc(32, 8).toString('base64') }), 'StateDamaged');
    const state = join(own(), `state-${first.uid}`);
    const bytes = readFileSync(state);
    truncateSync(state, bytes.length - 21);
    assert.equal(await wake(copy()), 'StateDamaged');
    writeFileSync(state, bytes);
    assert.equal(tinyGuestBoots(readFileSync(join(disk(first), 'disk.img'))), 1, 'nothing ran');
  });

  test('a copy goes on from that instant, under a name and on claims of its own', async () => {
    assert.equal(await wake(copy()), 'woken', second.output());
    await second.state((seen) => seen?.state === 'Running', 'a running guest');
    assert.equal((await answers(second, 'w')).includes('hello'), false, 'it did not boot');
    assert.equal(tinyGuestBoots(readFileSync(join(disk(first), 'disk.img'))), 1);
    assert.deepEqual(readdirSync(own()).toSorted()[0], `consumed-${first.uid}`);
  });
});
