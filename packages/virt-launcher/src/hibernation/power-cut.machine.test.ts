/**
 * A power cut at the borders of a hibernation and of a waking, with real launchers: everything of the Pod dies at once,
 * and the next launcher finds what is on the claim. The guest counts its boots on its disk: it goes on if its state was
 * whole and not used yet, and boots otherwise.
 */
import assert from 'node:assert/strict';
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  annotations,
  HIBERNATION_VOLUME,
  HIBERNATION_VOLUME_TYPE,
  hibernatedStateText,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { tinyGuestBoots } from '../testing/tiny-guest.ts';

/** In the launcher, before anything else: it ends itself at the point that the environment names. */
const PRELOAD = `globalThis[Symbol.for('podvisor.fail-points')] = async (point) => {
  if (point === process.env.KILL_AT) process.kill(process.pid, 'SIGKILL');
};`;
process.env['PODVISOR_LAUNCHER_NODE_FLAGS'] = `--import=data:text/javascript,${encodeURIComponent(PRELOAD)}`;
const { startTestLauncher, UID, until } = await import('../testing/launcher-process.ts');
type TestLauncher = Awaited<ReturnType<typeof startTestLauncher>>;

describe('a power cut', { timeout: 300_000 }, () => {
  let first: TestLauncher;
  const launchers: TestLauncher[] = [];
  const disk = (): string => join(first.directory, 'p/vmi-disks/boot/disk.img');
  const boots = (): number => tinyGuestBoots(readFileSync(disk()));
  const claim = (): string => join(first.directory, 's/hotplug-disks', HIBERNATION_VOLUME);

  /** A launcher of the next Pod of this VM: the same disk, the same claim. */
  const next = async (killAt = ''): Promise<TestLauncher> => {
    process.env['KILL_AT'] = killAt;
    const launcher = await startTestLauncher({
      prepare: (directory) => {
        if (launchers.length === 0) return;
        mkdirSync(join(directory, 'p'));
        symlinkSync(claim(), join(directory, 'p', HIBERNATION_VOLUME));
        mkdirSync(join(directory, 's/hotplug-disks'), { recursive: true });
        symlinkSync(claim(), join(directory, 's/hotplug-disks', HIBERNATION_VOLUME));
      },
    });
    if (launchers.length > 0) launcher.shareDiskOf(first);
    launchers.push(launcher);
    return launcher;
  };
  /** What is left of the Pod goes with it. */
  const cut = async (launcher: TestLauncher): Promise<void> => {
    await launcher.exited;
    for (const pid of [launcher.libvirtdPid, launcher.qemuPid])
      try {
        process.kill(pid(), 'SIGKILL');
      } catch {
        // it is gone already
      }
    await until(() => !isAlive(launcher.qemuPid), 60_000, 'the end of QEMU');
  };
  const hibernate = async (launcher: TestLauncher): Promise<void> => {
    const vmi = launcher.tinyVmi();
    const volume = { name: HIBERNATION_VOLUME, claimName: 'state', type: HIBERNATION_VOLUME_TYPE };
    const spec = { ...vmi.spec, utilityVolumes: [volume] };
    await launcher.sync({ ...vmi, spec }, launcher.tinyOptions()).catch(() => undefined);
  };
  const waking = (launcher: TestLauncher, isWhole: boolean): VirtualMachineInstance => {
    const vmi = launcher.tinyVmi();
    const text = hibernatedStateText({ claimName: 'state', id: launcher.uid, isWhole });
    return { ...vmi, metadata: { ...vmi.metadata, annotations: { [annotations.hibernatedState]: text } } };
  };
  const wake = (launcher: TestLauncher, isWhole: boolean) =>
    launcher.sync(waking(launcher, isWhole), launcher.tinyOptions());
  /** How the guest of this launcher began. */
  const beganAs = async (launcher: TestLauncher): Promise<string | undefined> =>
    (await launcher.state((seen) => seen?.state === 'Running', 'a running guest', 60_000))?.hibernation
      ?.phase;

  before(async () => {
    first = await next('hibernation-commit-before');
    assert.equal((await first.sync(first.tinyVmi(), first.tinyOptions())).success, true);
    await until(() => boots() === 1, 60_000, 'the first boot');
    mkdirSync(claim(), { recursive: true });
    chownSync(claim(), UID, UID);
  });
  after(async () => {
    for (const launcher of launchers.toReversed()) await launcher.stop();
  });

  test('just before the state is whole: the guest boots', async () => {
    await hibernate(first);
    await cut(first);
    const second = await next('hibernation-commit-after');
    assert.deepEqual(await wake(second, false), { success: true, message: '' });
    assert.equal(await beganAs(second), 'Booted');
    await until(() => boots() === 2, 60_000, 'the second boot');
  });

  test('just after it, before anybody heard of it: the guest goes on', async () => {
    const second = launchers[1];
    assert.ok(second);
    await hibernate(second);
    await cut(second);
    const third = await next('wake-take-before');
    // Loaded, and cut before the state was used up: it is as good as before.
    await wake(third, false).catch(() => undefined);
    await cut(third);
    const fourth = await next('hibernation-end-before');
    assert.deepEqual(await wake(fourth, false), { success: true, message: '' });
    assert.equal(await beganAs(fourth), 'Woken');
    assert.equal(boots(), 2);
  });

  test('just after the state was used up: it is never loaded again, the guest boots', async () => {
    const fourth = launchers[3];
    assert.ok(fourth);
    await hibernate(fourth);
    await cut(fourth);
    const fifth = await next('wake-take-after');
    await wake(fifth, true).catch(() => undefined);
    await cut(fifth);
    const sixth = await next();
    assert.deepEqual(await wake(sixth, true), { success: true, message: '' });
    assert.equal(await beganAs(sixth), 'Booted');
    await until(() => boots() === 3, 60_000, 'the third boot');
  });
});

function isAlive(pid: () => number): boolean {
  try {
    return existsSync(`/proc/${pid()}`);
  } catch {
    return false; // without a file there is no process
  }
}
