/** A guest is saved by one launcher and goes on in another, with real libvirtd and QEMU; and every way in which it must not. */
import assert from 'node:assert/strict';
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  annotations,
  HIBERNATION_VOLUME,
  HIBERNATION_VOLUME_TYPE,
  hibernatedStateText,
  refusalIn,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { openConsole } from '../testing/console.ts';
import { withoutRoom } from '../testing/full-claim.ts';
import { startTestLauncher, type TestLauncher, UID, until } from '../testing/launcher-process.ts';
import { tinyGuestBoots } from '../testing/tiny-guest.ts';

const KEY = { stateKey: Buffer.alloc(32, 7).toString('base64') };

describe('hibernation', { timeout: 240_000 }, () => {
  let first: TestLauncher;
  let second: TestLauncher;
  let claim: string;
  let state: string;
  const boots = (): number =>
    tinyGuestBoots(readFileSync(join(first.directory, 'p/vmi-disks/boot/disk.img')));
  const hibernating = (launcher: TestLauncher): VirtualMachineInstance => {
    const vmi = launcher.tinyVmi();
    const volume = { name: HIBERNATION_VOLUME, claimName: 'state', type: HIBERNATION_VOLUME_TYPE };
    return { ...vmi, spec: { ...vmi.spec, utilityVolumes: [volume] } };
  };
  const waking = (launcher: TestLauncher, memory = '64Mi'): VirtualMachineInstance => {
    const vmi = launcher.tinyVmi();
    const text = hibernatedStateText({ claimName: 'state', id: first.uid, isWhole: true });
    const domain = { ...vmi.spec.domain, memory: { guest: memory } };
    return {
      ...vmi,
      metadata: { ...vmi.metadata, annotations: { [annotations.hibernatedState]: text } },
      spec: { ...vmi.spec, domain },
    };
  };
  const wake = async (vmi: VirtualMachineInstance, options = KEY): Promise<string> => {
    const { success, message } = await second.sync(vmi, { ...second.tinyOptions(), ...options });
    return success ? 'woken' : (refusalIn(message)?.reason ?? message);
  };

  before(async () => {
    first = await startTestLauncher();
    const options = { ...first.tinyOptions(), ...KEY };
    assert.deepEqual(await first.sync(first.tinyVmi(), options), { success: true, message: '' });
    const console = openConsole(first);
    await until(() => console.text().includes('tiny guest says hello'), 60_000, 'the greeting');
    claim = join(first.directory, 's/hotplug-disks', HIBERNATION_VOLUME);
    mkdirSync(claim, { recursive: true });
    state = join(claim, `state-${first.uid}`);
  });
  after(async () => {
    await second?.stop();
    await first.stop();
  });

  test('a claim without room: the guest goes on', async () => {
    {
      using _full = withoutRoom(first, claim);
      await first.sync(hibernating(first), { ...first.tinyOptions(), ...KEY });
      const failed = await first.state((seen) => seen?.hibernation?.phase === 'Failed', 'a failure', 60_000);
      assert.match(failed?.hibernation?.message ?? '', /no room/);
      await first.state((seen) => seen?.state === 'Running', 'the guest going on');
    }
    const console = openConsole(first);
    console.type('g');
    await until(() => console.text().endsWith('g'), 60_000, 'an answer of the guest');
    await first.sync(first.tinyVmi(), { ...first.tinyOptions(), ...KEY });
  });

  test('the guest is saved whole, unreadable for others, and its QEMU ends', async () => {
    chownSync(claim, UID, UID);
    await first.sync(hibernating(first), { ...first.tinyOptions(), ...KEY });
    const saved = await first.state((seen) => seen?.state === 'Shutoff', 'a guest that is off', 60_000);
    assert.deepEqual([saved?.hibernation?.phase, saved?.reason], ['Saved', 'Saved'], first.output());
    assert.deepEqual(readdirSync(claim).toSorted(), [`disks-${first.uid}`, `state-${first.uid}`]);
    assert.equal(statSync(state).mode & 0o777, 0o600);
    assert.equal(statSync(state).size, saved?.hibernation?.sizeBytes);
    assert.equal(readFileSync(state).includes('tiny guest'), false);
    assert.equal(boots(), 1);
  });

  test('what is damaged, cut, of another key or of another guest is refused', async () => {
    second = await startTestLauncher({
      prepare: (directory) => {
        mkdirSync(join(directory, 'p'));
        symlinkSync(claim, join(directory, 'p', HIBERNATION_VOLUME));
      },
    });
    second.shareDiskOf(first);
    const kept = `${state}.kept`;
    copyFileSync(state, kept);
    const bytes = readFileSync(kept);
    const at = Math.floor(bytes.length / 2);
    writeFileSync(
      state,
      Buffer.concat([bytes.subarray(0, at), Buffer.of((bytes[at] ?? 0) ^ 1), bytes.subarray(at + 1)]),
    );
    assert.equal(await wake(waking(second)), 'StateDamaged');
    writeFileSync(state, bytes);
    for (const missing of [21, 5_000]) {
      truncateSync(state, bytes.length - missing);
      assert.equal(await wake(waking(second)), 'StateDamaged', `${missing} bytes are missing`);
      writeFileSync(state, bytes);
    }
    const other = { stateKey: Buffer.alloc(32, 8).toString('base64') };
    assert.equal(await wake(waking(second), other), 'StateDamaged');
    assert.equal(await wake(waking(second, '96Mi')), 'StateDoesNotFit');
    renameSync(state, `${state}.away`);
    assert.equal(await wake(waking(second)), 'StateMissing');
    renameSync(`${state}.away`, state);
    assert.equal(boots(), 1, 'nothing ran');
  });

  test('the guest goes on where it was, and its state is used up before it does', async () => {
    assert.equal(await wake(waking(second)), 'woken', second.output());
    await second.state((seen) => seen?.state === 'Running', 'a running guest');
    const console = openConsole(second);
    console.type('w');
    await until(() => console.text().endsWith('w'), 60_000, 'an answer of the guest');
    assert.equal(console.text().includes('hello'), false, 'it did not boot');
    assert.equal(boots(), 1);
    assert.equal(readdirSync(claim).includes(`state-${first.uid}`), false);
    await until(
      () => statSync(join(claim, `consumed-${first.uid}`)).size === 0,
      60_000,
      'its room given back',
    );
  });
});
