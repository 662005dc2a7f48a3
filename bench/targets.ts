/**
 * The targets that a bench measures, and the judgement over them: `./podvisor bench --check [WHAT …]`. A figure is
 * held, is over its target within what quiet runs differ by (its noise), or is missed. SPECIFICATION.md says them in
 * words.
 */

/** Which bench measures it: those that `--check` runs. */
export type CheckedBench =
  | 'start'
  | 'nodes'
  | 'api'
  | 'rules'
  | 'up'
  | 'scale'
  | 'memory-snapshot'
  | 'node-loss'
  | 'hibernation'
  | 'many-guests'
  | 'tracing';

export interface Target {
  readonly bench: CheckedBench;
  readonly what: string;
  readonly limit: number;
  readonly unit: string;
  /** Whether more than the limit is what is wanted. */
  readonly more: 'better' | 'worse';
  /** Share of the limit by which runs on a quiet machine differ. */
  readonly noise: number;
}

const atMost = (bench: CheckedBench, what: string, limit: number, unit: string, noise: number): Target => ({
  bench,
  what,
  limit,
  unit,
  noise,
  more: 'worse',
});

const atLeast = (bench: CheckedBench, what: string, limit: number, unit: string, noise: number): Target => ({
  bench,
  what,
  limit,
  unit,
  noise,
  more: 'better',
});

export const TARGETS = {
  start: atMost('start', 'VMI create → Running, against by hand', 1.3, '×', 0.1),
  delete: atMost('start', 'delete → guest and Pod gone, against virsh destroy', 1.3, '×', 0.15),
  versions: atMost('start', 'versions of the VMI until it is Running', 3, '', 0),
  writes: atMost('start', 'writes of our components per VM start', 6, '', 0),
  podMemoryOne: atMost('start', 'memory per VM beyond QEMU (PSS), one VM', 30, 'MiB', 0.05),
  podMemoryTen: atMost('start', 'memory per VM beyond QEMU (PSS), each of ten', 18, 'MiB', 0.05),
  homeMemory: atMost('start', 'everything but VMs, idle after ten VMs (RSS)', 400, 'MiB', 0.05),
  homeShare: atMost('start', 'everything but VMs, idle after ten VMs (PSS)', 150, 'MiB', 0.05),
  furtherNode: atMost('nodes', 'each further node, idle (PSS)', 40, 'MiB', 0.05),
  vmPostCpu: atMost('api', 'CPU of a VM POST, all processes, 1 client, warm', 5, 'ms', 0.1),
  vmPost: atMost('api', 'VM POST, 1 client, median', 8, 'ms', 0.2),
  vmPostRate: atLeast('api', 'VM POST, 8 clients', 250, '/s', 0.15),
  watch100: atMost('api', 'event at the last of 100 watchers', 5, 'ms', 0.2),
  watchRate100: atLeast('api', 'events to 100 watchers', 30000, '/s', 0.2),
  pods200: atMost('api', '200 VMIs → all have Pods', 2000, 'ms', 0.15),
  scheduling1000: atMost('api', '1000 VMIs → Scheduling', 8000, 'ms', 0.15),
  gone1000: atMost('api', '1000 VMIs deleted → gone', 8000, 'ms', 0.15),
  objectMemory: atMost('api', 'memory an object of 3 KB (RSS)', 6, 'KiB', 0.15),
  upRunning: atMost('up', 'podvisor up, new home → first VM Running', 15000, 'ms', 0.1),
  pages: atMost('api', 'list in pages of 500, against whole', 1, '×', 0.1),
  controllerVmi: atMost('scale', 'memory a VMI in virt-controller', 8, 'KiB', 0.05),
  controlPlaneVmi: atMost('scale', 'memory a VMI and its Pod in the control plane', 25, 'KiB', 0.05),
  reconcileAgain: atMost('scale', 'first reconcile after a restart with all VMIs', 10_000, 'ms', 0.1),
  tenthCopy: atMost('memory-snapshot', 'tenth warm copy → answers, against a boot', 0.25, '×', 0.15),
  copyMemory: atMost('memory-snapshot', 'memory of a copy, of its size', 25, '%', 0.1),
  memoryPause: atMost('memory-snapshot', 'pause of a snapshot, against a migration', 1.5, '×', 0.15),
  wake: atMost('hibernation', 'wake → answers, against a boot', 0.35, '×', 0.15),
  nodeLoss: atMost('node-loss', 'node lost → Running elsewhere', 60_000, 'ms', 0.1),
  nodeLossShortest: atMost('node-loss', 'the same with the shortest times', 15_000, 'ms', 0.1),
  scrape: atMost('many-guests', 'one scrape of a node with 200 VMs', 500, 'ms', 0.15),
  scrapeCpu: atMost('many-guests', 'CPU of a scrape each 30 s, of a core', 2, '%', 0.1),
  adoption: atMost('many-guests', 'new virt-handler → 100 VMs taken up', 2000, 'ms', 0.1),
  tracing: atMost('tracing', 'CPU of a start without tracing, against with', 1, '×', 0.1),
  rules: atMost('rules', 'defaulting and validation of a VMI', 1000, 'µs', 0.1),
} as const satisfies Readonly<Record<string, Target>>;

export type TargetName = keyof typeof TARGETS;

export type Verdict = 'held' | 'over, within noise' | 'missed';

/** Pure. */
export function judge({ limit, more, noise }: Target, value: number): Verdict {
  // As if less were better: how much of the limit is used.
  const used = more === 'worse' ? value / limit : limit / value;
  if (used <= 1) return 'held';
  return used <= 1 + noise ? 'over, within noise' : 'missed';
}

const measured = new Map<TargetName, number>();

/** Notes a figure for the judgement at the end. */
export function note(name: TargetName, value: number): void {
  measured.set(name, value);
}

/** Tells all judgements; true when nothing is missed, and nothing that these benches measure was left out. */
export function tellVerdicts(benches: readonly CheckedBench[]): boolean {
  const rows = Object.entries(TARGETS).filter(([, { bench }]) => benches.includes(bench));
  const verdicts = rows.map(([name, target]) => {
    const value = measured.get(name as TargetName);
    const verdict = value === undefined ? 'not measured' : judge(target, value);
    const limit = `${target.more === 'worse' ? '≤' : '≥'} ${target.limit} ${target.unit}`.trim();
    console.log(`${target.what.padEnd(48)} ${shown(value).padStart(8)}  ${limit.padEnd(12)} ${verdict}`);
    return verdict;
  });
  return verdicts.every((verdict) => verdict === 'held' || verdict === 'over, within noise');
}

function shown(value: number | undefined): string {
  if (value === undefined) return '–';
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
