/** A file system that takes no writes any more (frozen, as a storage that is gone) holds up its own volume alone. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock, requireUid } from '@podvisor/base';
import { cgroupDirectories, startWorker, type WorkerProcess } from '@podvisor/sys';
import { claimMounts, diskPlaces } from '../sync/claim-directories.ts';
import { ClaimWorkers } from './claim-workers.ts';

/** A launcher with two claims that only root may enter: one on the file system `$1`, one in memory. */
const LAUNCHER = `
mount -t tmpfs run /run && cd /run && mkdir -p kubevirt-private/vmi-disks && cd kubevirt-private/vmi-disks
mkdir frozen well && mount --bind "$1" frozen && mount -t tmpfs -o mode=700 well well
echo ready; read -r line`;

test('a storage that hangs fails its own volume, while others are served', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pv-frozen-'));
  const [image, claim] = [join(directory, 'image'), join(directory, 'claim')];
  const uid = requireUid(randomUUID());
  const hierarchies = cgroupDirectories('/');
  const group = join(hierarchies.find((path) => path.endsWith('/pids')) ?? hierarchies[0] ?? '', `pod${uid}`);
  writeFileSync(image, '');
  truncateSync(image, 8 * 1024 * 1024);
  mkdirSync(claim);
  mkdirSync(group);
  execFileSync('mkfs.ext4', ['-q', image]);
  execFileSync('mount', ['-o', 'loop', image, claim]);
  chmodSync(claim, 0o700);
  const child = spawn('unshare', ['-mn', '--propagation', 'private', 'sh', '-ec', LAUNCHER, 'sh', claim], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    const clock = new FakeClock();
    const started: WorkerProcess[] = [];
    const start = (): WorkerProcess => {
      const worker = startWorker(new URL('./claim-worker-main.ts', import.meta.url));
      started.push(worker);
      return worker;
    };
    using workers = new ClaimWorkers({ clock, start });
    const [frozen, well] = claimMounts(pid, diskPlaces(['frozen', 'well']));
    assert.ok(frozen !== undefined && well !== undefined);
    const give = ({ volume, path, device }: typeof frozen): Promise<null> =>
      workers.run({ storage: device, volume }, { kind: 'give', launcher: { pid, podUid: uid }, path });
    const owner = (volume: string): number =>
      statSync(`/proc/${pid}/root/run/kubevirt-private/vmi-disks/${volume}`).uid;

    execFileSync('fsfreeze', ['-f', claim]);
    try {
      const failed = assert.rejects(give(frozen), /storage of volume frozen has not answered for 10 s/);
      await stuck(started[0]?.pid ?? 0);
      await give(well);
      assert.equal(owner('well'), 107, 'another volume, while the first one hangs');
      clock.advance(10_000);
      await failed;
      await assert.rejects(give(frozen), /has not answered/, 'and nobody waits for it again');
      assert.equal(started.length, 2);
    } finally {
      execFileSync('fsfreeze', ['-u', claim]);
    }
    await started[0]?.exited;
    await give(frozen);
    assert.equal(owner('frozen'), 107, 'the storage is back');
  } finally {
    await ended(child);
    execFileSync('umount', [claim]);
    rmdirSync(group);
    rmSync(directory, { recursive: true });
  }
});

/** Until the process waits in the kernel, beyond any signal. */
async function stuck(pid: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!/^State:\s+D/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) {
    assert.ok(Date.now() < deadline, 'it does not wait for the storage');
    await delay(20);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const end = once(child, 'exit');
  child.kill('SIGKILL');
  await end;
}
