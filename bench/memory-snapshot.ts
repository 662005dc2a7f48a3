/**
 * Snapshots with memory, in one run: how long the guest stands still beside the downtime of a live migration of the same
 * guest, and how soon a warm copy answers beside a guest that boots. All are guests of 192 MiB with a container disk.
 */
import { isFinalMigrationPhase, MIGRATION_REPORT_ANNOTATION, type MigrationReport } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { bootIdVm } from '../test/support/guests/boot-id-vm.ts';
import { eventually } from '../test/support/eventually.ts';
import { GuestPage } from '../test/support/guests/guest-page.ts';
import { Instance, root } from '../test/support/instance.ts';
import { CLONE_API, SNAPSHOT_API, vmClones, vmSnapshots } from '../test/support/storage-resources.ts';
import { guestMemory } from './guest-memory.ts';
import { median, timed, told } from './hibernation.ts';
import { note } from './targets.ts';
import { durations, WarmSteps } from './warm-steps.ts';

const DEFAULT_RUNS = 5;
/** Of one snapshot, which go on at the same time. */
const DEFAULT_COPIES = 10;
const NAMESPACE = 'default';
const SOURCE = 'source';

export async function benchMemorySnapshot(args: readonly string[]): Promise<void> {
  const runs = Number(args[args.indexOf('--runs') + 1]) || DEFAULT_RUNS;
  const copies = Number(args[args.indexOf('--copies') + 1]) || DEFAULT_COPIES;
  const instance = await Instance.prepare();
  try {
    const { code, stdout, stderr } = await instance.up('--nodes', '2', `${root}/examples/hello.yaml`);
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    await instance.client.delete(resources.virtualMachines, { namespace: NAMESPACE, name: 'hello' });
    const source = await GuestPage.create(instance, bootIdVm(SOURCE));
    await source.ready();
    const bootId = await source.page();
    const pauses: number[] = [];
    const downtimes: number[] = [];
    const cold: number[] = [];
    const warm: number[] = [];
    /** Percent of the guest's memory that a copy has. */
    const shares: number[] = [];
    const taken = new Map<string, readonly number[]>();
    using steps = new WarmSteps(instance);
    await steps.ready();
    for (let run = 0; run < runs; run += 1) {
      downtimes.push(await migrate(instance, source));
      // A copy gets its identity by the agent; one that was not heard of since the guest moved would be refused.
      await agentAnswers(source);
      pauses.push(await snapshot(instance, `s-${run}`));
      cold.push(await timed(async () => (await GuestPage.create(instance, bootIdVm(`cold-${run}`))).ready()));
      const fromMs = performance.now();
      warm.push(await timed(() => warmCopy(instance, `s-${run}`, `warm-${run}`, bootId)));
      add(taken, durations(steps.of(`warm-${run}`), fromMs, performance.now()));
      const { sizeBytes, usedBytes } = guestMemory(
        await GuestPage.of(instance, `warm-${run}`).pidOf(/qemu-system/),
      );
      shares.push((100 * usedBytes) / sizeBytes);
      for (const name of [`cold-${run}`, `warm-${run}`])
        await instance.client.delete(resources.virtualMachines, { namespace: NAMESPACE, name });
    }
    const many: number[] = [];
    const manyShares: number[] = [];
    const names = Array.from({ length: copies }, (_, index) => `copy-${index}`);
    const takenByMany = new Map<string, readonly number[]>();
    for (const name of names) {
      const fromMs = performance.now();
      many.push(await timed(() => warmCopy(instance, `s-${runs - 1}`, name, bootId)));
      add(takenByMany, durations(steps.of(name), fromMs, performance.now()));
    }
    for (const name of names) {
      const { sizeBytes, usedBytes } = guestMemory(await GuestPage.of(instance, name).pidOf(/qemu-system/));
      manyShares.push((100 * usedBytes) / sizeBytes);
    }
    note('memoryPause', median(pauses) / median(downtimes));
    console.log(
      `the guest stands still for a snapshot with memory: ${told(pauses)} = ${(median(pauses) / median(downtimes)).toFixed(2)} × the downtime of a migration (${told(downtimes)})`,
    );
    console.log(
      `warm copy → guest answers: ${told(warm)} = ${(median(warm) / median(cold)).toFixed(2)} × create → guest answers (${told(cold)})`,
    );
    console.log(`memory of a copy that touches nothing: ${median(shares).toFixed(0)} % of its guest's size`);
    if (copies > 0) {
      note('tenthCopy', (many.at(-1) ?? 0) / median(cold));
      note('copyMemory', median(manyShares));
      console.log(
        `${copies} more copies of the last one: the last after ${Math.round(many.at(-1) ?? 0)} ms = ${((many.at(-1) ?? 0) / median(cold)).toFixed(2)} ×, all ${told(many)}; ${median(manyShares).toFixed(0)} % of the guest's size each`,
      );
    }
    for (const [what, all] of [
      ['the first of a snapshot', taken],
      ['one of the others', takenByMany],
    ] as const) {
      console.log(`where the time of a copy goes, ${what}:`);
      for (const [step, ms] of all) console.log(`  until ${step}: ${told(ms)}`);
    }
  } finally {
    await instance.purge();
  }
}

function add(
  taken: Map<string, readonly number[]>,
  steps: readonly (readonly [step: string, ms: number])[],
): void {
  for (const [step, ms] of steps) taken.set(step, [...(taken.get(step) ?? []), ms]);
}

async function agentAnswers(source: GuestPage): Promise<void> {
  await eventually('the agent', 60_000, async () =>
    (await source.vmi()).status?.conditions?.some(({ type }) => type === 'AgentConnected') ? true : undefined,
  );
}

async function migrate({ client }: Instance, source: GuestPage): Promise<number> {
  const made = await client.create(resources.virtualMachineInstanceMigrations, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { namespace: NAMESPACE, generateName: 'bench-' },
    spec: { vmiName: SOURCE },
  });
  const key = { namespace: NAMESPACE, name: made.metadata?.name ?? '' };
  const phase = await eventually('the migration ends', 120_000, async () => {
    const found = await client.get(resources.virtualMachineInstanceMigrations, key);
    return isFinalMigrationPhase(found.status?.phase) ? found.status?.phase : undefined;
  });
  if (phase !== 'Succeeded') throw new Error('the migration failed');
  const { metadata } = await source.vmi();
  const report = JSON.parse(metadata?.annotations?.[MIGRATION_REPORT_ANNOTATION] ?? '{}') as MigrationReport;
  return report.downtimeMs ?? Number.NaN;
}

async function snapshot({ client }: Instance, name: string): Promise<number> {
  await client.create(vmSnapshots, {
    apiVersion: SNAPSHOT_API,
    kind: 'VirtualMachineSnapshot',
    metadata: { namespace: NAMESPACE, name },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: SOURCE }, includeMemory: true },
  });
  const memory = await eventually('the snapshot', 120_000, async () => {
    const { status } = await client.get(vmSnapshots, { namespace: NAMESPACE, name });
    return status?.phase === 'Succeeded' ? status.memory : undefined;
  });
  return Number(memory.pauseMilliseconds);
}

async function warmCopy(instance: Instance, of: string, name: string, bootId: string): Promise<void> {
  await instance.client.create(vmClones, {
    apiVersion: CLONE_API,
    kind: 'VirtualMachineClone',
    metadata: { namespace: NAMESPACE, name },
    spec: {
      source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: of },
      target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name },
      warm: true,
    },
  });
  const copy = await eventually('the copy answers', 120_000, () => GuestPage.of(instance, name).page()).catch(
    async (error: unknown) => {
      const { status } = await instance.client.get(vmClones, { namespace: NAMESPACE, name });
      throw new Error(`the clone is ${status?.phase}: ${status?.conditions?.[0]?.reason}`, { cause: error });
    },
  );
  if (copy !== bootId) throw new Error('the copy booted instead of going on');
}
