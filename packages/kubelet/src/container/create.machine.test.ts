/** A run that a crash left half made. Needs root. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { cgroupProcesses, EMBEDDED_LAUNCHER_IMAGE, isAlive, removeCgroup } from '@podvisor/sys';
import { podCgroup } from '../context.ts';
import { NO_DEVICES } from '../device-manager/types.ts';
import { ImageStore } from '../images/store.ts';
import { Harness } from '../testing/harness.ts';
import { createRun, removeRun } from './create.ts';

const harness = new Harness(14);
after(() => harness.close());

test('making it again under the same number leaves nothing of the first try', async () => {
  const { context } = harness;
  mkdirSync(context.exitDir, { recursive: true });
  const pod = harness.pod('half', { command: ['/bin/sleep', '1000'] }, { hostNetwork: true });
  const uid = randomUUID();
  const [container] = pod.spec.containers;
  assert.ok(container !== undefined);
  const request = {
    pod: { ...pod, metadata: { ...pod.metadata, uid } },
    container,
    attempt: 0,
    backoffLevel: 0,
    image: await new ImageStore(context.paths.images).ensure(EMBEDDED_LAUNCHER_IMAGE),
    netns: undefined,
    userRange: undefined,
    volumes: new Map(),
    podFiles: new Map(),
    devices: NO_DEVICES,
    facts: { ips: [], hostIp: '', nodeName: 'node1', allocatable: { cpuMilli: 1000, memoryBytes: 1 } },
    serviceEnv: [],
    objects: { configMap: async () => undefined, secret: async () => undefined },
  };
  const first = await createRun(context, request);
  const second = await createRun(context, request);
  assert.equal(isAlive(first.pid ?? 0), false);
  assert.equal(isAlive(second.pid ?? 0), true);
  assert.deepEqual(readdirSync(context.runcRoot), [second.id]);
  assert.deepEqual(cgroupProcesses(`${podCgroup(context, uid)}/main-0`), [second.pid]);
  await removeRun(context, second, 'nothing');
  assert.deepEqual(readdirSync(context.runcRoot), []);
  assert.equal(removeCgroup(podCgroup(context, uid)), true);
});
