/**
 * The API that users have: a home with all its components, asked by a client in a process of its own over TLS.
 * Latency, rate, and what each process of the home uses of the CPU for one operation. `--against KUBECONFIG`: the same
 * on another server, in turns, with the ratio of both (what VMs need is left out where it has no KubeVirt API).
 */
import { parseArgs } from 'node:util';
import { type ClusterAccess, KubeClient, loadKubeconfig } from '@podvisor/kube';
import { Instance } from '../test/support/instance.ts';
import { type CpuTimes, cpuPerOperation, describeCpu, HomeProcesses } from './home-processes.ts';
import { ApiLoad } from './server-load.ts';
import { Http1Transport } from './server-transport.ts';
import { note, type TargetName } from './targets.ts';
import { VmLoad } from './vm-load.ts';

interface Figure {
  readonly value: number;
  readonly unit: string;
  /** Whether more of it is better. */
  readonly more: 'better' | 'worse';
  readonly cpu?: CpuTimes;
}

type Figures = Map<string, Figure>;

interface Server {
  readonly kubeconfig: string;
  readonly processes?: HomeProcesses;
}

interface Sizes {
  readonly seconds: number;
  readonly objects: number;
  readonly vms: number;
  readonly bursts: readonly number[];
}

const CLIENTS = [1, 8, 32];
/** VMs that a home is asked for while it has compiled little yet. */
const FIRST_VMS = 50;
const WATCHERS = [100, 1000];

export async function benchApi(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      rounds: { type: 'string', default: '1' },
      objects: { type: 'string', default: '10000' },
      vms: { type: 'string', default: '200' },
      bursts: { type: 'string', default: '200,1000' },
      seconds: { type: 'string', default: '3' },
    },
  });
  const sizes: Sizes = {
    seconds: Number(values.seconds),
    objects: Number(values.objects),
    vms: Number(values.vms),
    bursts: values.bursts.split(',').filter(Boolean).map(Number),
  };
  const instance = await Instance.prepare();
  try {
    console.log('starting an instance of its own');
    const { code, stdout, stderr } = await instance.up();
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    const home = {
      kubeconfig: `${instance.home}/kubeconfig`,
      processes: new HomeProcesses(instance.home),
    };
    const own: Figures[] = [];
    const other: Figures[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      own.push(await measure(home, sizes));
      if (values.against !== undefined) other.push(await measure({ kubeconfig: values.against }, sizes));
    }
    const figures = medians(own);
    report(figures, medians(other));
    noteTargets(figures);
  } finally {
    await instance.purge();
  }
}

async function measure(server: Server, sizes: Sizes): Promise<Figures> {
  const access = loadKubeconfig(server.kubeconfig);
  const figures: Figures = new Map();
  await measureObjects(server, access, sizes, figures);
  await measureVms(server, access, sizes, figures);
  return figures;
}

/** Runs `body`, which answers how many operations it did, and what each process used for one of them. */
async function withCpu(
  { processes }: Server,
  body: () => Promise<number>,
): Promise<{ readonly cpu?: CpuTimes }> {
  const before = processes?.cpu();
  const operations = await body();
  if (processes === undefined || before === undefined) return {};
  return { cpu: cpuPerOperation(before, processes.cpu(), operations) };
}

async function measureObjects(
  server: Server,
  access: ClusterAccess,
  sizes: Sizes,
  figures: Figures,
): Promise<void> {
  const load = new ApiLoad(new Http1Transport(access), `bench-${process.pid}`);
  await load.begin();
  try {
    for (const clients of CLIENTS) {
      let value = 0;
      const cpu = await withCpu(server, async () => {
        value = await load.createsPerSecond(clients, sizes.seconds);
        return value * sizes.seconds;
      });
      figures.set(`durable creates of 3 KB, ${clients} clients`, {
        value,
        unit: '/s',
        more: 'better',
        ...cpu,
      });
    }
    await load.clear();
    const before = residentMiB(server);
    await load.fill(sizes.objects);
    const after = residentMiB(server);
    const { ms, bytes } = await load.listTime();
    const size = `${sizes.objects} (${(bytes / 1e6).toFixed(0)} MB)`;
    figures.set(`list of ${size}, whole`, { value: ms, unit: 'ms', more: 'worse' });
    const paged = await load.pagedListTime();
    figures.set(`list of ${size}, pages of 500`, { value: paged, unit: 'ms', more: 'worse' });
    figures.set(PAGES, { value: paged / ms, unit: '×', more: 'worse' });
    if (before !== undefined && after !== undefined)
      figures.set('memory an object of 3 KB', {
        value: ((after - before) * 1024) / sizes.objects,
        unit: 'KiB',
        more: 'worse',
      });
    await load.clear();
    for (const count of WATCHERS) {
      const { lastMs, eventsPerSecond } = await load.watchers(count);
      figures.set(`event at the last of ${count} watchers`, { value: lastMs, unit: 'ms', more: 'worse' });
      figures.set(`events to ${count} watchers`, { value: eventsPerSecond, unit: '/s', more: 'better' });
    }
  } finally {
    await load.end();
  }
}

async function measureVms(
  server: Server,
  access: ClusterAccess,
  { vms, bursts }: Sizes,
  figures: Figures,
): Promise<void> {
  const transport = new Http1Transport(access);
  const { code } = await transport.call('GET', '/apis/kubevirt.io/v1');
  if (code !== 200) return transport.close();
  const namespace = `bench-vms-${process.pid}`;
  await transport.call('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }));
  const load = new VmLoad(transport, KubeClient.fromKubeconfig(server.kubeconfig, 'bench'), namespace);
  // What is measured first is compiled on the way: the same again, after all of them, is what a home costs that is used.
  const operations: readonly [string, number, typeof load.createVms, number][] = [
    ['VM POST, the first ones of a home', 1, (count, clients) => load.createVms(count, clients), FIRST_VMS],
    ['VM POST, 1 client', 1, (count, clients) => load.createVms(count, clients), vms],
    ['VM POST, 8 clients', 8, (count, clients) => load.createVms(count, clients), vms],
    ['VM POST, 1 client, warm', 1, (count, clients) => load.createVms(count, clients), vms],
    ['VM merge patch, 1 client', 1, (count, clients) => load.patchVms(count, clients), vms],
    ['VMI POST, 4 clients', 4, (count, clients) => load.createVmis(count, clients), vms],
  ];
  for (const [what, clients, run, count] of operations) {
    let times: readonly number[] = [];
    const began = performance.now();
    let seconds = 0;
    const cpu = await withCpu(server, async () => {
      times = await run(count, clients);
      seconds = (performance.now() - began) / 1000;
      return times.length;
    });
    figures.set(`${what}: median`, { value: median(times), unit: 'ms', more: 'worse', ...cpu });
    figures.set(`${what}: rate`, { value: times.length / seconds, unit: '/s', more: 'better' });
  }
  await load.clearVms();
  await load.clearVmis();
  for (const count of bursts) {
    let burst = { podsMs: 0, schedulingMs: 0 };
    const memory = residentMiB(server);
    const cpu = await withCpu(server, async () => {
      burst = await load.burst(count);
      return count;
    });
    figures.set(`${count} VMIs → all have Pods`, { value: burst.podsMs, unit: 'ms', more: 'worse', ...cpu });
    figures.set(`${count} VMIs → Scheduling`, { value: burst.schedulingMs, unit: 'ms', more: 'worse' });
    const grown = residentMiB(server);
    if (memory !== undefined && grown !== undefined)
      figures.set(`memory a VMI of ${count}, with its Pod, all processes`, {
        value: ((grown - memory) * 1024) / count,
        unit: 'KiB',
        more: 'worse',
      });
    let gone = 0;
    const ended = await withCpu(server, async () => {
      gone = await load.clearVmis();
      return count;
    });
    figures.set(`${count} VMIs deleted → gone`, { value: gone, unit: 'ms', more: 'worse', ...ended });
  }
  await transport.call('DELETE', `/api/v1/namespaces/${namespace}`);
  transport.close();
}

function residentMiB({ processes }: Server): number | undefined {
  if (processes === undefined) return undefined;
  return [...processes.memory().values()].reduce((sum, { rss }) => sum + rss, 0);
}

/** Each figure's median over the rounds. */
function medians(rounds: readonly Figures[]): Figures {
  const [first = new Map<string, Figure>()] = rounds;
  return new Map(
    [...first].map(([what, figure]) => {
      const all = rounds.flatMap((round) => round.get(what) ?? []);
      const value = median(all.map((one) => one.value));
      return [what, all.find((one) => one.value === value) ?? figure];
    }),
  );
}

function report(own: Figures, other: Figures): void {
  for (const [what, { value, unit, more, cpu }] of own) {
    const beside = other.get(what);
    const ratio = beside === undefined ? 0 : more === 'better' ? value / beside.value : beside.value / value;
    console.log(
      [
        `${what.padEnd(52)} ${shown(value).padStart(8)} ${unit}`,
        ...(beside === undefined
          ? []
          : [`other: ${shown(beside.value)} ${unit} = ${ratio.toFixed(2)} × as good`]),
        ...(cpu === undefined ? [] : [`CPU each ${describeCpu(cpu)}`]),
      ].join('  '),
    );
  }
}

const PAGES = 'pages of 500, against whole';

/** Which figure is which target. */
const TARGET_OF: Readonly<Record<string, TargetName>> = {
  'VM POST, 1 client, warm: median': 'vmPost',
  'VM POST, 8 clients: rate': 'vmPostRate',
  'event at the last of 100 watchers': 'watch100',
  'events to 100 watchers': 'watchRate100',
  '200 VMIs → all have Pods': 'pods200',
  '1000 VMIs → Scheduling': 'scheduling1000',
  '1000 VMIs deleted → gone': 'gone1000',
  'memory an object of 3 KB': 'objectMemory',
  [PAGES]: 'pages',
};

function noteTargets(figures: Figures): void {
  for (const [what, target] of Object.entries(TARGET_OF)) {
    const figure = figures.get(what);
    if (figure !== undefined) note(target, figure.value);
  }
  const { cpu } = figures.get('VM POST, 1 client, warm: median') ?? {};
  if (cpu !== undefined)
    note(
      'vmPostCpu',
      [...cpu.values()].reduce((sum, ms) => sum + ms, 0),
    );
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
