/**
 * What a migration costs: total time and downtime of the hello guest, moved between two nodes of an instance of its
 * own, beside `virsh migrate` of the same guest between two libvirtd, in turns in one run; and how fast the way
 * between two virt-handlers is, beside a plain TCP copy.
 */
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  isFinalMigrationPhase,
  MIGRATION_REPORT_ANNOTATION,
  type MigrationReport,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { run } from '@podvisor/sys';
import { bootIdVm } from '../../test/support/guests/boot-id-vm.ts';
import { eventually } from '../../test/support/eventually.ts';
import { Instance, root } from '../../test/support/instance.ts';
import { ByHand, type MoveFigures } from './by-hand.ts';
import { proxyThroughput } from './throughput.ts';

const KEY = { namespace: 'default', name: 'traveller' };

export async function benchMigration(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { runs: { type: 'string', default: '7' } } });
  const runs = Number(values.runs);
  const { plainMBps, proxyMBps } = await proxyThroughput();
  console.log(
    `proxy: ${proxyMBps.toFixed(0)} MB/s = ${(proxyMBps / plainMBps).toFixed(2)} × a plain TCP copy (${plainMBps.toFixed(0)} MB/s)`,
  );
  const instance = await Instance.prepare();
  try {
    const { code, stdout, stderr } = await instance.up('--nodes', '2', `${root}/examples/hello.yaml`);
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    await instance.client.delete(resources.virtualMachines, { ...KEY, name: 'hello' });
    await instance.client.create(resources.virtualMachines, benchVm());
    const image = await helloDisk(instance.home);
    await using byHand = await ByHand.start(join(image, 'hello.qcow2'));
    await guestIsUp(instance);
    const ours: (MoveFigures & { readonly wholeMs: number })[] = [];
    const theirs: MoveFigures[] = [];
    for (let i = 0; i < runs; i += 1) {
      ours.push(await moveOnce(instance));
      theirs.push(await byHand.move());
    }
    report(
      'total',
      ours.map(({ totalMs }) => totalMs),
      theirs.map(({ totalMs }) => totalMs),
    );
    report(
      'downtime',
      ours.map(({ downtimeMs }) => downtimeMs),
      theirs.map(({ downtimeMs }) => downtimeMs),
    );
    const whole = median(ours.map(({ wholeMs }) => wholeMs));
    console.log(`from the migration object to Succeeded, target Pod included: ${whole.toFixed(0)} ms`);
    rmSync(image, { recursive: true });
  } finally {
    await instance.purge();
  }
}

/**
 * The guest of the example. It asks for a whole CPU, because a Pod that asks for less gets less than its neighbours
 * on a machine with other work, and the guest by hand is one of them.
 */
function benchVm(): VirtualMachine {
  const vm = bootIdVm(KEY.name);
  const { template } = vm.spec;
  if (template.spec === undefined) return vm;
  const domain = { ...template.spec.domain, resources: { requests: { cpu: '1' } } };
  return { ...vm, spec: { ...vm.spec, template: { ...template, spec: { ...template.spec, domain } } } };
}

/** A directory with a copy of the image that the node has unpacked for the example. */
async function helloDisk(home: string): Promise<string> {
  const { stdout } = await run('find', [join(home, 'images'), '-name', 'hello.qcow2']);
  const directory = mkdtempSync('/tmp/pvm-image-');
  chmodSync(directory, 0o755);
  cpSync(stdout.split('\n')[0] ?? '', join(directory, 'hello.qcow2'));
  chmodSync(join(directory, 'hello.qcow2'), 0o644);
  return directory;
}

async function guestIsUp({ client }: Instance): Promise<void> {
  await eventually('the guest serves its page', 180_000, async () => {
    const vmi = await client.get(resources.virtualMachineInstances, KEY);
    const address = vmi.status?.interfaces?.[0]?.ipAddress ?? '';
    return (await fetch(`http://${address}/`, { signal: AbortSignal.timeout(2_000) })).text();
  });
}

async function moveOnce({ client }: Instance): Promise<MoveFigures & { readonly wholeMs: number }> {
  const from = performance.now();
  const made = await client.create(resources.virtualMachineInstanceMigrations, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { namespace: KEY.namespace, generateName: 'bench-' },
    spec: { vmiName: KEY.name },
  });
  const key = { namespace: KEY.namespace, name: made.metadata?.name ?? '' };
  const phase = await eventually('the migration ends', 120_000, async () => {
    const found = await client.get(resources.virtualMachineInstanceMigrations, key);
    return isFinalMigrationPhase(found.status?.phase) ? found.status?.phase : undefined;
  });
  const wholeMs = performance.now() - from;
  if (phase !== 'Succeeded') throw new Error('the migration failed');
  const report = reportOf(await client.get(resources.virtualMachineInstances, KEY));
  return { totalMs: report.totalMs, downtimeMs: report.downtimeMs ?? Number.NaN, wholeMs };
}

function reportOf({ metadata }: VirtualMachineInstance): MigrationReport {
  return JSON.parse(metadata?.annotations?.[MIGRATION_REPORT_ANNOTATION] ?? '{}') as MigrationReport;
}

function report(what: string, ours: readonly number[], theirs: readonly number[]): void {
  const [our, their] = [median(ours), median(theirs)];
  const spread = (values: readonly number[]): string =>
    `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`;
  console.log(
    `${what}: ${our.toFixed(0)} ms (${spread(ours)}) = ${(our / their).toFixed(2)} × virsh migrate (${their.toFixed(0)} ms, ${spread(theirs)})`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
