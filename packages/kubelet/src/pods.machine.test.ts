/** Real Pods on this machine, without an API server. Needs root. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Pod } from '@podvisor/api';
import { isAlive, run } from '@podvisor/sys';
import { emptyMachine } from './empty-machine.ts';
import { readContainers } from './pod/records.ts';
import { Harness } from './testing/harness.ts';

const harness = new Harness(11);
before(async () => {
  await harness.start();
});
after(() => harness.close());

const NOTHING = { mounts: [], netns: [], cgroups: [], veths: [], pods: [], containers: [] };
const sh = (script: string): { command: string[] } => ({ command: ['/bin/sh', '-c', script] });

function reference(pod: Pod): { namespace: string; name: string; uid: string; nodeName: string } {
  return {
    namespace: 'default',
    name: pod.metadata.name ?? '',
    uid: pod.metadata.uid ?? '',
    nodeName: 'node1',
  };
}

async function logs(
  pod: Pod,
  options: { previous?: boolean; follow?: boolean; tailLines?: number } = {},
): Promise<string> {
  const all = { follow: false, previous: false, timestamps: false, ...options };
  const chunks: Uint8Array[] = [];
  const container = pod.spec.containers[0]?.name ?? '';
  const lines =
    harness.kubelet?.nodeProxy.logs(reference(pod), container, all, AbortSignal.timeout(10_000)) ?? [];
  for await (const chunk of lines) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function exec(
  pod: Pod,
  command: string[],
  options: { tty?: boolean; input?: string } = {},
): Promise<{ code: number; out: string }> {
  const streams = {
    stdin: options.input !== undefined,
    stdout: true,
    stderr: true,
    tty: options.tty === true,
  };
  const container = pod.spec.containers[0]?.name ?? '';
  const process = await harness.kubelet?.nodeProxy.exec(
    reference(pod),
    container,
    command,
    streams,
    AbortSignal.timeout(10_000),
  );
  assert.ok(process !== undefined);
  let out = '';
  process.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
  });
  process.stderr?.resume();
  if (options.input !== undefined) process.stdin?.end(options.input);
  return { code: await process.exit, out };
}

test('a Pod runs, has an address, ends, and leaves nothing', async (t) => {
  for (const round of ['first', 'warm']) {
    const startedAt = performance.now();
    harness.create(harness.pod('one', { command: ['/bin/sleep', '1000'] }));
    const pod = await harness.phase('one', 'Running');
    t.diagnostic(`${round}: bound → running ${Math.round(performance.now() - startedAt)} ms`);
    assert.match(pod.status?.podIP ?? '', /^10\.251\.11\./);
    await run('ping', ['-c', '1', '-W', '2', pod.status?.podIP ?? '']);
    const deletedAt = performance.now();
    await harness.delete('one', 0);
    t.diagnostic(`${round}: deleted → gone ${Math.round(performance.now() - deletedAt)} ms`);
    assert.deepEqual(await harness.traces(), NOTHING);
  }
});

test('the start of a Pod is told with one write', async () => {
  harness.api.writes.length = 0;
  harness.create(harness.pod('quiet', { command: ['/bin/sleep', '1000'] }));
  const pod = await harness.phase('quiet', 'Running');
  assert.deepEqual(
    harness.api.writes.filter((w) => w.includes('pods')),
    ['patch pods/status quiet'],
  );
  const ready = pod.status?.conditions?.find((c) => c.type === 'Ready');
  assert.equal(ready?.status, 'True');
  await harness.delete('quiet', 0);
});

test('output and exit code are kept; restartPolicy Never ends in Failed', async () => {
  harness.create(
    harness.pod('fails', sh('echo hello; echo trouble >&2; printf why > /dev/termination-log; exit 7')),
  );
  const pod = await harness.phase('fails', 'Failed');
  const ended = pod.status?.containerStatuses?.[0]?.state?.terminated;
  assert.equal(ended?.exitCode, 7);
  assert.equal(ended?.reason, 'Error');
  assert.equal(ended?.message, 'why');
  assert.equal(await logs(pod), 'hello\ntrouble\n');
  assert.equal(await logs(pod, { tailLines: 1 }), 'trouble\n');
  // The phase is told first: who waits for it does not wait for what is taken down after it.
  const left = async () => ({ ...(await harness.traces()), containers: [] });
  for (const until = Date.now() + 30_000; Date.now() < until && !isDeepStrictEqual(await left(), NOTHING); )
    await delay(20);
  assert.deepEqual(await left(), NOTHING, 'an ended Pod holds nothing but its logs');
  await harness.delete('fails');
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('following a log ends with the container', async () => {
  harness.create(harness.pod('talks', sh('for i in 1 2 3; do echo $i; sleep 0.2; done')));
  const pod = await harness.phase('talks', 'Running');
  assert.equal(await logs(pod, { follow: true }), '1\n2\n3\n');
  await harness.phase('talks', 'Succeeded');
  await harness.delete('talks');
});

test('exec gives output, exit code, standard input and a terminal', async () => {
  harness.create(harness.pod('shell', { command: ['/bin/sleep', '1000'], tty: false }));
  const pod = await harness.phase('shell', 'Running');
  assert.deepEqual(await exec(pod, ['/bin/sh', '-c', 'echo out; exit 3']), { code: 3, out: 'out\n' });
  assert.deepEqual(await exec(pod, ['/bin/cat'], { input: 'through' }), { code: 0, out: 'through' });
  const terminal = await exec(pod, ['/bin/sh', '-c', 'test -t 0 && echo terminal; exit 4'], { tty: true });
  assert.equal(terminal.code, 4);
  assert.match(terminal.out, /terminal/);
  assert.match((await exec(pod, ['/bin/hostname'])).out, /^shell$/m);
  assert.match((await exec(pod, ['/bin/cat', '/etc/hosts'])).out, new RegExp(`${pod.status?.podIP}\tshell`));
  await harness.delete('shell', 0);
});

/**
 * The container's first process has said what it does with SIGTERM. Before that the kernel drops the signal; runc, which
 * becomes that process a moment after it is told to, has a handler of its own.
 */
async function hearsTerm(pod: Pod): Promise<number> {
  const pid = readContainers(harness.context, pod.metadata.uid ?? '').get('main')?.[0]?.record.pid ?? 0;
  const masks = (): string[] =>
    [...readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^Sig(?:Cgt|Ign):\s*([0-9a-f]+)$/gm)].map(
      ([, mask]) => mask ?? '',
    );
  const isRunc = (): boolean => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('runc');
  while (isRunc() || !masks().some((mask) => (BigInt(`0x${mask}`) >> 14n) & 1n)) await delay(10);
  return pid;
}

test('SIGTERM is given first, SIGKILL when the time is up', async (t) => {
  harness.create(harness.pod('polite', sh('trap "exit 0" TERM; while :; do sleep 0.05; done')));
  await hearsTerm(await harness.phase('polite', 'Running'));
  let startedAt = performance.now();
  await harness.delete('polite', 60);
  assert.ok(performance.now() - startedAt < 30_000, 'it is gone long before its time is up');
  harness.create(harness.pod('stubborn', sh('trap "" TERM; while :; do sleep 0.05; done')));
  await hearsTerm(await harness.phase('stubborn', 'Running'));
  startedAt = performance.now();
  await harness.delete('stubborn', 1);
  const took = performance.now() - startedAt;
  t.diagnostic(`grace 1 s: gone after ${Math.round(took)} ms`);
  assert.ok(took >= 900 && took < 30_000, 'SIGKILL came when its second was over');
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('a kubelet that restarts finds its containers running and disturbs nothing', async () => {
  harness.create(harness.pod('stays', sh('echo begun; while :; do sleep 0.05; done')));
  const pod = await harness.phase('stays', 'Running');
  const before = readContainers(harness.context, pod.metadata.uid ?? '').get('main')?.[0]?.record.pid ?? 0;
  await harness.kubelet?.close();
  assert.ok(isAlive(before));
  harness.api.writes.length = 0;
  await harness.start();
  const after = readContainers(harness.context, pod.metadata.uid ?? '').get('main')?.[0];
  assert.equal(after?.record.pid, before);
  assert.equal(after?.state.kind, 'running');
  assert.deepEqual(
    harness.api.writes.filter((w) => w.includes('pods') && w.endsWith(' stays')),
    [],
    'nothing changed, nothing is written',
  );
  assert.equal((await exec(pod, ['/bin/true'])).code, 0);
  await harness.delete('stays', 0);
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('what ended while the kubelet was away is noticed', async () => {
  harness.create(harness.pod('short', sh('trap "exit 5" TERM; while :; do sleep 0.05; done')));
  const short = await harness.phase('short', 'Running');
  const seen = () => readContainers(harness.context, short.metadata.uid ?? '').get('main')?.[0];
  const pid = await hearsTerm(short);
  await harness.kubelet?.close();
  process.kill(pid, 'SIGTERM');
  while (seen()?.state.kind === 'running') await delay(20);
  await harness.start();
  const pod = await harness.phase('short', 'Failed');
  assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 5);
  await harness.delete('short');
});

test('a Pod that vanished from the API while the kubelet was away is removed', async () => {
  harness.create(harness.pod('orphan', { command: ['/bin/sleep', '1000'] }));
  const pod = await harness.phase('orphan', 'Running');
  const pid = readContainers(harness.context, pod.metadata.uid ?? '').get('main')?.[0]?.record.pid ?? 0;
  await harness.kubelet?.close();
  harness.forgetPod('orphan');
  await harness.start();
  assert.equal(isAlive(pid), false);
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('a container that crashes restarts, the second time after a delay', async () => {
  harness.create(harness.pod('crashes', sh('echo run; exit 1'), { restartPolicy: 'Always' }));
  const pod = await harness.until(
    'crashes',
    (p) =>
      p.status?.containerStatuses?.[0]?.restartCount === 1 &&
      p.status.containerStatuses[0].state?.waiting !== undefined,
  );
  const status = pod.status?.containerStatuses?.[0];
  assert.equal(status?.state?.waiting?.reason, 'CrashLoopBackOff');
  assert.equal(status?.lastState?.terminated?.exitCode, 1);
  assert.equal(pod.status?.phase, 'Running');
  assert.equal(await logs(pod, { previous: true }), 'run\n');
  await harness.delete('crashes', 0);
});

test('init containers run in order before the main one, a sidecar beside it', async () => {
  const volumes = [{ name: 'shared', emptyDir: {} }];
  const volumeMounts = [{ name: 'shared', mountPath: '/shared' }];
  const image = 'podvisor.local/virt-launcher:embedded';
  harness.create(
    harness.pod(
      'ordered',
      { ...sh('echo main >> /shared/order; cat /shared/order'), volumeMounts },
      {
        volumes,
        initContainers: [
          { name: 'first', image, volumeMounts, ...sh('echo first >> /shared/order') },
          {
            name: 'beside',
            image,
            volumeMounts,
            restartPolicy: 'Always',
            ...sh('echo beside >> /shared/order; exec sleep 1000'),
          },
          { name: 'second', image, volumeMounts, ...sh('sleep 0.2; echo second >> /shared/order') },
        ],
      },
    ),
  );
  const pod = await harness.phase('ordered', 'Succeeded');
  assert.equal(await logs(pod), 'first\nbeside\nsecond\nmain\n');
  await harness.delete('ordered');
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('emptying the machine ends everything; a later kubelet finds how it ended and starts what should run', async () => {
  harness.create(harness.pod('vm-like', sh('trap "exit 0" TERM; while :; do sleep 0.05; done')));
  harness.create(harness.pod('service', { command: ['/bin/sleep', '1000'] }, { restartPolicy: 'Always' }));
  await hearsTerm(await harness.phase('vm-like', 'Running'));
  await harness.phase('service', 'Running');
  await harness.kubelet?.close();
  await emptyMachine(harness.config, harness.context.paths, harness.context.log, 1);
  assert.deepEqual({ ...(await harness.traces()), containers: [] }, NOTHING);
  await harness.start();
  await harness.phase('vm-like', 'Succeeded');
  await harness.until(
    'service',
    (p) => p.status?.containerStatuses?.[0]?.restartCount === 1 && p.status.phase === 'Running',
  );
  await Promise.all([harness.delete('vm-like', 0), harness.delete('service', 0)]);
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('a container that takes more memory than its limit is ended with OOMKilled', async () => {
  const limits = { resources: { limits: { memory: '32Mi' } } };
  harness.create(harness.pod('greedy', { ...sh('exec tail /dev/zero'), ...limits }));
  const pod = await harness.phase('greedy', 'Failed');
  const ended = pod.status?.containerStatuses?.[0]?.state?.terminated;
  assert.equal(ended?.reason, 'OOMKilled');
  assert.equal(ended?.exitCode, 137);
  await harness.delete('greedy', 0);
});

test('hooks: postStart runs beside the container, preStop before its end', async () => {
  const volumes = [{ name: 'v', hostPath: { path: harness.home } }];
  const write = (name: string): { exec: { command: string[] } } => ({
    exec: { command: ['/usr/bin/touch', `/v/${name}`] },
  });
  harness.create(
    harness.pod(
      'hooked',
      {
        ...sh('trap "exit 0" TERM; while :; do sleep 0.05; done'),
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
        lifecycle: { postStart: write('started'), preStop: write('stopping') },
      },
      { volumes },
    ),
  );
  await hearsTerm(await harness.phase('hooked', 'Running'));
  await harness.delete('hooked', 10);
  assert.ok(existsSync(join(harness.home, 'started')));
  assert.ok(existsSync(join(harness.home, 'stopping')));
});

test('a Pod that is active for too long is ended', async () => {
  harness.create(
    harness.pod(
      'late',
      { command: ['/bin/sleep', '1000'] },
      { activeDeadlineSeconds: 1, terminationGracePeriodSeconds: 0 },
    ),
  );
  const pod = await harness.phase('late', 'Failed');
  assert.equal(pod.status?.reason, 'DeadlineExceeded');
  await harness.delete('late');
  assert.deepEqual(await harness.traces(), NOTHING);
});
