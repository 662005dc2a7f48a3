/** The memory of a running guest is saved with its disks, and a second launcher goes on from copies of both; real QEMU. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
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
  SHARED_MEMORY,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { stateDigest, UNPACKED, unpackMemory } from '@podvisor/storage';
import { openConsole } from '../testing/console.ts';
import { withoutRoom } from '../testing/full-claim.ts';
import { startTestLauncher, type TestLauncher, UID, until } from '../testing/launcher-process.ts';
import { tinyGuestBoots } from '../testing/tiny-guest.ts';

const MIB = 1024 * 1024;
const KEY = { stateKey: Buffer.alloc(32, 7).toString('base64') };

/** Without the script of decision 010 libvirt starts QEMU itself, as it does for guests with KVM. */
const STARTERS = { 'the script': true, 'QEMU itself': false };

for (const [starter, hasScript] of Object.entries(STARTERS))
  describe(`a snapshot with memory of a guest that is started by ${starter}`, { timeout: 240_000 }, () => {
    let first: TestLauncher;
    let second: TestLauncher;
    let third: TestLauncher | undefined;
    let claim: string;
    const started = async (prepare?: (directory: string) => void): Promise<TestLauncher> => {
      const launcher = await startTestLauncher(prepare === undefined ? {} : { prepare });
      if (!hasScript) rmSync(join(launcher.directory, 'l/qemu'));
      return launcher;
    };
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
      first = await started();
      assert.deepEqual(await sync(first.tinyVmi()), { success: true, message: '' });
      const console = openConsole(first);
      await until(() => console.text().includes('tiny guest says hello'), 60_000, 'the greeting');
      claim = join(first.directory, 's/hotplug-disks', MEMORY_SNAPSHOT_VOLUME);
      mkdirSync(claim, { recursive: true });
      chownSync(claim, UID, UID);
    });
    after(async () => {
      await third?.stop();
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

    test('a claim without room: the guest goes on, and nothing can be loaded', async () => {
      {
        using _full = withoutRoom(first, claim);
        assert.equal((await sync(snapshotting(memorySnapshotTypes.save, 'full'))).success, true);
        assert.match((await phase('Failed'))?.memorySnapshot?.message ?? '', /no room/);
        await first.state((seen) => seen?.state === 'Running', 'the guest going on');
      }
      await answers(first, 'r');
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
    const copy = (memory = '64Mi', launcher = second, machine = {}): VirtualMachineInstance => {
      const vmi = launcher.tinyVmi();
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
          domain: { ...vmi.spec.domain, ...machine, firmware, memory: { guest: memory } },
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
    const restoreDisk = (launcher = second): void => {
      rmSync(disk(first), { recursive: true });
      cpSync(join(first.directory, 'copy'), disk(first), { recursive: true });
      for (const name of ['.', ...readdirSync(disk(first))]) chownSync(join(disk(first), name), UID, UID);
      launcher.shareDiskOf(first);
    };

    const bringState = (directory: string): void => {
      const place = join(directory, 'p', HIBERNATION_VOLUME);
      mkdirSync(place, { recursive: true });
      cpSync(claim, place, { recursive: true });
      for (const name of ['.', ...readdirSync(place)]) chownSync(join(place, name), UID, UID);
    };

    test('what does not fit, is damaged or has other disks is refused', async () => {
      second = await started(bringState);
      await first.call('killVirtualMachine', first.tinyVmi());
      await first.state((seen) => seen?.state === 'Shutoff', 'the end of the first guest');
      assert.equal(
        await wake(copy()),
        'StateDoesNotFit',
        'a disk that was never used is not the one of the snapshot',
      );
      restoreDisk();
      assert.equal(await wake(copy('96Mi')), 'StateDoesNotFit');
      const older = { machine: { type: 'pc-q35-6.2' } };
      assert.equal(await wake(copy('64Mi', second, older)), 'StateDoesNotFit', 'a machine of another type');
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

    test('a copy maps memory that the node has unpacked, and nobody else sees what it writes', async () => {
      await second.call('killVirtualMachine', copy());
      await second.state((seen) => seen?.state === 'Shutoff', 'the end of the second guest');
      third = await started(bringState);
      restoreDisk(third);
      // Behind a link, as what is below /var/run in a Pod: the kernel knows the file by another path than we do.
      const shown = join(third.directory, 'unpacked');
      mkdirSync(shown);
      mkdirSync(join(third.directory, 's/hotplug-disks'), { recursive: true });
      symlinkSync(shown, join(third.directory, 's/hotplug-disks', SHARED_MEMORY));
      const state = join(claim, `state-${first.uid}`);
      const limits = { memoryBytes: 128 * MIB, restBytes: 64 * MIB };
      const unpacked = await unpackMemory(state, Buffer.alloc(32, 7), shown, limits);
      assert.equal(unpacked.digest, await stateDigest(state));
      assert.equal(unpacked.memoryBytes, 64 * MIB + (hasScript ? 64 * 1024 : 0));
      const memory = join(shown, UNPACKED.memory);
      const before = createHash('sha256').update(readFileSync(memory)).digest('hex');
      const options = { ...third.tinyOptions(), ...KEY, hasSharedMemory: true };
      assert.deepEqual(await third.sync(copy('64Mi', third), options), { success: true, message: '' });
      await third.state((seen) => seen?.state === 'Running', 'a running guest');
      assert.equal((await answers(third, 'w')).includes('hello'), false, 'it did not boot');
      const maps = readFileSync(`/proc/${third.qemuPid()}/maps`, 'utf8').split('\n');
      assert.match(maps.find((line) => line.endsWith(memory)) ?? third.output(), /^\S+ rw-p /);
      assert.equal(createHash('sha256').update(readFileSync(memory)).digest('hex'), before);
      assert.doesNotMatch(third.output(), /could not be used/);
    });
  });
