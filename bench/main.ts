/**
 * `podvisor bench WHAT`: measurements side by side in one run. `podvisor bench --check [WHAT …]`: those that have
 * targets, judged by them.
 */
import { type CheckedBench, TARGETS, tellVerdicts } from './targets.ts';

const BENCHES: Readonly<
  Record<string, { readonly summary: string; run(args: readonly string[]): Promise<void> }>
> = {
  start: {
    summary:
      'VMI create → Running, handoff by handoff, and memory, beside libvirt by hand, or with --cluster KUBECONFIG beside a plain Pod there [--runs N]',
    run: async (args) =>
      args.includes('--cluster')
        ? (await import('./cluster-start.ts')).benchClusterStart(args)
        : (await import('./start.ts')).benchStart(args),
  },
  api: {
    summary:
      'the API of a home with all components: creates, lists, watchers, VMs and VMIs, with the CPU of each process [--against KUBECONFIG] [--rounds N] [--objects N] [--vms N] [--bursts N,N]',
    run: async (args) => (await import('./api.ts')).benchApi(args),
  },
  profile: {
    summary:
      'where the CPU time of VM POSTs and of starts goes, by process and function, and what an object of 3 KB holds [--vms N] [--starts N] [--objects N] [--svg FILE] [--raw DIR] [--home DIR]',
    run: async (args) => (await import('./profile/bench.ts')).benchProfile(args),
  },
  scale: {
    summary:
      'many VMIs on nodes that only answer: time until all run, CPU and memory of each process, restarts [--vmis N,N] [--hollow-nodes N]',
    run: async (args) => (await import('./scale/bench.ts')).benchScale(args),
  },
  nodes: {
    summary: 'memory that each further node of a home takes [--nodes N]',
    run: async (args) => (await import('./nodes.ts')).benchNodes(args),
  },
  overhead: {
    summary: 'memory of a launcher Pod beyond its guest, and the constants that follow',
    run: async () => (await import('./overhead.ts')).benchOverhead(),
  },
  network: {
    summary:
      'network phase 1 per Pod, and throughput of the bindings, with namespaces and with real guests [--megabytes N] [--rounds N] [--queues N]',
    run: async (args) => (await import('./network/bench.ts')).benchNetwork(args),
  },
  migration: {
    summary:
      'total time and downtime of a migration beside virsh migrate, and the proxy beside TCP [--runs N]',
    run: async (args) => (await import('./migration/bench.ts')).benchMigration(args),
  },
  scrape: {
    summary: 'one scrape of a node with 200 guests (simulated launchers): time and CPU [--guests N]',
    run: async (args) => (await import('./scrape.ts')).benchScrape(args),
  },
  'many-guests': {
    summary:
      'a node with many real guests, the smallest there are: time and CPU of a scrape, and how long a new virt-handler takes them up [--guests N,N]',
    run: async (args) => (await import('./many-guests.ts')).benchManyGuests(args),
  },
  density: {
    summary:
      'real hello guests on one machine: start of a burst, memory and processors, and what gives in first [--guests N] [--burst N] [--minutes N] [--ksm] [--home DIR]',
    run: async (args) => (await import('./density.ts')).benchDensity(args),
  },
  tracing: {
    summary: 'starts with and without OTEL_EXPORTER_OTLP_ENDPOINT in turns: time and CPU [--runs N]',
    run: async (args) => (await import('./tracing.ts')).benchTracing(args),
  },
  up: {
    summary: 'podvisor up examples/hello.yaml in a new home until its VM runs and its guest is up [--runs N]',
    run: async (args) => (await import('./up.ts')).benchUp(args),
  },
  'run-debian': {
    summary:
      'podvisor run debian, without internet, until a command ran in the guest, beside hello until its agent answers [--runs N]',
    run: async (args) => (await import('./run-debian.ts')).benchRunDebian(args),
  },
  hibernation: {
    summary: 'a hibernated guest that goes on, beside one that boots [--runs N]',
    run: async (args) => (await import('./hibernation.ts')).benchHibernation(args),
  },
  'node-loss': {
    summary: 'power of a node lost → its VM Running elsewhere, default and shortest times [--runs N]',
    run: async (args) => (await import('./node-loss.ts')).benchNodeLoss(args),
  },
  'memory-snapshot': {
    summary:
      'the pause of a snapshot with memory beside the downtime of a migration, and a warm copy beside a boot [--runs N]',
    run: async (args) => (await import('./memory-snapshot.ts')).benchMemorySnapshot(args),
  },
  import: {
    summary: 'import over http beside qemu-img convert, and a snapshot beside cp [--runs N]',
    run: async (args) => (await import('./import.ts')).benchImport(args),
  },
  storage: {
    summary:
      'disks of a guest beside a QEMU with the same command line by hand, and the time that plugging takes [--rounds N]',
    run: async (args) => (await import('./storage/bench.ts')).benchStorage(args),
  },
  moving: {
    summary: 'a disk that moves to another claim while its guest runs, beside qemu-img convert [--runs N]',
    run: async (args) =>
      (await import('./storage/moving.ts')).benchMoving(Number(args[args.indexOf('--runs') + 1] ?? 3) || 3),
  },
  page: {
    summary:
      'the web page with very many VMs, in Chromium: first row, frames while VMs change [--vms N] [--changes N] [--seconds N]',
    run: async (args) => (await import('./page.ts')).benchPage(args),
  },
  rules: {
    summary: 'defaulting and validation of a typical VMI',
    run: async () => (await import('./rules.ts')).benchRules(),
  },
  server: {
    summary:
      'API server: durable creates, list of 10,000, watchers, memory an object [--against KUBECONFIG] [--http2] [--objects N]',
    run: async (args) => (await import('./server.ts')).benchServer(args),
  },
  translate: {
    summary: 'VMI → domain XML and VMI → launcher Pod',
    run: async () => (await import('./translate.ts')).benchTranslate(),
  },
};

const [name, ...args] = process.argv.slice(2);
if (name === '--check') process.exit((await check(args)) ? 0 : 1);
const bench = name === undefined ? undefined : BENCHES[name];
if (bench === undefined) {
  console.error(
    `usage: podvisor bench WHAT, or podvisor bench --check [WHAT …], which fails when a target is missed\n${Object.entries(
      BENCHES,
    )
      .map(([key, { summary }]) => `  ${key.padEnd(10)} ${summary}`)
      .join('\n')}`,
  );
  process.exit(name === undefined || name === '--help' ? 0 : 2);
}
await bench.run(args);
process.exit(0);

async function check(asked: readonly string[]): Promise<boolean> {
  const checked = [...new Set(Object.values(TARGETS).map((target) => target.bench))];
  const unknown = asked.filter((what) => !checked.includes(what as CheckedBench));
  if (unknown.length > 0) {
    console.error(`no targets are known for ${unknown.join(', ')}: there are some for ${checked.join(', ')}`);
    return false;
  }
  const benches = checked.filter((what) => asked.length === 0 || asked.includes(what));
  for (const what of benches) await BENCHES[what]?.run([]);
  console.log();
  return tellVerdicts(benches);
}
