/** The whole launcher with real libvirtd and QEMU, as an unprivileged user, outside a Pod. */
import assert from 'node:assert/strict';
import { chownSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { readLease, takeLease } from '@podvisor/storage';
import { openConsole } from './testing/console.ts';
import { startTestLauncher, type TestLauncher, UID, until } from './testing/launcher-process.ts';

describe('virt-launcher', { timeout: 180_000 }, () => {
  let launcher: TestLauncher;
  let vmi: VirtualMachineInstance;

  beforeEach(async () => {
    launcher = await startTestLauncher({ graceSeconds: 3 });
    vmi = launcher.tinyVmi();
  });
  afterEach(() => launcher.stop());

  const start = async (): Promise<void> => {
    assert.deepEqual(await launcher.sync(vmi, launcher.tinyOptions()), { success: true, message: '' });
    await launcher.state((state) => state?.state === 'Running', 'a running domain');
  };

  test('a guest whose disk another runner had while it stood still stays where it is', async () => {
    await start();
    await launcher.call('pauseVirtualMachine', vmi);
    await launcher.state((state) => state?.state === 'Paused', 'paused');
    const image = join(launcher.directory, 'p/vmi-disks/boot/disk.img');
    const own = readLease(image);
    assert.deepEqual([own?.epoch, own?.holder.uid], [1, launcher.uid]);
    takeLease(image, { vmi: 'shop/other', uid: 'other', pod: 'launcher-of-other' }, '2026-01-01T00:00:00Z');
    for (const name of ['.disk.img.lease', '.disk.img.lease.2']) chownSync(join(image, '..', name), UID, UID);
    const refused = await launcher.call('unpauseVirtualMachine', vmi);
    assert.equal(refused.success, false);
    assert.match(
      refused.message,
      /the guest must not go on: shop\/other \(Pod launcher-of-other\) has used its disk/,
    );
    assert.equal((await launcher.state(() => true, 'its state'))?.state, 'Paused');
  });

  test('starts, pauses, unpauses, shows its console from the first byte, and shuts down gracefully', async () => {
    assert.equal(
      await launcher.state(() => true, 'the first state'),
      undefined,
      'no domain before the first sync',
    );
    await start();
    const running = await launcher.state((state) => state?.qemuPid !== undefined, 'a QEMU process');
    assert.equal(running?.name, 'default_testvmi');
    assert.deepEqual(running?.diskTargets, { boot: 'vda' });
    assert.equal(running?.vmiUid, launcher.uid);

    // Idempotent, also when several come at once.
    const again = await Promise.all([launcher.sync(vmi), launcher.sync(vmi)]);
    assert.ok(again.every((response) => response.success));

    await launcher.call('pauseVirtualMachine', vmi);
    assert.equal((await launcher.state((state) => state?.state === 'Paused', 'paused'))?.reason, 'User');
    assert.ok((await launcher.sync(vmi)).success);
    assert.equal(
      (await launcher.state(() => true, 'still paused'))?.state,
      'Paused',
      'a sync does not wake what a user paused',
    );
    await launcher.call('unpauseVirtualMachine', vmi);
    await launcher.state((state) => state?.state === 'Running', 'running again');

    const one = openConsole(launcher);
    await until(() => one.text().includes('tiny guest says hello'), 60_000, 'the greeting');
    const two = openConsole(launcher);
    await until(() => two.text().includes('tiny guest says hello'), 60_000, 'the greeting in the scrollback');
    one.type('x');
    await until(
      () => one.text().endsWith('x') && two.text().endsWith('x'),
      60_000,
      'the echo at both viewers',
    );

    assert.ok((await launcher.call('shutdownVirtualMachine', vmi)).success);
    const off = await launcher.state((state) => state?.state === 'Shutoff', 'off');
    assert.equal(off?.reason, 'Shutdown');
    assert.ok(off?.shutdownRequestedAt);
    // Of a VMI that is gone virt-handler knows the metadata only.
    const ghost = { metadata: vmi.metadata };
    assert.deepEqual(await launcher.call('deleteVirtualMachine', ghost), { success: true, message: '' });
    assert.equal(await launcher.exited, 0);
  });

  test('survives the death of libvirtd: QEMU runs on and is re-adopted', async () => {
    await start();
    const qemu = launcher.qemuPid();
    const console = openConsole(launcher);
    await until(() => console.text().includes('hello'), 60_000, 'the greeting');
    process.kill(launcher.libvirtdPid(), 'SIGKILL');
    await until(
      () => launcher.output().includes('lost the connection to libvirtd'),
      60_000,
      'the loss to be noticed',
    );
    assert.ok(existsSync(`/proc/${qemu}`));
    console.type('y');
    await until(() => console.text().endsWith('y'), 60_000, 'an echo while libvirtd is away');
    let paused = false;
    for (let i = 0; i < 500 && !paused; i++)
      paused = (await launcher.call('pauseVirtualMachine', vmi)).success;
    const state = await launcher.state((seen) => seen?.state === 'Paused', 'events after the restart');
    assert.equal(state?.qemuPid, qemu);
    assert.equal(launcher.gone(), false, 'the domain was never told to be gone');
  });

  test('libvirtd lets go of the pages of its start, and goes on', async () => {
    await start();
    const fileKilobytes = (): number =>
      Number(/^RssFile:\s+(\d+)/m.exec(readFileSync(`/proc/${launcher.libvirtdPid()}/status`, 'utf8'))?.[1]);
    const before = fileKilobytes();
    await until(() => fileKilobytes() < before / 2, 60_000, `less than half of ${before} KiB`);
    await launcher.call('pauseVirtualMachine', vmi);
    await launcher.state((state) => state?.state === 'Paused', 'a command and its event');
    const loaded = readFileSync(`/proc/${launcher.qemuPid()}/maps`, 'utf8');
    assert.ok(!loaded.includes('quiet-pages'), 'QEMU runs without the library');
  });

  test('reports the death of QEMU with its reason, and ends with 1', async () => {
    await start();
    process.kill(launcher.qemuPid(), 'SIGKILL');
    const state = await launcher.state((seen) => seen?.state === 'Shutoff', 'the death of QEMU');
    assert.equal(state?.reason, 'Crashed');
    assert.match(state?.exitDetail ?? '', /reason=crashed/);
    assert.ok((await launcher.sync(vmi)).success);
    assert.equal(
      (await launcher.state(() => true, 'the same'))?.state,
      'Shutoff',
      'a run that ended is not started again',
    );
    assert.equal(await launcher.exited, 1);
  });

  test('SIGTERM asks the guest, which shuts down by itself', async () => {
    await start();
    const console = openConsole(launcher);
    await until(() => console.text().includes('hello'), 60_000, 'a guest that listens');
    launcher.child.kill('SIGTERM');
    assert.equal((await launcher.state((state) => state?.state === 'Shutoff', 'off'))?.reason, 'Shutdown');
    assert.equal(await launcher.exited, 0);
  });

  test('SIGTERM ends a guest that does not listen when its grace is over', async () => {
    await start();
    await launcher.call('pauseVirtualMachine', vmi); // deaf
    const asked = Date.now();
    launcher.child.kill('SIGTERM');
    assert.equal((await launcher.state((state) => state?.state === 'Shutoff', 'off'))?.reason, 'Destroyed');
    const took = Date.now() - asked;
    assert.ok(took >= 2_900 && took < 30_000, `grace of 3 s, took ${took} ms`);
    assert.equal(await launcher.exited, 0);
  });

  test('SIGTERM before the first sync ends at once', async () => {
    launcher.child.kill('SIGTERM');
    assert.equal(await launcher.exited, 0);
  });

  test('refuses what is not its business, in sentences', async () => {
    const stranger = { ...vmi, metadata: { ...vmi.metadata, uid: 'another' } };
    const refused = await launcher.sync(stranger);
    assert.equal(refused.success, false);
    assert.match(refused.message, /this launcher runs the VMI with uid/);
    const early = await launcher.call('pauseVirtualMachine', vmi);
    assert.match(early.message, /cannot pause the virtual machine: it has not been started/);
    const console = openConsole(launcher);
    await until(() => console.error() !== '', 60_000, 'a refusal of the console');
    assert.match(console.error(), /no serial console at the moment/);
  });

  test('does not start on a disk that another QEMU holds', async () => {
    await using other = await startTestLauncherDisposable();
    assert.ok((await other.launcher.sync(other.launcher.tinyVmi(), other.launcher.tinyOptions())).success);
    launcher.shareDiskOf(other.launcher);
    const response = await launcher.sync(vmi, launcher.tinyOptions());
    assert.equal(response.success, false);
    assert.match(response.message, /another process is using one of its disks/);
    assert.match(response.message, /lock/, 'the raw text is there as detail');
    assert.equal(await launcher.state(() => true, 'no domain'), undefined, 'a failed start leaves no domain');
    // The other one ends; now the same sync succeeds.
    await other.launcher.call('killVirtualMachine', other.launcher.tinyVmi());
    assert.ok((await launcher.sync(vmi, launcher.tinyOptions())).success);
  });

  test('keeps libvirtd small', async () => {
    await start();
    const rollup = readFileSync(`/proc/${launcher.libvirtdPid()}/smaps_rollup`, 'utf8');
    const dirtyKiB = Number(/^Pss_Dirty:\s+(\d+)/m.exec(rollup)?.[1]);
    assert.ok(dirtyKiB < 7_000, `libvirtd has ${dirtyKiB} KiB of its own`);
  });
});

async function startTestLauncherDisposable(): Promise<AsyncDisposable & { readonly launcher: TestLauncher }> {
  const launcher = await startTestLauncher();
  return { launcher, [Symbol.asyncDispose]: () => launcher.stop() };
}
