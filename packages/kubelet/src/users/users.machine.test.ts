/** Pods in user namespaces: who they are on the machine, and what is on disk. Needs root. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Container, Pod, PodSpec } from '@podvisor/api';
import { requireUid } from '@podvisor/base';
import { idOnNode, isProcessInPod } from '@podvisor/sys';
import { podUserNamespace } from '../context.ts';
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
    const made = join(harness.context.kubeletDir, 'pods', uid, 'volumes/kubernetes.io~empty-dir/v/made');
    assert.equal(statSync(made).uid, 107);
  }
  await Promise.all(['one', 'two'].map((name) => harness.delete(name, 0)));
  for (const { uid } of [one, two]) assert.ok(!existsSync(podUserNamespace(harness.context, uid)));
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
