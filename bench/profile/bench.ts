/**
 * Where the CPU time of a home goes: profiles of its processes over VM POSTs and over starts, as a flame graph and as
 * lists of the largest costs; and what the control plane holds for each object of 3 KB.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { KubeClient, loadKubeconfig, resources } from '@podvisor/kube';
import { Instance, root } from '../../test/support/instance.ts';
import { HomeProcesses } from '../home-processes.ts';
import { ApiLoad } from '../server-load.ts';
import { Http1Transport } from '../server-transport.ts';
import { NAMESPACE, startAndDelete } from '../start.ts';
import { VmLoad } from '../vm-load.ts';
import { bundleSources } from './bundle-source.ts';
import { type CpuProfile, profiled } from './cpu-profile.ts';
import { flameGraph } from './flame.ts';
import { type Call, foldProfile, largestSelf, largestTotal } from './fold.ts';
import { heapGrowth, largestAlive } from './heap-profile.ts';

const POSTING = ['control-plane', 'virt-api', 'virt-controller'];
const STARTING = ['control-plane', 'node-agent', 'virt-api', 'virt-controller', 'virt-handler-node-1'];
/** Compiled by then. */
const WARM_UP = 100;

export async function benchProfile(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      vms: { type: 'string', default: '200' },
      starts: { type: 'string', default: '20' },
      objects: { type: 'string', default: '10000' },
      /** A home that runs already, and goes on. */
      home: { type: 'string' },
      /** A flame graph of the VM POSTs. */
      svg: { type: 'string' },
      /** A directory for the profiles themselves, for other programs. */
      raw: { type: 'string' },
      top: { type: 'string', default: '10' },
    },
  });
  const [vms, starts, objects, top] = [values.vms, values.starts, values.objects, values.top].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const instance = values.home === undefined ? await Instance.prepare() : undefined;
  try {
    const home = values.home ?? (await begun(instance as Instance)).home;
    const { pids } = new HomeProcesses(home);
    const some = (names: readonly string[]): ReadonlyMap<string, number> =>
      new Map([...pids].filter(([name]) => names.includes(name)));
    const keep = (what: string, profiles: ReadonlyMap<string, CpuProfile>): void => {
      if (values.raw === undefined) return;
      for (const [name, profile] of profiles)
        writeFileSync(join(values.raw, `${what}-${name}.cpuprofile`), JSON.stringify(profile));
    };
    const kubeconfig = `${home}/kubeconfig`;
    const client = KubeClient.fromKubeconfig(kubeconfig, 'bench');
    const transport = new Http1Transport(loadKubeconfig(kubeconfig));
    const sourceOf = bundleSources();

    if (vms > 0) {
      const load = new VmLoad(transport, client, NAMESPACE);
      await load.createVms(WARM_UP, 1);
      const profiles = await profiled(some(POSTING), async () => void (await load.createVms(vms, 1)));
      keep('post', profiles);
      const calls = [...profiles].map(([name, profile]) => foldProfile(name, profile, sourceOf));
      for (const call of calls) tell(`${vms} VM POSTs`, call, vms, top);
      if (values.svg !== undefined) writeFileSync(values.svg, postGraph(calls, vms));
      await load.clearVms();
    }
    if (starts > 0) {
      await startAndDelete(client, 'warm-up');
      const profiles = await profiled(some(STARTING), async () => {
        for (let i = 0; i < starts; i += 1) await startAndDelete(client, `profiled-${i}`);
      });
      keep('start', profiles);
      for (const [name, profile] of profiles)
        tell(`${starts} starts and ends`, foldProfile(name, profile, sourceOf), starts, top);
    }
    if (objects > 0) {
      const load = new ApiLoad(transport, 'bench-objects');
      await load.begin();
      const { before, after, alive } = await heapGrowth(pids.get('control-plane') ?? 0, () =>
        load.fill(objects),
      );
      const each = (bytes: number): string => `${(bytes / objects / 1024).toFixed(2)} KiB`;
      console.log(`\ncontrol-plane, ${objects} objects of 3 KB, for each, garbage collected:`);
      for (const part of ['rss', 'heapTotal', 'heapUsed', 'external'] as const)
        console.log(`  ${part.padEnd(10)} ${each(after[part] - before[part])}`);
      await load.end();
      for (const { name, amount } of largestAlive(alive, sourceOf, top))
        console.log(`  ${each(amount).padStart(10)} ${name}`);
    }
  } finally {
    await instance?.purge();
  }
}

async function begun(instance: Instance): Promise<Instance> {
  console.log('starting an instance of its own');
  const { code, stdout, stderr } = await instance.up('--no-wait', `${root}/examples/hello.yaml`);
  if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
  await instance.client.delete(resources.virtualMachines, { namespace: NAMESPACE, name: 'hello' });
  return instance;
}

function tell(what: string, call: Call, operations: number, top: number): void {
  const each = (ms: number): string => (ms / operations).toFixed(3).padStart(8);
  // Samples are taken by the clock: a call that waits for the disk, or for a processor that others use, counts.
  console.log(`\n${call.name}, ${what}: ${each(call.total).trim()} ms each; in itself:`);
  for (const { name, amount } of largestSelf(call, top)) console.log(`${each(amount)} ${name}`);
  console.log('with what it calls:');
  for (const { name, amount } of largestTotal(call, top * 3)) console.log(`${each(amount)} ${name}`);
}

/** The flame graph of docs/performance.md. Pure. */
function postGraph(calls: readonly Call[], vms: number): string {
  return flameGraph(
    calls.map((root) => ({
      root,
      title: `${root.name}: ${(root.total / vms).toFixed(2)} ms at work or waiting for the disk, for each VM POST`,
    })),
  );
}
