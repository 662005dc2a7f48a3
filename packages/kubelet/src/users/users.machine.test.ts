/** Pods in user namespaces: who they are on the machine, and what is on disk. Needs root. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import type { Container, Pod, PodSpec } from '@podvisor/api';
import { requireUid } from '@podvisor/base';
import { idOnNode, instancePaths, isProcessInPod } from '@podvisor/sys';
import { podUserNamespace } from '../context.ts';
import { ImageStore } from '../images/store.ts';
import { readPodRecord, recordedPods } from '../pod/records.ts';
import { Harness } from '../testing/harness.ts';

const harness = new Harness(31);
before(async () => {
  await harness.start();
});
after(() => harness.close());

const sleep: Partial<Container> = { command: ['/bin/sh', '-c', 'touch /v/made; exec sleep 1000'] };
const spec: Partial<PodSpec> = { volumes: [{ name: 'v', emptyDir: {} }] };
const mount = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };
const AS_QEMU = { securityContext: { runAsUser: 107, runAsGroup: 107 } };

async function run(pod: Pod): Promise<{ readonly uid: string; readonly pid: number }> {
  harness.create(pod);
  const { metadata } = await harness.until(pod.metadata.name ?? '', (p) => p.status?.phase === 'Running');
  const uid = requireUid(metadata.uid, 'Pod');
  const pid = readdirSync('/proc')
    .map(Number)
    .find((candidate) => candidate > 1 && isProcessInPod(candidate, uid));
  return { uid, pid: pid ?? assert.fail('no process') };
}

function launcher(name: string): Pod {
  const pod = harness.pod(name, { ...sleep, ...mount, ...AS_QEMU }, spec);
  return { ...pod, metadata: { ...pod.metadata, labels: { 'kubevirt.io': 'virt-launcher' } } };
}

function userOf(pid: number): number {
  return Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** A file that the Pod's shell makes in its volume: the Pod runs a moment before it is there. */
async function made(
  uid: string,
  name: string,
  isDone: (path: string) => boolean = existsSync,
): Promise<string> {
  const path = join(harness.context.kubeletDir, 'pods', uid, 'volumes/kubernetes.io~empty-dir/v', name);
  const signal = AbortSignal.timeout(30_000);
  while (!isDone(path)) await setTimeout(20, undefined, { signal });
  return path;
}

// First: runc makes its directories for root alone, and launchers must get to theirs nevertheless.
test('other Pods have the users of the machine', async () => {
  const plain = await run(harness.pod('plain', { ...sleep, ...mount }, spec));
  assert.equal(readPodRecord(harness.context, plain.uid)?.userRange, undefined);
  assert.equal(userOf(plain.pid), 0);
  await harness.delete('plain', 0);
});

test('two launchers are two users of the machine, both 107 to themselves and on disk', async () => {
  const [one, two] = [await run(launcher('one')), await run(launcher('two'))];
  assert.notEqual(userOf(one.pid), userOf(two.pid));
  for (const { uid, pid } of [one, two]) {
    const { userRange } = readPodRecord(harness.context, uid) ?? {};
    assert.ok(userRange !== undefined && userRange >= 0x7000_0000);
    assert.equal(userOf(pid), userRange + 107);
    assert.equal(idOnNode(pid, 107), userRange + 107);
    assert.equal(statSync(await made(uid, 'made')).uid, 107);
  }
  await Promise.all(['one', 'two'].map((name) => harness.delete(name, 0)));
  for (const { uid } of [one, two]) assert.ok(!existsSync(podUserNamespace(harness.context, uid)));
});

for (const labels of [
  { 'kubevirt.io': 'virt-export' },
  { 'cdi.kubevirt.io': 'importer' },
  { 'cdi.kubevirt.io': 'cdi-upload-server' },
] as Readonly<Record<string, string>>[])
  test(`so is what has the label ${JSON.stringify(labels)}`, async () => {
    const pod = launcher('worker');
    const { pid, uid } = await run({ ...pod, metadata: { ...pod.metadata, labels } });
    const { userRange = 0 } = readPodRecord(harness.context, uid) ?? {};
    assert.ok(userRange >= 0x7000_0000);
    assert.equal(userOf(pid), userRange + 107);
    assert.equal(statSync(await made(uid, 'made')).uid, 107);
    await harness.delete('worker', 0);
  });

test('so is a launcher of a built image, whose files belong to root in it', async () => {
  const layout = join(harness.home, 'layout');
  const image = `${layout}:test`;
  execFileSync('umoci', ['init', '--layout', layout]);
  execFileSync('umoci', ['new', '--image', image]);
  // Each makes a layer.
  execFileSync('umoci', ['insert', '--image', image, '/bin/busybox', '/bin/busybox']);
  const script = join(harness.home, 'main');
  writeFileSync(
    script,
    '#!/bin/busybox sh\n/bin/busybox stat -c %u /bin/busybox > /v/owner\nexec /bin/busybox sleep 1000\n',
  );
  chmodSync(script, 0o755);
  execFileSync('umoci', ['insert', '--image', image, script, '/main']);
  await new ImageStore(instancePaths(harness.home).images).importArchive(layout, 'podvisor.local/built:1');
  const container = {
    image: 'podvisor.local/built:1',
    imagePullPolicy: 'Never',
    command: ['/main'],
  } as const;
  const pod = harness.pod('built', { ...container, ...mount, ...AS_QEMU }, spec);
  const metadata = { ...pod.metadata, annotations: {}, labels: { 'kubevirt.io': 'virt-launcher' } };
  const { pid, uid } = await run({ ...pod, metadata });
  const { userRange = 0 } = readPodRecord(harness.context, uid) ?? {};
  assert.equal(userOf(pid), userRange + 107);
  assert.ok(userRange >= 0x7000_0000);
  const owner = await made(uid, 'owner', (path) => existsSync(path) && readFileSync(path, 'utf8') !== '');
  assert.equal(readFileSync(owner, 'utf8'), '0\n');
  await harness.delete('built', 0);
});

test('root of a Pod with hostUsers: false is nobody on the machine', async () => {
  const { pid, uid } = await run(harness.pod('asks', { ...sleep, ...mount }, { ...spec, hostUsers: false }));
  const { userRange } = readPodRecord(harness.context, uid) ?? {};
  assert.equal(userOf(pid), userRange);
  await harness.delete('asks', 0);
});

test('a kubelet that restarts finds the same users', async () => {
  const { uid, pid } = await run(launcher('stays'));
  const before = readPodRecord(harness.context, uid)?.userRange;
  await harness.kubelet?.close();
  await harness.start();
  assert.equal(readPodRecord(harness.context, uid)?.userRange, before);
  assert.equal(userOf(pid), (before ?? 0) + 107);
  await harness.delete('stays', 0);
  assert.deepEqual(recordedPods(harness.context), []);
});
