/**
 * What a user does with a VM every day, against a real guest: start it with few writes, sign in by a key that came
 * through the agent, forward ports, look at its screen, read its numbers, lose it from its Service
 * when it is not ready, and dump its memory. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { isForeign, needsEmbedded, openHome } from '../support/home.ts';
import { Conversation, type Instance, root } from '../support/instance.ts';
import { metricsPage, metricsReaderToken } from '../support/metrics-reader.ts';

const key = { namespace: 'default', name: 'daily' };
const REST_MS = 65_000;

function dailyVm(): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: key,
    spec: {
      runStrategy: 'Halted',
      template: {
        metadata: { labels: { app: 'daily' } },
        spec: {
          domain: {
            memory: { guest: '192Mi' },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                { name: 'cloud-init', disk: { bus: 'virtio' } },
              ],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          readinessProbe: { httpGet: { port: 80, path: '/ready' }, periodSeconds: 1, failureThreshold: 1 },
          terminationGracePeriodSeconds: 0,
          accessCredentials: [
            {
              sshPublicKey: {
                source: { secret: { secretName: 'daily-keys' } },
                propagationMethod: { qemuGuestAgent: { users: ['root'] } },
              },
            },
          ],
          volumes: [
            { name: 'root', containerDisk: { image: 'podvisor.local/hello:1' } },
            {
              name: 'cloud-init',
              cloudInitNoCloud: {
                userData: [
                  '#cloud-config',
                  'hostname: daily',
                  'runcmd:',
                  '  - mkdir -p /www',
                  '  - echo yes > /www/ready',
                  '  - httpd -p 80 -h /www',
                  '',
                ].join('\n'),
              },
            },
          ],
        },
      },
    },
  };
}

describe('day to day', { concurrency: 1 }, () => {
  let instance: Instance;
  let directory: string;
  const vmi = (): Promise<VirtualMachineInstance> =>
    instance.client.get(resources.virtualMachineInstances, key);
  const condition = async (type: string): Promise<string | undefined> =>
    (await vmi()).status?.conditions?.find((c) => c.type === type)?.status;
  /** All versions of VMIs that were written since it was called. */
  const follow = (stop: AbortSignal): VirtualMachineInstance[] => {
    const seen: VirtualMachineInstance[] = [];
    void (async () => {
      for await (const event of instance.client.watch(resources.virtualMachineInstances, {}, stop))
        if (event.type === 'ADDED' || event.type === 'MODIFIED') seen.push(event.object);
    })().catch(() => undefined);
    return seen;
  };
  const keyPair = (name: string): string => {
    const file = join(directory, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file]);
    return file;
  };
  const sshWords = (identity: string): string[] => [
    ...['--identity-file', identity, '--known-hosts', join(directory, 'known-hosts')],
    ...['--local-ssh-opts=-o StrictHostKeyChecking=no', '--local-ssh-opts=-o BatchMode=yes'],
  ];
  const forward = async <T>(port: string, use: (localPort: number) => Promise<T>): Promise<T> => {
    const [protocol = 'tcp', target = ''] = port.split('/');
    const args = ['port-forward', 'vmi/daily', `${protocol}/0:${target}`];
    const forwarding = new Conversation(`${root}/bin/virtctl`, args, instance.env);
    try {
      const line = await forwarding.hear(/forwarding \w+ 127\.0\.0\.1:(\d+)/, 30_000);
      return await use(Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]));
    } finally {
      forwarding.end();
      await forwarding.exited();
    }
  };

  before(async () => {
    directory = mkdtempSync('/tmp/podvisor-daily-');
    instance = await openHome();
    // A manifest that names the image brings it into the store.
    const manifest = join(directory, 'daily.json');
    writeFileSync(manifest, JSON.stringify(dailyVm()));
    const { code, stdout, stderr } = await instance.up(manifest);
    assert.equal(code, 0, stdout + stderr);
    const publicKey = readFileSync(`${keyPair('first')}.pub`, 'utf8');
    const secret = ['create', 'secret', 'generic', 'daily-keys', `--from-literal=key=${publicKey}`];
    assert.equal((await instance.kubectl(...secret)).code, 0);
  });
  after(async () => {
    await instance?.purge();
    rmSync(directory, { recursive: true, force: true });
  });

  // How many phases there are depends on how long the machine takes from one to the next: bench start counts them.
  test('a start writes the VMI once for each phase on its way', async () => {
    const stop = new AbortController();
    const seen = follow(stop.signal);
    assert.equal((await instance.virtctl('start', 'daily')).code, 0);
    await eventually('the VMI runs', 120_000, () =>
      seen.some(({ status }) => status?.phase === 'Running') ? true : undefined,
    );
    stop.abort();
    const phases = seen.map(({ status }) => status?.phase);
    const onTheWay = phases.slice(0, phases.indexOf('Running'));
    assert.deepEqual(onTheWay, [...new Set(onTheWay)], `written as ${phases.join(', ')}`);
  });

  test('a key comes through the agent, and ssh works with it', async () => {
    await eventually('the keys are in the guest', 400_000, async () =>
      (await condition('AccessCredentialsSynchronized')) === 'True' ? true : undefined,
    );
    const words = sshWords(join(directory, 'first'));
    const told = await eventually('the guest takes the key', 120_000, async () => {
      const result = await instance.virtctl('ssh', 'root@vmi/daily', ...words, '-c', 'hostname');
      return result.code === 0 ? result.stdout : undefined;
    });
    assert.match(told, /^daily$/m);
  });

  test('the key follows its secret while the guest runs', async () => {
    const next = keyPair('second');
    const publicKey = Buffer.from(readFileSync(`${next}.pub`)).toString('base64');
    const patch = ['patch', 'secret', 'daily-keys', '-p', JSON.stringify({ data: { key: publicKey } })];
    assert.equal((await instance.kubectl(...patch)).code, 0);
    await eventually('the guest takes the new key', 120_000, async () => {
      const result = await instance.virtctl('ssh', 'root@vmi/daily', ...sshWords(next), '-c', 'true');
      return result.code === 0 ? true : undefined;
    });
    const old = await instance.virtctl(
      ...['ssh', 'root@vmi/daily', ...sshWords(join(directory, 'first')), '-c', 'true'],
    );
    assert.notEqual(old.code, 0, 'the old key is gone');
  });

  test('ports: TCP and UDP', async () => {
    const page = await forward('tcp/80', async (port) =>
      (await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(20_000) })).text(),
    );
    assert.equal(page, 'yes\n');
    // Nobody listens there, which the guest counts.
    await forward('udp/9', (port) =>
      eventually('a datagram arrives', 120_000, async () => {
        const socket = createSocket('udp4');
        await new Promise<void>((resolve) =>
          socket.send('hello', port, '127.0.0.1', () => socket.close(() => resolve())),
        );
        const words = sshWords(join(directory, 'second'));
        const counters = ['-c', "awk '/^Udp:/ { n = $3 } END { print n }' /proc/net/snmp"];
        const { stdout } = await instance.virtctl('ssh', 'root@vmi/daily', ...words, ...counters);
        return Number(stdout.trim()) > 0 ? true : undefined;
      }),
    );
  });

  test('its screen: VNC through a local port, and a picture', async () => {
    const proxy = new Conversation(`${root}/bin/virtctl`, ['vnc', 'daily', '--proxy-only'], instance.env);
    try {
      const port = Number(/"port":(\d+)/.exec(await proxy.hear(/"port":\d+/, 30_000))?.[1]);
      assert.match(await firstWords(port), /^RFB 003\.00\d\n$/);
    } finally {
      proxy.end();
      await proxy.exited();
    }
    const file = join(directory, 'screen.png');
    assert.equal((await instance.virtctl('vnc', 'screenshot', 'daily', '-f', file)).code, 0);
    assert.equal(readFileSync(file).subarray(1, 4).toString(), 'PNG');
  });

  test('numbers are served to those who may read them', async (t) => {
    if (needsEmbedded(t, 'ports of this machine')) return;
    const token = await metricsReaderToken(instance);
    for (const [offset, line] of [
      [1, /^kubevirt_vnc_active_connections\{namespace="default",vmi="daily"\} 0$/m],
      [2, /^kubevirt_vmi_cpu_usage_seconds_total\{node="node-1",namespace="default",name="daily".*\} [1-9]/m],
      [3, /^kubevirt_vmi_info\{.*name="daily",phase="running".*\} 1$/m],
    ] as const) {
      const port = instance.apiPort + offset;
      assert.equal((await metricsPage(port)).code, 401);
      const { code, body } = await metricsPage(port, token);
      assert.equal(code, 200, body);
      assert.match(body, line);
    }
  });

  test('a guest that is not ready leaves its Service and comes back', async () => {
    const expose = ['expose', 'vmi', 'daily', '--name', 'daily', '--port', '80'];
    assert.equal((await instance.virtctl(...expose)).code, 0);
    const endpoints = async (): Promise<number> => {
      const { stdout } = await instance.kubectl('get', 'endpoints', 'daily', '-o', 'json');
      const { subsets = [] } = JSON.parse(stdout) as { subsets?: { addresses?: unknown[] }[] };
      return subsets.reduce((sum, { addresses = [] }) => sum + addresses.length, 0);
    };
    const guest = (text: string): Promise<unknown> =>
      instance.virtctl('ssh', 'root@vmi/daily', ...sshWords(join(directory, 'second')), '-c', text);
    await eventually('it serves', 120_000, async () => ((await endpoints()) === 1 ? true : undefined));
    assert.equal(await condition('Ready'), 'True');
    await guest('mv /www/ready /www/not-ready');
    await eventually('nobody serves', 120_000, async () => ((await endpoints()) === 0 ? true : undefined));
    assert.equal(await condition('Ready'), 'False');
    await guest('mv /www/not-ready /www/ready');
    await eventually('it serves again', 120_000, async () => ((await endpoints()) === 1 ? true : undefined));
  });

  test('its memory goes into a claim, and the claim goes again', async (t) => {
    if (needsEmbedded(t, 'looks into its volumes')) return;
    const get = ['memory-dump', 'get', 'daily', '--claim-name', 'dump', '--create-claim'];
    const asked = await instance.virtctl(...get);
    assert.equal(asked.code, 0, asked.stderr);
    const request = async () =>
      (await instance.client.get(resources.virtualMachines, key)).status?.memoryDumpRequest;
    const done = await eventually('the dump has ended', 240_000, async () => {
      const found = await request();
      return found?.phase === 'Completed' || found?.phase === 'Failed' ? found : undefined;
    });
    assert.equal(done.phase, 'Completed', done.message);
    const volumes = join(instance.home, 'volumes');
    const file = readdirSync(volumes, { recursive: true })
      .map(String)
      .find((path) => path.endsWith(`/${done.fileName}`));
    assert.ok(file);
    const head = Buffer.alloc(4);
    const dump = openSync(join(volumes, file), 'r');
    readSync(dump, head, 0, 4, 0);
    closeSync(dump);
    assert.equal(head.toString('latin1'), '\u007fELF');
    assert.ok(statSync(join(volumes, file)).size > 192 * 1024 * 1024);
    assert.equal(
      (await vmi()).status?.volumeStatus?.some(({ name }) => name === 'dump'),
      false,
    );
    const claim = await instance.client.get(resources.persistentVolumeClaims, { ...key, name: 'dump' });
    assert.equal(claim.metadata.annotations?.['kubevirt.io/memory-dump'], done.fileName);
    const named = async () => {
      const { spec } = await instance.client.get(resources.virtualMachines, key);
      return spec.template.spec?.volumes?.some(({ memoryDump }) => memoryDump?.claimName === 'dump');
    };
    assert.equal(await named(), true);
    assert.equal((await instance.virtctl('memory-dump', 'remove', 'daily')).code, 0);
    await eventually('the VM forgets the claim', 60_000, async () =>
      (await request()) === undefined ? true : undefined,
    );
    assert.equal(await named(), false);
  });

  test('the console survives a lost connection', async () => {
    const terminal = ['-q', '-c', `${root}/bin/virtctl console --share daily`, '/dev/null'];
    const console = new Conversation('script', terminal, instance.env);
    try {
      await console.hear(/Successfully connected/, 120_000);
      await instance.kill('virt-api');
      await console.hear(/connected to daily console again/, 120_000);
      await console.hear(/login:/, 30_000);
    } finally {
      console.end();
      await console.exited();
    }
  });

  test('while nothing changes, nothing is written', async () => {
    const stop = new AbortController();
    const seen = follow(stop.signal);
    try {
      // The guest may have news still when we begin; when it has none for a while, it is at rest.
      await eventually('a guest at rest', 60_000, async () => {
        const before = seen.length;
        await delay(5_000);
        return seen.length === before && before > 0 ? true : undefined;
      });
      const rest = seen.length;
      // Longer than any period of ours: probes, heartbeats, resyncs and the agent's polls all come around.
      await delay(REST_MS);
      const written = seen
        .slice(rest)
        .map(({ metadata, status }) => ({ version: metadata?.resourceVersion, status }));
      assert.deepEqual(written, []);
      // The watch was alive all the time: it hears the first write.
      const annotations = { heard: 'yes' };
      await instance.client.patch(resources.virtualMachineInstances, key, {
        type: 'merge',
        body: { metadata: { annotations } },
      });
      await eventually('the watch hears', 10_000, () => (seen.length > rest ? true : undefined));
    } finally {
      stop.abort();
    }
  });

  test('it sleeps with all that it has in memory, and goes on', async () => {
    const words = sshWords(join(directory, 'second'));
    const guest = (command: string): Promise<string> =>
      eventually(`the guest does "${command}"`, 60_000, async () => {
        const result = await instance.virtctl('ssh', 'root@vmi/daily', ...words, '-c', command);
        return result.code === 0 ? result.stdout.trim() : undefined;
      });
    const BOOT_ID = 'cat /proc/sys/kernel/random/boot_id';
    const bootId = await guest(BOOT_ID);
    await guest('mkdir -p /mnt && mount -t tmpfs none /mnt && echo only-in-memory > /mnt/thought');
    const vm = () => instance.client.get(resources.virtualMachines, key);
    const slept = await instance.virtctl('hibernate', 'daily', '--wait');
    assert.equal(slept.code, 0, slept.stderr);
    const { hibernation, printableStatus } = (await vm()).status ?? {};
    assert.deepEqual(
      [printableStatus, hibernation?.phase, hibernation?.isWhole],
      ['Hibernated', 'Hibernated', true],
    );
    const again = await instance.virtctl('hibernate', 'daily');
    assert.match(again.stderr, /VM is hibernated already/);
    if (!isForeign) assertSealed(join(instance.home, 'volumes'), hibernation);
    const woken = await instance.virtctl('start', 'daily', '--wait');
    assert.equal(woken.code, 0, woken.stderr);
    assert.equal(await guest(BOOT_ID), bootId);
    assert.equal(await guest('cat /mnt/thought'), 'only-in-memory');
    assert.equal((await vmi()).status?.hibernation?.phase, 'Woken');
    await eventually('the VM has forgotten that it slept', 30_000, async () =>
      (await vm()).status?.hibernation === undefined ? true : undefined,
    );
  });
});

/** The state is below the directory of claims, as long as it was told, and nobody can read it without its key. */
function assertSealed(
  volumes: string,
  told: { readonly vmiUID?: string; readonly sizeBytes?: number } = {},
): void {
  const state = readdirSync(volumes, { recursive: true })
    .map(String)
    .find((path) => path.endsWith(`/state-${told.vmiUID}`));
  assert.ok(state);
  const bytes = readFileSync(join(volumes, state));
  assert.equal(bytes.length, told.sizeBytes);
  assert.equal(bytes.includes('only-in-memory'), false);
}

function firstWords(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', (data: Buffer) => {
      resolve(data.toString());
      socket.destroy();
    });
    socket.once('error', reject);
    socket.setTimeout(20_000, () => reject(new Error('VNC says nothing')));
  });
}
