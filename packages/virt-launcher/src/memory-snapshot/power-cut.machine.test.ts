/**
 * A power cut at the borders of a snapshot with memory, with real launchers: everything of the Pod dies at once. Only
 * after the last border there is memory that can be loaded; before it the claim holds none, whatever was written.
 */
import assert from 'node:assert/strict';
import { chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { MEMORY_SNAPSHOT_VOLUME, type MemorySnapshotType, memorySnapshotTypes } from '@podvisor/api';
import { tinyGuestBoots } from '../testing/tiny-guest.ts';

/** In the launcher, before anything else: it ends itself at the point that the environment names. */
const PRELOAD = `globalThis[Symbol.for('podvisor.fail-points')] = async (point) => {
  if (point === process.env.KILL_AT) process.kill(process.pid, 'SIGKILL');
};`;
process.env['PODVISOR_LAUNCHER_NODE_FLAGS'] = `--import=data:text/javascript,${encodeURIComponent(PRELOAD)}`;
const { startTestLauncher, UID, until } = await import('../testing/launcher-process.ts');

const BORDERS: readonly (readonly [point: string, isWhole: boolean])[] = [
  ['memory-snapshot-save-after', false],
  ['memory-snapshot-hold-after', false],
  ['memory-snapshot-commit-before', false],
  ['memory-snapshot-commit-after', true],
];

describe('a power cut of a snapshot with memory', { timeout: 240_000 }, () => {
  for (const [point, isWhole] of BORDERS)
    test(`${point}: ${isWhole ? 'it can be loaded' : 'nothing can be loaded'}`, async () => {
      process.env['KILL_AT'] = point;
      const launcher = await startTestLauncher();
      try {
        const sync = (type?: MemorySnapshotType) => {
          const vmi = launcher.tinyVmi();
          const utilityVolumes =
            type === undefined ? [] : [{ name: MEMORY_SNAPSHOT_VOLUME, claimName: 'm', type }];
          return launcher.sync({ ...vmi, spec: { ...vmi.spec, utilityVolumes } }, launcher.tinyOptions());
        };
        assert.equal((await sync()).success, true);
        const disk = join(launcher.directory, 'p/vmi-disks/boot/disk.img');
        await until(() => tinyGuestBoots(readFileSync(disk)) === 1, 60_000, 'the boot');
        const claim = join(launcher.directory, 's/hotplug-disks', MEMORY_SNAPSHOT_VOLUME);
        mkdirSync(claim, { recursive: true });
        chownSync(claim, UID, UID);
        await sync(memorySnapshotTypes.save).catch(() => undefined);
        void launcher
          .state((seen) => seen?.memorySnapshot?.phase === 'Saved', 'a saved guest', 30_000)
          .then(() => sync(memorySnapshotTypes.goOn))
          .catch(() => undefined); // it is dead by then
        await launcher.exited;
        assert.equal(readdirSync(claim).includes(`state-${launcher.uid}`), isWhole);
      } finally {
        // What is left of the Pod goes with it.
        process.kill(launcher.libvirtdPid(), 'SIGKILL');
        await launcher.stop();
      }
    });
});
