/**
 * How many real guests one machine carries: hello guests, which boot Debian's kernel and run an agent and a web server.
 * Some run already, then a burst is created at once: how long each takes until it runs, and until its agent answers;
 * then what they hold of the memory, and how much of the processors they use when all have booted. What is used up first
 * is told. `--ksm` has the kernel merge equal pages afterwards, as `ksmConfiguration` does on a node whose memory is
 * tight, and tells what that gave. `--home DIR` measures in a home that runs; its own guests are left alone.
 */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { annotations, type VirtualMachineInstance } from '@podvisor/api';
import { KubeClient, resources } from '@podvisor/kube';
import { followVmis } from '../test/support/guests/follow-vmis.ts';
import { Instance, root } from '../test/support/instance.ts';
import { GuestBoots, spread } from './guest-boots.ts';
import { benchVmi, NAMESPACE, podMemory } from './start.ts';

/** A guest asks for a tenth of a processor unless it says something else: the scheduler takes no more than that. */
const DEFAULT_GUESTS_PER_CORE = 10;
/** What guests ask for here, so that what the machine can do is measured, and not what was reckoned beforehand. */
const CPU_REQUEST = '10m';
/** Guests that are not part of the burst come in groups: more would only wait for each other. */
const GROUP = 5;
const REST_MS = 30_000;
const PROGRESS_MS = 15_000;

export async function benchDensity(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      guests: { type: 'string', default: '60' },
      burst: { type: 'string', default: '50' },
      minutes: { type: 'string', default: '15' },
      ksm: { type: 'boolean', default: false },
      home: { type: 'string' },
    },
  });
  const size = {
    total: Number(values.guests),
    burst: Math.min(Number(values.burst), Number(values.guests)),
    giveUpMs: Number(values.minutes) * 60_000,
  };
  if (values.home !== undefined) {
    const client = KubeClient.fromKubeconfig(`${values.home}/kubeconfig`, 'bench');
    await using guests = await Guests.follow(client);
    try {
      await measure(guests, size);
    } finally {
      await guests.deleteAll();
    }
    return;
  }
  const instance = await Instance.prepare();
  try {
    console.log('starting an instance of its own');
    const { code, stdout, stderr } = await instance.up('--no-wait', `${root}/examples/hello.yaml`);
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    await instance.client.delete(resources.virtualMachines, { namespace: NAMESPACE, name: 'hello' });
    await using guests = await Guests.follow(instance.client);
    await measure(guests, size);
    if (values.ksm) await mergePages(instance.client, guests);
  } finally {
    await instance.purge(600_000);
  }
}

interface Size {
  readonly total: number;
  /** How many of them are created at once, after the others have booted. */
  readonly burst: number;
  /** For each group, and for the burst: what has not booted by then is counted as missing. */
  readonly giveUpMs: number;
}

/** Figures are told also where not all guests boot in time; then it ends with an error. */
async function measure(guests: Guests, { total, burst, giveUpMs }: Size): Promise<void> {
  for (let made = 0; made < total - burst; made += GROUP) {
    const group = await guests.start(Math.min(GROUP, total - burst - made), giveUpMs);
    if (!group.allBooted) throw new Error('the guests before the burst have not booted in time');
  }
  console.log(`${total - burst} guests have booted; now ${burst} at once`);
  const { running, agent, allBooted } = await guests.start(burst, giveUpMs);
  console.log(`create → Running: ${spread(running, burst)}; → its agent answers: ${spread(agent, burst)}`);
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
  console.log(
    `guests asked for ${CPU_REQUEST} of a processor; of those that ask for nothing the scheduler takes ${availableParallelism() * DEFAULT_GUESTS_PER_CORE} here, by cpuAllocationRatio`,
  );
  if (!allBooted) throw new Error(`not all of ${burst} guests have booted in ${giveUpMs / 60_000} minutes`);
}

/** Looks at pages as fast as one processor can: the usual pace is for guests that stay for days. */
const MERGE_EAGERLY = {
  [annotations.ksmFreePercent]: '1',
  [annotations.ksmPagesInit]: '10000',
  [annotations.ksmPagesMax]: '10000',
  [annotations.ksmSleepMsBaseline]: '20',
};
/** A page is merged when it is found unchanged for the second time. */
const FULL_LOOKS = 3;
const MERGE_MS = 600_000;

async function mergePages(client: KubeClient, guests: Guests): Promise<void> {
  if (!existsSync(KSM)) {
    console.log('this kernel does not merge equal pages');
    return;
  }
  const before = { held: await guests.memoryMiB(), room: availableMiB(), looks: ksmNumber('full_scans') };
  for (const { metadata } of (await client.list(resources.nodes)).items)
    await client.patch(
      resources.nodes,
      { name: metadata.name ?? '' },
      { type: 'merge', body: { metadata: { annotations: MERGE_EAGERLY } } },
    );
  const ksmConfiguration = { nodeLabelSelector: {} };
  await client.patch(
    resources.kubeVirts,
    { namespace: 'kubevirt', name: 'kubevirt' },
    { type: 'merge', body: { spec: { configuration: { ksmConfiguration } } } },
  );
  const began = performance.now();
  while (ksmNumber('full_scans') < before.looks + FULL_LOOKS && performance.now() - began < MERGE_MS)
    await delay(PROGRESS_MS);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const merged = (ksmNumber('pages_sharing') * 4096) / 1024 ** 2;
  console.log(
    `equal pages merged (${ksmNumber('full_scans') - before.looks} looks at all, ${seconds} s): ${merged.toFixed(0)} MiB; a guest ${before.held.toFixed(0)} → ${(await guests.memoryMiB()).toFixed(0)} MiB, left ${(before.room / 1024).toFixed(1)} → ${(availableMiB() / 1024).toFixed(1)} GiB`,
  );
}

const KSM = '/sys/kernel/mm/ksm';

function ksmNumber(name: string): number {
  return Number(readFileSync(`${KSM}/${name}`, 'utf8'));
}

/** The guests of this run, followed by watch. */
class Guests implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #boots = new GuestBoots(() => performance.now());
  readonly #stop = new AbortController();

  private constructor(client: KubeClient) {
    this.#client = client;
  }

  static async follow(client: KubeClient): Promise<Guests> {
    const guests = new Guests(client);
    await followVmis(client, NAMESPACE, guests.#boots.look, guests.#stop.signal);
    return guests;
  }

  /** So many more at once; milliseconds of each until it was there, when all have booted or the time is over. */
  async start(
    count: number,
    giveUpMs: number,
  ): Promise<{
    readonly running: readonly number[];
    readonly agent: readonly number[];
    readonly allBooted: boolean;
  }> {
    const before = this.#boots.names.length;
    const names = Array.from({ length: count }, (_, i) => `density-${before + i}`);
    const began = performance.now();
    const told = setInterval(() => {
      const [running, agent] = [this.#boots.times(names, 'running'), this.#boots.times(names, 'agent')];
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      console.log(`  after ${seconds} s: ${running.length} of ${count} run, ${agent.length} have booted`);
    }, PROGRESS_MS);
    try {
      await Promise.all(
        names.map((name) => {
          this.#boots.create(name);
          return this.#client.create(resources.virtualMachineInstances, denseVmi(name));
        }),
      );
      const allBooted = await this.#boots.until(names, 'agent', AbortSignal.timeout(giveUpMs));
      const times = (what: 'running' | 'agent'): readonly number[] => this.#boots.times(names, what);
      return { running: times('running'), agent: times('agent'), allBooted };
    } finally {
      clearInterval(told);
    }
  }

  /** Mean over the guests, everything in their Pods (PSS). */
  async memoryMiB(): Promise<number> {
    const { items } = await this.#client.list(resources.pods, {
      namespace: NAMESPACE,
      labelSelector: 'kubevirt.io=virt-launcher',
    });
    const names = new Set(this.#boots.names);
    const ours = items.filter(({ metadata }) =>
      names.has(metadata.annotations?.['kubevirt.io/domain'] ?? ''),
    );
    const sums = ours.map(({ metadata }) => {
      const { launcher, libvirtd, qemu, rest } = podMemory(metadata.uid ?? '');
      return launcher + libvirtd + qemu + rest;
    });
    return sums.reduce((sum, mib) => sum + mib, 0) / sums.length;
  }

  /** For a home that goes on afterwards. */
  async deleteAll(): Promise<void> {
    await Promise.all(
      this.#boots.names.map((name) =>
        this.#client.delete(resources.virtualMachineInstances, { namespace: NAMESPACE, name }),
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
  }
}

function denseVmi(name: string): VirtualMachineInstance {
  const vmi = benchVmi(name);
  const { domain } = vmi.spec;
  return {
    ...vmi,
    spec: { ...vmi.spec, domain: { ...domain, resources: { requests: { cpu: CPU_REQUEST } } } },
  };
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
