/** A Pod of a cluster has a first process that holds its namespaces and no claim; the claim is found all the same. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { requireDnsLabel, requireUid } from '@podvisor/base';
import { cgroupDirectories, OwnedFd } from '@podvisor/sys';
import { openAttached, openAttachedDirectory } from './attachment.ts';
import { plug, unplug } from './plug.ts';

/** Mount points that every root has, named as volumes: what is mounted there is seen by one process alone. */
const CLAIM = requireDnsLabel('srv');
const NOWHERE = requireDnsLabel('nowhere-at-all');

/** A process that runs until its input ends, after `prepare`, in a mount namespace of its own. */
async function processWith(prepare: string, ...args: string[]): Promise<ChildProcess & { pid: number }> {
  const script = `${prepare}; echo ready; read -r line`;
  const words = ['-m', '--propagation', 'private', 'sh', '-c', script, 'sh', ...args];
  const child = spawn('unshare', words, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  assert.ok(child.pid !== undefined);
  return child as ChildProcess & { pid: number };
}

test('the process that has the claim is asked, not the first of the Pod', async () => {
  const uid = requireUid(randomUUID());
  const hierarchies = cgroupDirectories('/');
  const group = join(hierarchies.find((path) => path.endsWith('/pids')) ?? hierarchies[0] ?? '', `pod${uid}`);
  const claim = mkdtempSync(join(tmpdir(), 'pv-claim-'));
  writeFileSync(join(claim, 'disk.img'), '');
  const processes = [await processWith(':'), await processWith(`mount --bind "$1" /${CLAIM}`, claim)];
  try {
    mkdirSync(group);
    for (const { pid } of processes) writeFileSync(join(group, 'cgroup.procs'), String(pid));
    using directory = openAttachedDirectory(uid, CLAIM);
    assert.equal(statSync(directory.handle.procPath).ino, statSync(claim).ino);
    const source = openAttached(uid, CLAIM, false);
    assert.equal(source.kind, 'file');
    if (source.kind === 'file') {
      source.handle.close();
      source.directory[Symbol.dispose]();
    }
    assert.throws(() => openAttached(uid, NOWHERE, false), /no container of attachment Pod/);
  } finally {
    for (const child of processes) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmdirSync(group);
    rmSync(claim, { recursive: true });
  }
  assert.throws(() => openAttached(uid, CLAIM, false), /does not run on this node/);
});

test('a claim that this mount namespace does not show is taken out of the Pod’s', async () => {
  const uid = requireUid(randomUUID());
  const hierarchies = cgroupDirectories('/');
  const group = join(hierarchies.find((path) => path.endsWith('/pids')) ?? hierarchies[0] ?? '', `pod${uid}`);
  // As a directory of the node that virt-handler's own container does not have.
  const make = `mount -t tmpfs claim /${CLAIM} && echo data > /${CLAIM}/disk.img`;
  const holder = await processWith(make);
  const shown = join(mkdtempSync(join(tmpdir(), 'pv-shown-')), 'disk.img');
  writeFileSync(shown, '');
  try {
    mkdirSync(group);
    writeFileSync(join(group, 'cgroup.procs'), String(holder.pid));
    const source = openAttached(uid, CLAIM, false);
    assert.ok(source.kind === 'file');
    using directory = source.directory;
    using handle = source.handle;
    {
      using target = new OwnedFd(openSync(shown, 'r'));
      directory.bind(handle, target, undefined);
    }
    assert.equal(readFileSync(shown, 'utf8'), 'data\n');
  } finally {
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    spawnSync('umount', [shown]);
    rmdirSync(group);
    rmSync(dirname(shown), { recursive: true });
  }
});

test('a directory that only root may enter is given to QEMU’s user when it is plugged', async () => {
  const uid = requireUid(randomUUID());
  const hierarchies = cgroupDirectories('/');
  const group = join(hierarchies.find((path) => path.endsWith('/pids')) ?? hierarchies[0] ?? '', `pod${uid}`);
  const claim = mkdtempSync(join(tmpdir(), 'pv-claim-'));
  const shown = mkdtempSync(join(tmpdir(), 'pv-shown-'));
  const holder = await processWith(`mount --bind "$1" /${CLAIM}`, claim);
  try {
    mkdirSync(group);
    writeFileSync(join(group, 'cgroup.procs'), String(holder.pid));
    const desired = { volume: CLAIM, attachPodUid: uid, block: false, directory: true } as const;
    const plugged = plug(shown, { pid: process.pid, users: undefined }, desired);
    const { uid: owner, ino } = statSync(join(shown, CLAIM));
    assert.deepEqual([owner, ino], [107, statSync(claim).ino]);
    unplug(shown, undefined, plugged);
  } finally {
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    rmdirSync(group);
    rmSync(claim, { recursive: true });
    rmSync(shown, { recursive: true });
  }
});
