/** `podvisor status`: processes, nodes, VMs. Exit code 1 when something that should run does not. */
import { readFileSync } from 'node:fs';
import type { VirtualMachineInstance } from '@podvisor/api';
import { isStatus, messageOf } from '@podvisor/base';
import { KubeClient, resources } from '@podvisor/kube';
import {
  defaultHome,
  type InstancePaths,
  instancePaths,
  nodeFault,
  readInstanceConfig,
  readPidFile,
} from '@podvisor/sys';
import pc from 'picocolors';
import { inWords } from '../output/told-error.ts';
import { accessibleHome } from './home/home-access.ts';
import { nodeLine } from './nodes/node-line.ts';
import { wantedProcesses } from './monitoring/processes.ts';

export async function status(): Promise<boolean> {
  const paths = instancePaths(defaultHome());
  if (accessibleHome(paths.home) === 'absent') {
    console.log(`Nothing is set up in ${paths.home}. Start with: podvisor up`);
    return false;
  }
  const wanted = wantedProcesses(readInstanceConfig(paths.home), paths);
  const names = ['supervisor', ...wanted.map(({ name }) => name)];
  const processes = names.map((name) => ({ name, pid: readPidFile(`${paths.run}/${name}.pid`) }));
  for (const { name, pid } of processes)
    console.log(
      `${name.padEnd(22)} ${pid === undefined ? pc.red('not running') : `${pc.green('running')}  pid ${pid}, ${memoryMib(pid)} MiB`}`,
    );
  if (processes.every((p) => p.pid === undefined)) {
    console.log('The home is down; its data is kept. Start it with: podvisor up');
    return false;
  }
  return (await clusterLines(paths)) && processes.every((p) => p.pid !== undefined);
}

async function clusterLines(paths: InstancePaths): Promise<boolean> {
  try {
    const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
    // A server that is gone refuses at once; one on a machine with much to do may take seconds.
    const signal = AbortSignal.timeout(15_000);
    const [nodes, vmis] = await Promise.all([
      client.list(resources.nodes, {}, signal),
      client.list(resources.virtualMachineInstances, {}, signal).catch(noneYet),
    ]);
    for (const node of readInstanceConfig(paths.home).nodes)
      console.log(
        nodeLine(
          node,
          nodes.items.find(({ metadata }) => metadata.name === node.name),
          nodeFault(paths, node.name),
          vmis.items.filter((vmi) => vmi.status?.nodeName === node.name).length,
        ),
      );
    for (const vmi of vmis.items)
      console.log(
        `${`${vmi.metadata?.namespace}/${vmi.metadata?.name}`.padEnd(22)} ${vmi.status?.phase ?? 'Pending'}  ${vmi.status?.interfaces?.[0]?.ipAddress ?? ''}  ${vmi.status?.nodeName ?? ''}`,
      );
    console.log(`kubeconfig: ${paths.kubeconfig}`);
    return true;
  } catch (error) {
    console.log(pc.red(`the API server does not answer (yet): ${inWords(messageOf(error))}`));
    return false;
  }
}

/** A bare home has no such kind before something is installed. */
function noneYet(error: unknown): { readonly items: readonly VirtualMachineInstance[] } {
  if (isStatus(error, 'NotFound')) return { items: [] };
  throw error;
}

function memoryMib(pid: number): string {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kib ?? 0) / 1024).toFixed(0);
}
