/**
 * `podvisor down`: guests are asked to shut down, then every process ends; objects, images and volumes are
 * kept, so that `up` brings the VMs back. `--purge` removes those too and puts the host back as it was.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import type { Pod } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { KubeClient, resources } from '@podvisor/kube';
import {
  defaultHome,
  type InstancePaths,
  instancePaths,
  nodeFault,
  readInstanceConfig,
  readPidFile,
  removeTree,
  run,
  unmountBelow,
} from '@podvisor/sys';
import { endProcess } from '../supervisor/end-process.ts';
import { accessibleHome } from '../home/home-access.ts';
import { installLib } from '../home/install-lib.ts';
import { inWords } from '../../output/told-error.ts';
import { endMonitoring } from '../monitoring/processes.ts';
import { plugInAll } from '../nodes/node-command.ts';
import { isService, removeService } from '../service.ts';
import { shutDownPods } from './shut-down-pods.ts';

export interface DownFlags {
  readonly purge: boolean;
  /** Seconds that guests have to shut down. */
  readonly timeout: number;
}

/** `root` is the checkout whose programs clean up: those of a home may be of an older version. */
export async function down(root: string, flags: DownFlags): Promise<void> {
  const paths = instancePaths(defaultHome());
  if (accessibleHome(paths.home) === 'absent') {
    console.log(`Nothing is set up in ${paths.home}.`);
    return;
  }
  const supervisor = readPidFile(`${paths.run}/supervisor.pid`);
  if (supervisor !== undefined) {
    // In a bare home those who start VMs again are Pods too: guests end with them.
    if (readInstanceConfig(paths.home).bare !== true) await stopVms(paths, supervisor, flags.timeout);
    await endProcess(supervisor, 20_000);
  }
  // A supervisor that was killed leaves its children behind; an older version's may have other names.
  for (const file of pidFiles(paths)) {
    const pid = readPidFile(file);
    if (pid !== undefined) await endProcess(pid, 10_000);
  }
  endMonitoring(paths);
  console.log('All processes ended');
  installLib(root, paths.lib);
  await run(
    `${paths.lib}/node`,
    [`${paths.lib}/node-agent.mjs`, 'teardown', '--home', paths.home, ...(flags.purge ? ['--purge'] : [])],
    {
      timeoutMs: 120_000,
    },
  );
  forgetFaults(paths);
  if (!flags.purge) {
    console.log(`Down. Data is kept in ${paths.home}; \`podvisor up\` brings everything back.`);
    return;
  }
  if (isService(paths.home)) await removeService(paths.home);
  await unmountBelow(paths.home);
  await removeTree(paths.home);
  console.log(`Down. ${paths.home} and all that was in it is gone.`);
}

function pidFiles({ run: directory }: InstancePaths): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith('.pid'))
    .map((name) => `${directory}/${name}`);
}

/** Cables and power of nodes are gone with the nodes' namespaces; the next `up` makes them anew, and whole. */
function forgetFaults(paths: InstancePaths): void {
  if (!existsSync(paths.run)) return;
  for (const name of readdirSync(paths.run))
    if (/\.(fault|network)$|^kubelet-.*\.pid$/.test(name)) rmSync(`${paths.run}/${name}`);
}

/** Deletes the launcher Pods (their SIGTERM is the guest's power button) while nobody makes new ones. */
async function stopVms(paths: InstancePaths, supervisor: number, timeoutSeconds: number): Promise<void> {
  try {
    await plugInAll(paths);
    const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
    const { items: all } = await client.list(
      resources.pods,
      { labelSelector: 'kubevirt.io=virt-launcher' },
      AbortSignal.timeout(10_000),
    );
    // On a node without power nothing runs, and nobody would say so.
    const hasPower = (pod: Pod): boolean => nodeFault(paths, pod.spec.nodeName ?? '') !== 'killed';
    const items = all.filter(hasPower);
    if (items.length === 0) return;
    process.kill(supervisor, 'SIGUSR2'); // end virt-controller, or it would start the VMs again
    await pidFileGone(`${paths.run}/virt-controller.pid`);
    // What a migration left behind has ended already: its Pod goes, and nobody is asked.
    const running = items.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
    console.log(`Asking ${running.length} VM${running.length === 1 ? '' : 's'} to shut down`);
    await shutDownPods(client, items, hasPower, timeoutSeconds * 1000);
    console.log('All VMs are off');
  } catch (error) {
    console.log(
      `VMs could not be shut down in good order (${inWords(messageOf(error))}): they are ended now`,
    );
  }
}

async function pidFileGone(path: string): Promise<void> {
  for (let i = 0; i < 200 && readPidFile(path) !== undefined; i += 1)
    await new Promise((resolve) => setTimeout(resolve, 25));
}
