/** A Pod of a cluster has a first process that holds its namespaces and no claim; the claim is found all the same. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { requireDnsLabel, requireUid } from '@podvisor/base';
import { readLease, takeLease } from '@podvisor/storage';
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

/** A launcher that has `directory` as that of its plugged disks, in a mount namespace of its own. */
function launcherWith(directory: string): Promise<ChildProcess & { pid: number }> {
  const own = 'mount -t tmpfs run /run && mkdir -p /run/kubevirt/hotplug-disks';
  return processWith(`${own} && mount --bind "$1" /run/kubevirt/hotplug-disks`, directory);
}

async function ended(...children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) {
    const end = once(child, 'exit');
    child.kill('SIGKILL');
    await end;
  }
}

describe('what is plugged', () => {
  const uid = requireUid(randomUUID());
  const hierarchies = cgroupDirectories('/');
  const group = join(hierarchies.find((path) => path.endsWith('/pids')) ?? hierarchies[0] ?? '', `pod${uid}`);
  let [claim, onNode] = ['', ''];
  let processes: (ChildProcess & { pid: number })[] = [];
  let launcher = { pid: 0, users: undefined };

  beforeEach(async () => {
    claim = mkdtempSync(join(tmpdir(), 'pv-claim-'));
    onNode = mkdtempSync(join(tmpdir(), 'pv-plugged-'));
    const holder = await processWith(`mount --bind "$1" /${CLAIM}`, claim);
    const pod = await launcherWith(onNode);
    processes = [holder, pod];
    launcher = { pid: pod.pid, users: undefined };
    mkdirSync(group);
    writeFileSync(join(group, 'cgroup.procs'), String(holder.pid));
  });
  afterEach(async () => {
    await ended(...processes);
    rmdirSync(group);
    for (const path of [claim, onNode]) rmSync(path, { recursive: true });
  });
  const seen = (path: string): string => `/proc/${launcher.pid}/root/run/kubevirt/hotplug-disks/${path}`;

  test('a directory that only root may enter is given to QEMU’s user, and shown to the launcher alone', () => {
    const desired = { volume: CLAIM, attachPodUid: uid, block: false, directory: true } as const;
    const plugged = plug(onNode, launcher, desired);
    assert.deepEqual(plug(onNode, launcher, desired), plugged, 'once more changes nothing');
    const { uid: owner, ino } = statSync(seen(CLAIM));
    assert.deepEqual([owner, ino], [107, statSync(claim).ino]);
    assert.notEqual(statSync(join(onNode, CLAIM)).ino, ino, 'the node has nothing mounted there');
    unplug(onNode, launcher.pid, plugged);
    assert.deepEqual(readdirSync(onNode), []);
    assert.ok(!existsSync(seen(CLAIM)));
  });

  test('a kubelet that removes the directory of an ended Pod removes nothing of a claim', () => {
    writeFileSync(join(claim, 'state-1'), 'the memory of a guest');
    plug(onNode, launcher, { volume: CLAIM, attachPodUid: uid, block: false, directory: true });
    assert.equal(readFileSync(seen(`${CLAIM}/state-1`), 'utf8'), 'the memory of a guest');
    // As Go's os.RemoveAll: into everything, and on when something cannot be removed.
    spawnSync('rm', ['-rf', join(onNode, CLAIM)]);
    assert.equal(readFileSync(join(claim, 'state-1'), 'utf8'), 'the memory of a guest');
  });

  test('a plugged image comes with the directory of its claim, for the lease beside it', () => {
    writeFileSync(join(claim, 'disk.img'), 'data');
    const plugged = plug(onNode, launcher, { volume: CLAIM, attachPodUid: uid, block: false });
    // Files come by propagation, which this launcher does not have.
    assert.equal(readFileSync(join(onNode, `${CLAIM}.img`), 'utf8'), 'data');
    const holder = { vmi: 'shop/web', uid: 'a', pod: 'p' };
    takeLease(seen(`.${CLAIM}.claim/disk.img`), holder, 'now');
    assert.equal(readLease(join(claim, 'disk.img'))?.epoch, 1);
    unplug(onNode, launcher.pid, plugged);
    assert.deepEqual(readdirSync(onNode), []);
  });
});
