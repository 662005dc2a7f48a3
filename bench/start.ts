/**
 * What a VM start costs: VMI create → Running and delete → gone in an instance of its own, handoff by
 * handoff, beside libvirtd + `virsh create` of the same domain by hand, in the same run; and the memory (PSS)
 * of each process of the Pod and of the control plane.
 */
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { Informer, type KubeClient, resources } from '@podvisor/kube';
import { Instance, root } from '../test/support/instance.ts';
import { podProcesses } from '../test/support/pod-processes.ts';
import { describeWrites } from './api-writes.ts';
import { type CpuTimes, cpuPerOperation, describeCpu, HomeProcesses, pssMiB } from './home-processes.ts';
import { HomeWrites } from './home-writes.ts';
import { measureLibvirtBaseline } from './libvirt-baseline.ts';
import { note } from './targets.ts';

export const NAMESPACE = 'default';

/** 128 MiB, a disk of the hello image, a NIC. Pure. */
export function benchVmi(name: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      domain: {
        memory: { guest: '128Mi' },
        devices: {
          disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {} }],
        },
      },
      networks: [{ name: 'default', pod: {} }],
      terminationGracePeriodSeconds: 0,
      volumes: [{ name: 'root', containerDisk: { image: 'podvisor.local/hello:1' } }],
    },
  };
}

/** Milliseconds since the create request was sent. */
export interface Timeline {
  readonly steps: ReadonlyMap<string, number>;
  readonly runningMs: number;
  /** Since the deletion was asked for, until guest and Pod are gone. */
  readonly goneMs: number;
  /** Until the object is: a VMI that nobody owns keeps its last phase for a while, for those who look now and then. */
  readonly objectGoneMs: number;
  /** The phase in each version of the VMI until it ran. */
  readonly versions: readonly string[];
  /** What the home's processes used for the start and for the end, a moment after each included. */
  readonly cpu: { readonly start: CpuTimes; readonly end: CpuTimes };
}

/** What a start and an end leave to do, and the guest's first steps, are over by then. */
const SETTLE_MS = 500;
/** Two looks of a process at itself, and some: it gives back what a burst took when it sees that the burst is over. */
const MEMORY_SETTLE_MS = 25_000;

export async function benchStart(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { runs: { type: 'string', default: '7' }, vms: { type: 'string', default: '10' } },
  });
  const instance = await Instance.prepare();
  try {
    console.log('starting an instance of its own');
    const { code, stdout, stderr } = await instance.up('--no-wait', `${root}/examples/hello.yaml`);
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    const { client } = instance;
    await client.delete(resources.virtualMachines, { namespace: NAMESPACE, name: 'hello' });
    const processes = new HomeProcesses(instance.home);
    await startAndDelete(client, 'warm-up');

    const runs: Timeline[] = [];
    const writes = new HomeWrites(instance.home, client, SETTLE_MS);
    for (let i = 0; i < Number(values.runs); i += 1)
      runs.push(await startAndDelete(client, `bench-${i}`, writes, processes));
    const stored = await defaultedVmi(client);
    const volumes = imageVolumes(instance.home);
    const baseline = await measureLibvirtBaseline({
      vmi: stored,
      runs: Number(values.runs),
      imageVolumes: volumes,
    });
    rmSync(volumes, { recursive: true, force: true });
    report(runs, baseline.median);
    tellWrites(writes);
    await memory(processes, client, Number(values.vms));
  } finally {
    await instance.purge();
  }
}

/** Who looks on: at the launcher's Pod whenever it changes, and once before the creation and once when the guest runs. */
export interface Onlooker {
  readonly onLauncher?: (pod: Pod) => void;
  readonly beforeStart?: () => Promise<void>;
  readonly whenRunning?: () => Promise<void>;
}

/** One VMI, followed by watch from its creation to its end; `processes` tell what they used of the CPU. */
export async function startAndDelete(
  client: KubeClient,
  name: string,
  onlooker: Onlooker = {},
  processes?: HomeProcesses,
): Promise<Timeline> {
  const stop = new AbortController();
  const steps = new Map<string, number>();
  const running = Promise.withResolvers<VirtualMachineInstance>();
  const podGone = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  let startedAt = 0;
  const note = (step: string): void => {
    if (!steps.has(step)) steps.set(step, performance.timeOrigin + performance.now() - startedAt);
  };
  const versions: string[] = [];
  const vmis = new Informer<VirtualMachineInstance>({
    client,
    resource: resources.virtualMachineInstances,
    namespace: NAMESPACE,
  });
  const pods = new Informer<Pod>({
    client,
    resource: resources.pods,
    namespace: NAMESPACE,
    labelSelector: 'kubevirt.io=virt-launcher',
  });
  const onVmi = (vmi: VirtualMachineInstance): void => {
    if (vmi.metadata?.name !== name) return;
    const phase = vmi.status?.phase ?? 'Pending';
    versions.push(phase);
    note(`VMI ${phase}`);
    if (vmi.status?.phase === 'Running') running.resolve(vmi);
  };
  const ofThis = (pod: Pod): boolean => pod.metadata.annotations?.['kubevirt.io/domain'] === name;
  const onPod = (pod: Pod): void => {
    if (!ofThis(pod)) return;
    note('Pod created');
    onlooker.onLauncher?.(pod);
    if (pod.spec.nodeName !== undefined) note('Pod bound');
    if (pod.status?.containerStatuses?.some((c) => c.state?.running !== undefined)) note('Pod running');
  };
  vmis.on({ add: onVmi, update: onVmi, delete: (vmi) => vmi.metadata?.name === name && gone.resolve() });
  pods.on({ add: onPod, update: onPod, delete: (pod) => ofThis(pod) && podGone.resolve() });
  vmis.start(stop.signal);
  pods.start(stop.signal);
  await Promise.all([vmis.synced(), pods.synced()]);

  const cpu = (): CpuTimes => processes?.cpu() ?? new Map();
  const settle = (): Promise<void> => sleep(processes === undefined ? 0 : SETTLE_MS);
  await onlooker.beforeStart?.();
  const idle = cpu();
  startedAt = performance.timeOrigin + performance.now();
  await client.create(resources.virtualMachineInstances, benchVmi(name));
  const vmi = await running.promise;
  const runningMs = performance.timeOrigin + performance.now() - startedAt;
  const node = JSON.parse(vmi.metadata?.annotations?.['podvisor.io/handoffs'] ?? '{}') as Record<
    string,
    number
  >;
  for (const [number, label] of [
    ['6', '6 launcher takes commands'],
    ['8', '8 network ready'],
    ['9', '9 sync called'],
    ['10', '10 domain running'],
  ] as const)
    if (node[number] !== undefined) steps.set(label, node[number] - startedAt);
  const untilRunning = [...versions];
  await onlooker.whenRunning?.();

  await settle();
  const started = cpu();
  const deletedAt = performance.now();
  await client.delete(resources.virtualMachineInstances, { namespace: NAMESPACE, name });
  await podGone.promise;
  const goneMs = performance.now() - deletedAt;
  await gone.promise;
  const objectGoneMs = performance.now() - deletedAt;
  stop.abort();
  await settle();
  const used = { start: cpuPerOperation(idle, started, 1), end: cpuPerOperation(started, cpu(), 1) };
  return { steps, runningMs, goneMs, objectGoneMs, versions: untilRunning, cpu: used };
}

/** virt-controller tells of a Pod that does not run yet after this long (its SCHEDULING_GRACE_MS). */
const SCHEDULING_GRACE_MS = 2_000;

/** Versions of the VMI, without the one that says Scheduling where the machine took so long that it had to be said. */
function versionsMeant({ steps, versions }: Timeline): number {
  const ran = steps.get('Pod running') ?? Number.POSITIVE_INFINITY;
  const isSlow = ran - (steps.get('Pod created') ?? 0) > SCHEDULING_GRACE_MS;
  return versions.length - (isSlow && versions.includes('Scheduling') ? 1 : 0);
}

function report(
  runs: readonly Timeline[],
  baseline: {
    readonly totalMs: number;
    readonly libvirtdMs: number;
    readonly createMs: number;
    readonly destroyMs: number;
  },
): void {
  console.log(`\nVMI create → Running, median of ${runs.length} (ms since the request):`);
  const labels = [...new Set(runs.flatMap((r) => [...r.steps.keys()]))];
  const rows = labels
    .map((label) => [label, median(runs.map((r) => r.steps.get(label) ?? Number.NaN))] as const)
    .toSorted((a, b) => a[1] - b[1]);
  let last = 0;
  for (const [label, at] of rows) {
    console.log(`  ${label.padEnd(28)} ${at.toFixed(0).padStart(6)}  +${(at - last).toFixed(0)}`);
    last = at;
  }
  const ours = median(runs.map((r) => r.runningMs));
  const gone = median(runs.map((r) => r.goneMs));
  note('start', ours / baseline.totalMs);
  note('delete', gone / baseline.destroyMs);
  const most = runs.map(({ versions }) => versions).toSorted((a, b) => b.length - a.length)[0] ?? [];
  note('versions', Math.max(...runs.map(versionsMeant)));
  console.log(
    `by hand: libvirtd ${baseline.libvirtdMs.toFixed(0)} + create ${baseline.createMs.toFixed(0)} = ${baseline.totalMs.toFixed(0)} ms`,
  );
  console.log(
    `start: ${ours.toFixed(0)} ms = ${(ours / baseline.totalMs).toFixed(2)} × by hand (target ≤ 1.3)`,
  );
  console.log(
    `delete → guest and Pod gone, no grace: ${gone.toFixed(0)} ms = ${(gone / baseline.destroyMs).toFixed(2)} × virsh destroy (${baseline.destroyMs.toFixed(0)} ms); the VMI, which nobody owns: ${median(runs.map((r) => r.objectGoneMs)).toFixed(0)} ms`,
  );
  for (const [what, of] of [
    ['start', (r: Timeline) => r.cpu.start],
    ['delete', (r: Timeline) => r.cpu.end],
  ] as const)
    console.log(`CPU of the home a ${what}, mean: ${describeCpu(mean(runs.map(of)))}`);
  console.log(
    `versions of the VMI seen from creation to Running: ${most.length} (${most.join(', ')}; the creation is one of them)`,
  );
}

function tellWrites({ runs }: HomeWrites): void {
  const sums = runs.map((run) => [...run.values()].reduce((sum, count) => sum + count, 0));
  note('writes', median(sums));
  console.log(`writes of our components a start, mean: ${describeWrites(runs)}`);
}

async function memory(processes: HomeProcesses, client: KubeClient, vms: number): Promise<void> {
  console.log('\nMemory (PSS, MiB), beyond QEMU:');
  for (const count of [1, vms]) {
    const names = Array.from({ length: count }, (_, i) => `memory-${count}-${i}`);
    for (const name of names) await client.create(resources.virtualMachineInstances, benchVmi(name));
    for (const name of names) await untilRunning(client, name);
    const { items } = await client.list(resources.pods, {
      namespace: NAMESPACE,
      labelSelector: 'kubevirt.io=virt-launcher',
    });
    // A launcher looks every ten seconds whether its start is over, and gives back what that took.
    await sleep(MEMORY_SETTLE_MS);
    const pods = items.map((pod) => podMemory(pod.metadata.uid ?? ''));
    const mean = (of: (p: ReturnType<typeof podMemory>) => number): number =>
      pods.reduce((sum, p) => sum + of(p), 0) / pods.length;
    console.log(
      `  ${String(count).padStart(3)} VM: launcher ${mean((p) => p.launcher).toFixed(1)} + libvirtd ${mean((p) => p.libvirtd).toFixed(1)} + rest ${mean((p) => p.rest).toFixed(1)} = ${mean((p) => p.launcher + p.libvirtd + p.rest).toFixed(1)} each (QEMU ${mean((p) => p.qemu).toFixed(0)})`,
    );
    note(
      count === 1 ? 'podMemoryOne' : 'podMemoryTen',
      mean((p) => p.launcher + p.libvirtd + p.rest),
    );
    for (const name of names)
      await client.delete(resources.virtualMachineInstances, { namespace: NAMESPACE, name });
    for (const name of names) await untilGone(client, name);
  }
  const sumOf = (all: ReturnType<HomeProcesses['memory']>, of: 'rss' | 'pss'): number =>
    [...all.values()].reduce((total, memory) => total + memory[of], 0);
  const atOnce = processes.memory();
  console.log(
    `  everything but VMs, at the moment the last VM is gone: RSS ${sumOf(atOnce, 'rss').toFixed(0)}, PSS ${sumOf(atOnce, 'pss').toFixed(0)}`,
  );
  await sleep(MEMORY_SETTLE_MS);
  const idle = processes.memory();
  for (const [name, { rss, pss }] of idle)
    console.log(`  ${name.padEnd(22)} RSS ${rss.toFixed(0)}, PSS ${pss.toFixed(0)}`);
  const sum = (of: 'rss' | 'pss'): number => sumOf(idle, of);
  note('homeMemory', sum('rss'));
  note('homeShare', sum('pss'));
  console.log(
    `  everything but VMs, idle  RSS ${sum('rss').toFixed(0)} (target ≤ 400), PSS ${sum('pss').toFixed(0)} (target ≤ 150)`,
  );
}

/** PSS in MiB of what runs in a launcher's Pod, by what it is. */
export function podMemory(uid: string): { launcher: number; libvirtd: number; qemu: number; rest: number } {
  const sum = { launcher: 0, libvirtd: 0, qemu: 0, rest: 0 };
  for (const { pid, command } of [...podProcesses(uid), ...conmonOf(uid)]) {
    const kind = /qemu-system/.test(command)
      ? 'qemu'
      : /virt-launcher\.mjs/.test(command)
        ? 'launcher'
        : /libvirtd/.test(command)
          ? 'libvirtd'
          : 'rest';
    sum[kind] += pssMiB(pid);
  }
  return sum;
}

/** conmon sits outside the Pod's control group; its command names the Pod's directory. */
function conmonOf(uid: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return command.startsWith('conmon') && command.includes(uid) ? [{ pid: Number(name), command }] : [];
      } catch {
        return [];
      }
    });
}

/** Waits until the VMI runs. */
export async function untilRunning(client: KubeClient, name: string): Promise<void> {
  await until(
    async () =>
      (await client.find(resources.virtualMachineInstances, { namespace: NAMESPACE, name }))?.status
        ?.phase === 'Running',
  );
}

/** Waits until the VMI is gone. */
export async function untilGone(client: KubeClient, name: string): Promise<void> {
  await until(
    async () =>
      (await client.find(resources.virtualMachineInstances, { namespace: NAMESPACE, name })) === undefined,
  );
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 600; i += 1) {
    if (await holds()) return;
    await sleep(200);
  }
  throw new Error('waited two minutes in vain');
}

/** The VMI as the webhooks complete it, without creating it. */
async function defaultedVmi(client: KubeClient): Promise<VirtualMachineInstance> {
  return await client.create(resources.virtualMachineInstances, benchVmi('by-hand'), { dryRun: true });
}

/** The disk of the hello image, laid out as a launcher sees it. */
function imageVolumes(home: string): string {
  const layers = join(home, 'images/layers');
  const layer = readdirSync(layers)[0];
  if (layer === undefined) throw new Error(`no image in ${layers}`);
  const volumes = mkdtempSync('/var/tmp/podvisor-bench-');
  chmodSync(volumes, 0o755);
  cpSync(join(layers, layer, 'files'), join(volumes, 'disk_0'), { recursive: true });
  return volumes;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Of each process over all runs. */
export function mean(runs: readonly CpuTimes[]): CpuTimes {
  const names = [...new Set(runs.flatMap((times) => [...times.keys()]))];
  const rows = names.map(
    (name) => [name, runs.reduce((sum, times) => sum + (times.get(name) ?? 0), 0) / runs.length] as const,
  );
  return new Map(rows.toSorted((a, b) => b[1] - a[1]));
}

export function median(values: readonly number[]): number {
  const sorted = values.filter((v) => !Number.isNaN(v)).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
