/**
 * Many VMIs on many nodes that only answer: how long until all run, what each process of the home uses for one, how
 * long one VM POST and one event take meanwhile, and how long restarts take with all of them there. Sizes grow in one
 * home, so that what one more costs can be compared.
 */
import { parseArgs } from 'node:util';
import type { VirtualMachine } from '@podvisor/api';
import { KubeClient, loadKubeconfig, resources } from '@podvisor/kube';
import { Instance } from '../../test/support/instance.ts';
import { cpuPerOperation, describeCpu, HomeProcesses } from '../home-processes.ts';
import { collectedMemory, type Memory } from '../profile/heap-profile.ts';
import { Http1Transport } from '../server-transport.ts';
import { median } from '../start.ts';
import { note } from '../targets.ts';
import { VmLoad } from '../vm-load.ts';
import { HollowNodes } from './hollow-nodes.ts';
import { Probes } from './probes.ts';

const NAMESPACE = 'default';
const CLIENTS = 8;

export async function benchScale(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      vmis: { type: 'string', default: '1000,3000,10000' },
      'hollow-nodes': { type: 'string', default: '100' },
    },
  });
  const sizes = values.vmis.split(',').map(Number);
  const instance = await Instance.prepare();
  try {
    console.log('starting an instance of its own');
    const { code, stdout, stderr } = await instance.up();
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    const kubeconfig = `${instance.home}/kubeconfig`;
    const client = KubeClient.fromKubeconfig(kubeconfig, 'bench');
    const transport = new Http1Transport(loadKubeconfig(kubeconfig));
    const load = new VmLoad(transport, client, NAMESPACE);
    const probes = new Probes(load, transport, NAMESPACE);
    await load.createVms(20, 1);
    await using hollow = await HollowNodes.start(client, NAMESPACE, Number(values['hollow-nodes']));
    let there = 0;
    for (const size of sizes) {
      await grow(instance.home, { load, hollow, probes }, { from: there, to: size });
      there = size;
    }
    const restarts: number[] = [];
    for (const name of ['virt-controller', 'control-plane'])
      restarts.push(await restart(instance, client, load, name, there));
    note('reconcileAgain', Math.max(...restarts));
  } finally {
    await instance.purge();
  }
}

/** From so many VMIs to so many. */
async function grow(
  home: string,
  { load, hollow, probes }: { readonly load: VmLoad; readonly hollow: HollowNodes; readonly probes: Probes },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const processes = new HomeProcesses(home);
  const memory = processes.memory();
  const live = await liveMemory(processes);
  const before = processes.cpu();
  const began = performance.now();
  let ms = 0;
  const { posts, events } = await probes.during(async () => {
    await Promise.all([load.createVmis(to - from, CLIENTS, 'hollow'), hollow.reached(to)]);
    ms = performance.now() - began;
  });
  console.log(
    `${from} → ${to} VMIs: all run after ${(ms / 1000).toFixed(1)} s, ${(ms / (to - from)).toFixed(1)} ms each; CPU each ${describeCpu(cpuPerOperation(before, processes.cpu(), to - from))}`,
  );
  console.log(`  meanwhile: one VM POST ${spread(posts)}, one watch event ${spread(events)}`);
  await tellLive(processes, live, to - from);
  for (const [name, { rss }] of processes.memory()) {
    const grown = ((rss - (memory.get(name)?.rss ?? 0)) * 1024) / (to - from);
    console.log(`  ${name.padEnd(22)} RSS ${rss.toFixed(0)} MiB, ${grown.toFixed(1)} KiB a VMI`);
  }
}

/** Those that hold something for each VMI. */
const HOLDERS = ['control-plane', 'virt-controller'];

async function liveMemory({ pids }: HomeProcesses): Promise<ReadonlyMap<string, Memory>> {
  const found = new Map<string, Memory>();
  for (const name of HOLDERS) found.set(name, await collectedMemory(pids.get(name) ?? 0));
  return found;
}

/** Without garbage: RSS alone tells as much of what was as of what is. */
async function tellLive(
  processes: HomeProcesses,
  before: ReadonlyMap<string, Memory>,
  vmis: number,
): Promise<void> {
  for (const [name, after] of await liveMemory(processes)) {
    const grown = (part: keyof Memory): number =>
      (after[part] - (before.get(name)?.[part] ?? 0)) / vmis / 1024;
    const heap = grown('heapUsed');
    // The last size counts: it is the largest.
    note(name === 'control-plane' ? 'controlPlaneVmi' : 'controllerVmi', heap);
    console.log(
      `  ${name}, collected: heap ${heap.toFixed(1)} KiB, RSS ${grown('rss').toFixed(1)} KiB a VMI`,
    );
  }
}

function spread(times: readonly number[]): string {
  const worst = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  return `median ${median(times).toFixed(0)} ms, p95 ${worst.toFixed(0)} ms (${times.length} of them)`;
}

/** A component ends without a word: milliseconds until a VM that is made then has a status. */
async function restart(
  instance: Instance,
  client: KubeClient,
  load: VmLoad,
  name: string,
  vmis: number,
): Promise<number> {
  const began = performance.now();
  await instance.kill(name);
  const key = { namespace: NAMESPACE, name: `after-${name}` };
  for (;;) {
    try {
      const vm = (await client.find(resources.virtualMachines, key)) ?? (await load.createNamed(key.name));
      if ((vm as VirtualMachine | undefined)?.status?.printableStatus !== undefined) break;
    } catch {
      // The server is away.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const ms = performance.now() - began;
  console.log(`${name} ended with ${vmis} VMIs: first reconcile after ${(ms / 1000).toFixed(1)} s`);
  return ms;
}
