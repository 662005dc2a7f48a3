/**
 * Many migrations in a row, to and fro, under memory load in the guest: `node test/faults/migration/many.ts
 * [--times 50] [--load 8]`. Every one must succeed, the guest must not notice, and nothing may be left or grow.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MIGRATION_REPORT_ANNOTATION, type MigrationReport } from '@podvisor/api';
import { eventually } from '../../support/eventually.ts';
import { podTracesOf } from '../../support/traces.ts';
import { World } from './world.ts';

const { values } = parseArgs({
  options: { times: { type: 'string', default: '50' }, load: { type: 'string', default: '8' } },
});
const times = Number(values.times);
const KEEPERS = [
  'virt-handler-node-1',
  'virt-handler-node-2',
  'virt-handler-node-3',
  'virt-controller',
  'control-plane',
  'node-agent',
];

interface Move {
  readonly report: MigrationReport;
  readonly silenceMs: number;
}

await using world = await World.create({ memoryLoadMiB: Number(values.load) });
await world.setPolicy({ allowAutoConverge: true });
const boot = world.reports.last?.boot ?? '';
const startedMs = Date.now();
const names = await world.deviceNames();
const moves: Move[] = [];
for (let i = 1; i <= 3; i += 1) moves.push(await moveOnce());
const before = await settled();
for (let i = 4; i <= times; i += 1) {
  moves.push(await moveOnce());
  if (i % 10 === 0) console.log(`${i} of ${times}: ${figures(moves.slice(-10))}`);
}
const after = await settled();
assert.deepEqual(await world.deviceNames(), names, 'devices have other names than before');
assert.deepEqual(world.reports.contradictions(), []);
// First what was reported, then the disk: the guest goes on writing.
const acknowledged = world.reports.since(startedMs);
const stored = await world.onDisk(boot);
const missing = acknowledged.filter(({ entry }) => !stored.has(entry));
assert.deepEqual(missing, [], 'entries that the guest had reported are not on its disk');
console.log(`${times} migrations: ${figures(moves)}`);
for (const name of KEEPERS)
  console.log(
    `${name}: ${before.files.get(name)} → ${after.files.get(name)} open files, ${before.memory.get(name)} → ${after.memory.get(name)} MiB`,
  );
console.log(
  `Pods' processes, links, namespaces, cgroups: ${before.traces.join('/')} → ${after.traces.join('/')}`,
);
// Fewer is no leak: on a busy machine the first look may still see a Pod that is being taken down.
assert.ok(
  after.traces.every((count, kind) => count <= (before.traces[kind] ?? 0)),
  'something of earlier Pods is left',
);
assert.deepEqual(world.migrationSockets(), []);
for (const name of KEEPERS)
  assert.ok((after.files.get(name) ?? 0) <= (before.files.get(name) ?? 0) + 10, `${name} leaks open files`);

async function moveOnce(): Promise<Move> {
  const fromMs = Date.now();
  const phase = await world.move();
  const vmi = await world.vmi();
  assert.equal(phase, 'Succeeded', vmi?.status?.migrationState?.failureReason);
  const silenceMs = world.reports.longestSilence(fromMs, Date.now());
  await world.reporting(Date.now(), 60_000);
  assert.equal(world.reports.last?.boot, boot, 'the guest was started anew');
  const annotation = vmi?.metadata?.annotations?.[MIGRATION_REPORT_ANNOTATION] ?? '{}';
  return { report: JSON.parse(annotation) as MigrationReport, silenceMs };
}

interface Snapshot {
  readonly files: ReadonlyMap<string, number>;
  readonly memory: ReadonlyMap<string, number>;
  readonly traces: readonly number[];
}

/** What there is when only one Pod of the VM is left. */
async function settled(): Promise<Snapshot> {
  await eventually('the Pods of earlier migrations are gone', 240_000, async () => {
    const running = (await world.pods()).filter(({ status }) => status?.phase === 'Running');
    return running.length === 1 && (await world.qemus()).length === 1 ? true : undefined;
  });
  const files = new Map<string, number>();
  const memory = new Map<string, number>();
  for (const name of KEEPERS) {
    const pid = await world.instance.pidOf(name);
    files.set(name, readdirSync(`/proc/${pid}/fd`).length);
    const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    memory.set(name, Math.round(Number(rss) / 1024));
  }
  const all = podTracesOf(world.instance.home, world.instance.name);
  const count = (list: readonly string[]): number => list.length;
  return {
    files,
    memory,
    traces: [all.processes, all.links, all.namespaces, all.cgroups].map(count),
  };
}

function figures(of: readonly Move[]): string {
  const summary = (pick: (move: Move) => number): string => {
    const sorted = of.map(pick).toSorted((a, b) => a - b);
    const at = (part: number): string =>
      (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(0);
    return `${at(0.5)} (${at(0)}–${at(1)})`;
  };
  return `total ${summary(({ report }) => report.totalMs)} ms, downtime ${summary(({ report }) => report.downtimeMs ?? Number.NaN)} ms, longest silence ${summary(({ silenceMs }) => silenceMs)} ms, passes ${summary(({ report }) => report.iterations ?? 0)}`;
}
