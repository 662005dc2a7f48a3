/** Thin storage that runs out of room: the guest stands still, says for which disk, and goes on without a lost write. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bootGuest } from './testing/boot-guest.ts';
import { UID } from './testing/launcher-process.ts';

const MIB = 1024 * 1024;
let mounted: string | undefined;
const unmount = (): void => {
  if (mounted !== undefined) execFileSync('umount', ['-l', mounted]);
  mounted = undefined;
};
after(unmount);

test('a guest whose disk has no room waits for it', { timeout: 180_000 }, async () => {
  await using guest = await bootGuest(
    {
      kernelBoot: true,
      script:
        '(sleep 1; dd if=/dev/zero bs=1M count=16 2>/dev/null | tr "\\0" x | dd of=/dev/vda bs=1M conv=fsync 2>/dev/null && echo written) &',
      disks: [
        {
          name: 'data',
          disk: { bus: 'virtio' },
          volume: { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
        },
      ],
    },
    {
      sync: { volumes: { data: { block: false, capacityBytes: 32 * MIB } } },
      prepare: (directory) => {
        mounted = join(directory, 'p/vmi-disks/data');
        mkdirSync(mounted, { recursive: true });
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=777', 'tmpfs', mounted]);
        writeFileSync(join(mounted, 'disk.img'), '');
        truncateSync(join(mounted, 'disk.img'), 32 * MIB);
        chownSync(join(mounted, 'disk.img'), UID, UID);
      },
    },
  );
  // Goes before the guest does: its directory is removed with it.
  using _room = { [Symbol.dispose]: unmount };
  const paused = await guest.launcher.state(
    (state) => state?.reason === 'PausedIOError',
    'the guest stands still',
  );
  assert.deepEqual(paused?.diskTroubles, [{ volume: 'data', reason: 'no-space' }]);
  assert.ok(!guest.said().includes('written'));
  execFileSync('mount', ['-o', 'remount,size=64m', mounted ?? '']);
  await guest.says('written', 60_000);
  const going = await guest.launcher.state((state) => state?.state === 'Running', 'the guest goes on');
  assert.equal(going?.diskTroubles, undefined);
});
