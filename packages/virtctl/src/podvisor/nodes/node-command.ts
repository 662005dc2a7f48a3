/**
 * `podvisor node list|cut|heal|kill`: faults to try on nodes that have a network namespace of their own.
 * A note per node says what was done to it; the supervisor and the node agent obey the note.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { KubeClient, resources } from '@podvisor/kube';
import {
  clearNodeFault,
  defaultHome,
  type InstanceConfig,
  type InstanceNode,
  type InstancePaths,
  instancePaths,
  nodeFault,
  readInstanceConfig,
  readPidFile,
  run,
  setNodeFault,
} from '@podvisor/sys';
import { nodeLine } from './node-line.ts';
import { cutStorage, healStorage, isStorageCut } from '../storage-cut.ts';
import { nodeHeard, nodeReady } from '../up/readiness.ts';

const POWER_OFF_MS = 30_000;
const HEAL_MS = 90_000;

/** Unplugs the node's cable: nothing reaches it and it reaches nothing, but all that runs there goes on. */
export async function cutNode(name: string): Promise<void> {
  const { paths, node } = find(name);
  if (nodeFault(paths, name) === 'killed')
    throw new Error(`the power of ${name} is off; \`podvisor node heal ${name}\` turns it on`);
  setNodeFault(paths, name, 'cut');
  await setCable(node, 'down');
  console.log(`${name} is cut off: its Pods go on, nobody can tell. Undo with: podvisor node heal ${name}`);
}

/** Unplugs the storage: reads and writes of its Pods to their claims wait, until it is healed. */
export async function cutNodeStorage(name: string): Promise<void> {
  const { paths, config } = find(name);
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const claims = await cutStorage(client, paths, config.name, name);
  console.log(
    `The Pods of ${name} do not reach the storage of ${claims} ${claims === 1 ? 'claim' : 'claims'} any more. Undo with: podvisor node heal ${name}`,
  );
}

/** Cuts the power: kubelet, virt-handler and every process of its Pods end at once, without a word. */
export async function killNode(name: string): Promise<void> {
  const { paths, node } = find(name);
  // The cable first: nothing of the end must be heard outside.
  await setCable(node, 'down');
  setNodeFault(paths, name, 'killed');
  const parts = [`kubelet-${name}`, `virt-handler-${name}`];
  const deadline = Date.now() + POWER_OFF_MS;
  const alive = (): string[] => parts.filter((part) => readPidFile(`${paths.run}/${part}.pid`) !== undefined);
  while (alive().length > 0) {
    if (Date.now() > deadline) throw new Error(`${alive().join(' and ')} did not end; see ${paths.logs}`);
    await delay(25);
  }
  console.log(`The power of ${name} is off. Turn it on again with: podvisor node heal ${name}`);
}

/** Undoes either; resolves when the node is ready again. */
export async function healNode(name: string, storageOnly = false): Promise<void> {
  const { paths, node } = find(name);
  const hadStorageCut = isStorageCut(paths, name);
  healStorage(paths, name);
  if (storageOnly || nodeFault(paths, name) === undefined) {
    console.log(hadStorageCut ? `${name} reaches its storage again.` : `Nothing was done to ${name}.`);
    return;
  }
  const since = Date.now();
  await setCable(node, 'up');
  clearNodeFault(paths, name);
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const signal = AbortSignal.timeout(HEAL_MS);
  try {
    await nodeHeard(client, name, since, signal);
    await nodeReady(client, name, signal);
  } catch (error) {
    const took = `${HEAL_MS / 1000} s`;
    throw new Error(`${name} has cable and power, but is not ready after ${took}; see ${paths.logs}`, {
      cause: error,
    });
  }
  console.log(`${name} is ready again.`);
}

/** Ends every cut of a cable or of the storage, for `down`: guests can only be asked to shut down over it. */
export async function plugInAll(paths: InstancePaths): Promise<void> {
  for (const { name, link } of readInstanceConfig(paths.home).nodes) {
    healStorage(paths, name);
    if (link === undefined || nodeFault(paths, name) !== 'cut') continue;
    await setCable({ link }, 'up');
    clearNodeFault(paths, name);
  }
}

export async function listNodes(): Promise<void> {
  const { paths, config } = home();
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const signal = AbortSignal.timeout(5_000);
  const [{ items: nodes }, { items: vmis }] = await Promise.all([
    client.list(resources.nodes, {}, signal),
    client.list(resources.virtualMachineInstances, {}, signal),
  ]);
  for (const node of config.nodes)
    console.log(
      nodeLine(
        node,
        nodes.find(({ metadata }) => metadata.name === node.name),
        nodeFault(paths, node.name),
        vmis.filter(({ status }) => status?.nodeName === node.name).length,
      ),
    );
}

function home(): { readonly paths: InstancePaths; readonly config: InstanceConfig } {
  const paths = instancePaths(defaultHome());
  const config = readInstanceConfig(paths.home);
  if (readPidFile(`${paths.run}/supervisor.pid`) === undefined)
    throw new Error('the home is down: start it with `podvisor up`');
  return { paths, config };
}

function find(name: string): {
  readonly paths: InstancePaths;
  readonly config: InstanceConfig;
  readonly node: InstanceNode & { readonly link: string };
} {
  const { paths, config } = home();
  const node = config.nodes.find((candidate) => candidate.name === name);
  if (node === undefined)
    throw new Error(`there is no node "${name}"; there are ${config.nodes.map((n) => n.name).join(', ')}`);
  const { link } = node;
  if (link === undefined)
    throw new Error(
      `${name} is this machine itself and cannot be harmed: faults need nodes of their own (\`podvisor up --nodes 3\` on a new home, or the further nodes of this one)`,
    );
  return { paths, config, node: { ...node, link } };
}

async function setCable({ link }: { readonly link: string }, state: 'up' | 'down'): Promise<void> {
  await run('ip', ['link', 'set', 'dev', link, state]);
}
