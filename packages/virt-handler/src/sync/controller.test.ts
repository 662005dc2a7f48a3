import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { QueueMetrics, resources, stderrLog, type WorkQueue } from '@podvisor/kube';
import { Journal } from '../ghost-records/journal.ts';
import { socketsDirectory } from '../launcher-client/socket.ts';
import { Metrics } from '../metrics/metrics.ts';
import { FakeApi } from '../testing/fake-api.ts';
import { FakeLauncher } from '../testing/fake-launcher.ts';
import { domainState, POD_UID, VMI_UID, vmiOf } from '../testing/objects.ts';
import { NodeVmiController } from './controller.ts';
import { specFingerprint } from './fingerprint.ts';
import { NodeCaches } from './node-caches.ts';

const KEY = { namespace: 'shop', name: 'web' };
const pod: Pod = {
  metadata: {
    namespace: 'shop',
    name: 'virt-launcher-web-x',
    uid: POD_UID,
    labels: { 'kubevirt.io/created-by': VMI_UID },
    ownerReferences: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        name: 'web',
        uid: VMI_UID,
        controller: true,
      },
    ],
  },
  spec: { containers: [] },
  status: { phase: 'Running', podIP: '10.1.0.7' },
};
const off = { state: 'Shutoff', reason: 'Shutdown' } as const;

/** Counts how often the loop has looked at a VMI. */
class CountedQueues extends QueueMetrics {
  looks = 0;
  queue: WorkQueue | undefined;

  override observer(name: string): ReturnType<QueueMetrics['observer']> {
    const observer = super.observer(name);
    return {
      ...observer,
      made: (queue) => {
        this.queue = queue;
        observer.made(queue);
      },
      done: (workedMs) => {
        this.looks += 1;
        observer.done(workedMs);
      },
    };
  }
}
class CountedMetrics extends Metrics {
  override readonly queues = new CountedQueues();
}

let counted: CountedQueues;
let directory: string;
let api: FakeApi;
let launcher: FakeLauncher;
let stop: AbortController;
let running: Promise<void> | undefined;
const told: string[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pvc-'));
  api = new FakeApi();
  launcher = new FakeLauncher(socketsDirectory(directory, POD_UID));
  stop = new AbortController();
  told.length = 0;
});
afterEach(async () => {
  stop.abort();
  await running;
  launcher.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Starts a virt-handler whose journal says that the VMI was given to its launcher before. */
async function start(vmi: VirtualMachineInstance = vmiOf({ phase: 'Running' })): Promise<void> {
  const journal = new Journal(directory);
  journal.put({ ...KEY, uid: VMI_UID, podUid: POD_UID, syncedSpec: specFingerprint(vmi) });
  const quiet = { info: () => {}, warn: () => {}, error: stderrLog.error };
  const caches = new NodeCaches(api, 'n1', 'kubevirt', quiet);
  const metrics = new CountedMetrics();
  counted = metrics.queues;
  const controller = new NodeVmiController({
    client: api,
    caches,
    journal,
    metrics,
    events: { event: (_object, _type, reason) => void told.push(reason) },
    nodeName: 'n1',
    namespace: 'kubevirt',
    migration: { address: '127.0.0.1', tlsDir: directory },
    links: {
      kubeletDir: directory,
      clock: systemClock,
      log: quiet,
      checks: { uid: process.getuid?.() ?? 0, isInPod: () => true },
    },
    nodeFacts: () => ({ name: 'n1', kvmUsable: false }),
    claims: { run: () => Promise.reject(new Error('there are no claims here')) },
    hasOtherNodes: async () => false,
    clock: systemClock,
    log: quiet,
  });
  await caches.start(stop.signal);
  running = controller.run(stop.signal);
}

async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, `in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves when the loop has looked at the VMI since the change, and has nothing more to do. */
async function looked(change: () => void): Promise<void> {
  const before = counted.looks;
  change();
  await until(
    'another look',
    () => counted.looks > before && counted.queue?.length === 0 && counted.queue.runningMs().length === 0,
  );
}

const phase = (): string | undefined => api.get(resources.virtualMachineInstances, KEY)?.status?.phase;

describe('sync loop', () => {
  test('one write when the domain runs, none while nothing changes, one when it ends', async () => {
    const vmi = vmiOf({ phase: 'Scheduled' });
    api.put(resources.pods, pod);
    api.put(resources.virtualMachineInstances, vmi);
    launcher.setDomain(domainState());
    await launcher.start();
    await start(vmi);
    await until('Running', () => phase() === 'Running');
    for (let i = 0; i < 5; i += 1) await looked(() => launcher.setDomain(domainState()));
    assert.equal(api.updates.length, 1);
    assert.deepEqual(launcher.calls, []);
    launcher.setDomain(domainState(off));
    await until('deleted', () => launcher.calls.includes('delete'));
    assert.equal(phase(), 'Succeeded');
    assert.equal(api.updates.length, 2);
    assert.deepEqual(told.slice(0, 2), ['Started', 'Stopped']);
  });

  test('a restart adopts a running VM without a word to it or to the API', async () => {
    launcher.setDomain(domainState());
    await launcher.start();
    api.put(resources.pods, pod);
    api.put(resources.virtualMachineInstances, vmiOf({ phase: 'Scheduled' }));
    await start();
    await until('Running', () => phase() === 'Running');
    stop.abort();
    await running;
    stop = new AbortController();
    await start();
    // It knows the domain again when it looks at what its launcher says.
    await until('looked', () => counted.looks > 0);
    await looked(() => launcher.setDomain(domainState()));
    assert.equal(api.updates.length, 1);
    assert.deepEqual(launcher.calls, []);
  });

  test('a launcher that dies changes nothing until its Pod is known to have ended', async () => {
    launcher.setDomain(domainState());
    await launcher.start();
    api.put(resources.pods, pod);
    api.put(resources.virtualMachineInstances, vmiOf({ phase: 'Scheduled' }));
    await start();
    await until('Running', () => phase() === 'Running');
    await looked(() => launcher.stop());
    assert.equal(phase(), 'Running');
    api.put(resources.pods, { ...pod, status: { phase: 'Failed' } });
    await until('Failed', () => phase() === 'Failed');
    await until('forgotten', () => new Journal(directory).list().length === 0);
  });

  test('deletion: the guest is asked, then killed when its time is over', async () => {
    const vmi = vmiOf({ phase: 'Running' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }, 1);
    launcher.setDomain(domainState());
    await launcher.start();
    api.put(resources.pods, pod);
    api.put(resources.virtualMachineInstances, vmi);
    await start(vmi);
    await until('asked', () => launcher.calls.includes('shutdown'));
    assert.equal(launcher.calls.includes('kill'), false);
    await until('killed', () => launcher.calls.includes('kill'));
    assert.ok(told.includes('ShuttingDown'));
  });

  test('a VM without VMI is ended and forgotten; not while the API server cannot tell', async () => {
    launcher.setDomain(domainState());
    await launcher.start();
    api.put(resources.pods, pod);
    api.isDown = true;
    await start();
    await until('asked in vain, twice', () => counted.looks > 1);
    assert.deepEqual(launcher.calls, []);
    api.isDown = false;
    api.put(resources.pods, { ...pod, metadata: { ...pod.metadata, annotations: { a: 'b' } } });
    await until('killed', () => launcher.calls.includes('kill'));
    launcher.setDomain(domainState({ state: 'Shutoff', reason: 'Destroyed' }));
    await until('deleted', () => launcher.calls.includes('delete'));
    launcher.setDomain(undefined);
    await until('forgotten', () => new Journal(directory).list().length === 0);
  });

  test('a VMI of the same name but another UID does not inherit the old VM', async () => {
    launcher.setDomain(domainState());
    await launcher.start();
    api.put(resources.pods, pod);
    api.put(resources.virtualMachineInstances, vmiOf({ phase: 'Scheduled' }, { uid: 'uid-2' }));
    await start();
    await until('killed', () => launcher.calls.includes('kill'));
    assert.equal(phase(), 'Scheduled');
  });
});
