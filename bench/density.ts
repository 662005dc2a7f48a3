/**
 * How many real guests one machine carries: hello guests, which boot Debian's kernel and run an agent and a web server.
 * Some run already, then a burst is created at once: how long each takes until it runs, and until its agent answers;
 * then what they hold of the memory, and how much of the processors they use when all have booted. What is used up first
 * is told. `--home DIR` measures in a home that runs; its own guests are left alone.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { VirtualMachineInstance } from '@podvisor/api';
import { KubeClient, resources } from '@podvisor/kube';
import { Instance, root } from '../test/support/instance.ts';
import { followVmis } from './follow-vmis.ts';
import { benchVmi, NAMESPACE, podMemory } from './start.ts';

/** Guests that are not part of the burst come in groups: more would only wait for each other. */
const GROUP = 5;
const REST_MS = 30_000;
const GIVE_UP_MS = 30 * 60_000;

export async function benchDensity(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      guests: { type: 'string', default: '60' },
      burst: { type: 'string', default: '50' },
      home: { type: 'string' },
    },
  });
  const [total, burst] = [Number(values.guests), Number(values.burst)];
  if (values.home !== undefined) {
    await measure(KubeClient.fromKubeconfig(`${values.home}/kubeconfig`, 'bench'), total, burst);
    return;
  }
  const instance = await Instance.prepare();
  try {
    console.log('starting an instance of its own');
    const { code, stdout, stderr } = await instance.up('--no-wait', `${root}/examples/hello.yaml`);
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    await instance.client.delete(resources.virtualMachines, { namespace: NAMESPACE, name: 'hello' });
    await measure(instance.client, total, burst);
  } finally {
    await instance.purge(600_000);
  }
}

async function measure(client: KubeClient, total: number, burst: number): Promise<void> {
  await using guests = await Guests.follow(client);
  for (let made = 0; made < total - burst; made += GROUP)
    await guests.start(Math.min(GROUP, total - burst - made), 'agent');
  console.log(`${total - burst} guests have booted; now ${burst} at once`);
  const { running, agent } = await guests.start(burst, 'agent');
  console.log(`create → Running: ${spread(running)}; → its agent answers: ${spread(agent)}`);
  const held = await guests.memoryMiB();
  const idle = processorIdleMs();
  await delay(REST_MS);
  const cores = availableParallelism() - (processorIdleMs() - idle) / REST_MS;
  const room = availableMiB();
  console.log(
    `${total} guests run: ${held.toFixed(0)} MiB each, ${(room / 1024).toFixed(1)} GiB are left = ${Math.floor(room / held)} more; they and all else use ${cores.toFixed(2)} of ${availableParallelism()} cores`,
  );
  const [byMemory, byCores] = [total + room / held, (total / cores) * availableParallelism()];
  console.log(`what gives in first: ${byMemory < byCores ? 'memory' : 'processors'}`);
}

/** p50, p95 and the last, in seconds. Pure. */
function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  return `p50 ${seconds(at(0.5))} s, p95 ${seconds(at(0.95))} s, last ${seconds(at(1))} s`;
}

type Reached = 'running' | 'agent';

/** The guests of this run, followed by watch; all are deleted at the end. */
class Guests implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #created = new Map<string, number>();
  readonly #reached = { running: new Map<string, number>(), agent: new Map<string, number>() };
  readonly #stop = new AbortController();
  #changed = Promise.withResolvers<void>();

  private constructor(client: KubeClient) {
    this.#client = client;
  }

  static async follow(client: KubeClient): Promise<Guests> {
    const guests = new Guests(client);
    await followVmis(client, guests.#look, guests.#stop.signal);
    return guests;
  }

  readonly #look = ({ metadata, status }: VirtualMachineInstance): void => {
    const name = metadata?.name ?? '';
    const began = this.#created.get(name);
    if (began === undefined) return;
    const note = (what: Reached): void => {
      if (!this.#reached[what].has(name)) this.#reached[what].set(name, performance.now() - began);
    };
    if (status?.phase === 'Failed') throw new Error(`${name} failed`);
    if (status?.phase === 'Running') note('running');
    if (status?.conditions?.some((c) => c.type === 'AgentConnected' && c.status === 'True')) note('agent');
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  };

  /** So many more at once; milliseconds of each until it was there, when all are as far as `until`. */
  async start(count: number, until: Reached): Promise<Readonly<Record<Reached, readonly number[]>>> {
    const names = Array.from({ length: count }, (_, i) => `density-${this.#created.size + i}`);
    const late = AbortSignal.timeout(GIVE_UP_MS);
    await Promise.all(
      names.map((name) => {
        this.#created.set(name, performance.now());
        return this.#client.create(resources.virtualMachineInstances, benchVmi(name));
      }),
    );
    while (!names.every((name) => this.#reached[until].has(name))) {
      late.throwIfAborted();
      await Promise.race([this.#changed.promise, delay(1000)]);
    }
    const of = (what: Reached): readonly number[] =>
      names.map((name) => this.#reached[what].get(name) ?? Number.NaN);
    return { running: of('running'), agent: of('agent') };
  }

  /** Mean over the guests, everything in their Pods (PSS). */
  async memoryMiB(): Promise<number> {
    const { items } = await this.#client.list(resources.pods, {
      namespace: NAMESPACE,
      labelSelector: 'kubevirt.io=virt-launcher',
    });
    const ours = items.filter(({ metadata }) =>
      this.#created.has(metadata.annotations?.['kubevirt.io/domain'] ?? ''),
    );
    const sums = ours.map(({ metadata }) => {
      const { launcher, libvirtd, qemu, rest } = podMemory(metadata.uid ?? '');
      return launcher + libvirtd + qemu + rest;
    });
    return sums.reduce((sum, mib) => sum + mib, 0) / sums.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const name of this.#created.keys())
      await this.#client.delete(resources.virtualMachineInstances, { namespace: NAMESPACE, name });
  }
}

function availableMiB(): number {
  return Number(/^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) / 1024;
}

/** Milliseconds that all processors together had nothing to do: the fourth and fifth number of proc(5) stat. */
function processorIdleMs(): number {
  const [, , , , idle = 0, waiting = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/\s+/).map(Number) ?? [];
  return (idle + waiting) * 10;
}
