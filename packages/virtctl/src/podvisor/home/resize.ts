/** `podvisor up --nodes M` on a home that has another number of nodes: adds them, or takes empty ones away. */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Node, Pod } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { KubeClient, MIRROR_ANNOTATION, resources } from '@podvisor/kube';
import { type InstanceConfig, type InstancePaths, readPidFile, unmountBelow } from '@podvisor/sys';
import { resizeInstance } from './instance-plan.ts';

/** The configuration with `count` nodes, written. Throws when a node that would go is not empty. */
export async function resize(
  paths: InstancePaths,
  config: InstanceConfig,
  count: number,
): Promise<InstanceConfig> {
  const wanted = resizeInstance(config, count);
  const leaving = config.nodes.slice(count).map(({ name }) => name);
  if (leaving.length > 0) await assertEmpty(paths, leaving);
  writeConfig(paths, wanted);
  return wanted;
}

/** Whole or not at all: every process reads it when it starts. */
export function writeConfig(paths: InstancePaths, config: InstanceConfig): void {
  const fresh = `${paths.config}.new`;
  writeFileSync(fresh, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, paths.config);
}

async function assertEmpty(paths: InstancePaths, names: readonly string[]): Promise<void> {
  if (readPidFile(`${paths.run}/supervisor.pid`) === undefined)
    throw new Error(
      `whether ${names.join(', ')} can be removed is known only while the home is up: start it with \`podvisor up\`, drain, then try again`,
    );
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const signal = AbortSignal.timeout(10_000);
  const [nodes, pods] = await Promise.all([
    client.list(resources.nodes, {}, signal),
    client.list(resources.pods, {}, signal),
  ]);
  const problems = names.flatMap((name) => whyNotEmpty(name, nodes.items, pods.items));
  if (problems.length === 0) return;
  throw new Error(
    `${problems.join('; ')}. Move or stop what runs there first: kubectl drain ${names.join(' ')} --ignore-daemonsets --delete-emptydir-data --force`,
  );
}

/** Part of the node itself, such as its virt-handler: it goes with the node, and `kubectl drain` leaves it, too. */
function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;
}

/** Reasons why a node cannot be taken away. Pure. */
export function whyNotEmpty(name: string, nodes: readonly Node[], pods: readonly Pod[]): string[] {
  const node = nodes.find(({ metadata }) => metadata.name === name);
  if (node === undefined) return [];
  const there = pods.filter(
    (pod) =>
      pod.spec.nodeName === name &&
      pod.status?.phase !== 'Succeeded' &&
      pod.status?.phase !== 'Failed' &&
      !isMirror(pod),
  );
  if (there.length > 0) {
    const shown = there.slice(0, 3).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    return [
      `${name} still has ${there.length} Pod${there.length === 1 ? '' : 's'} (${shown.join(', ')}${there.length > 3 ? ', …' : ''})`,
    ];
  }
  return node.spec?.unschedulable === true ? [] : [`${name} is not cordoned, so that Pods may still come`];
}

/**
 * Removes the objects and then the files of nodes that the home no longer has. The directory of a node is
 * the proof that it was ours, and goes last, so that an interrupted removal is finished by the next `up`.
 */
export async function forgetFormerNodes(
  paths: InstancePaths,
  config: InstanceConfig,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const directory = join(paths.home, 'nodes');
  const former = (existsSync(directory) ? readdirSync(directory) : []).filter(
    (name) => !config.nodes.some((node) => node.name === name),
  );
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  for (const name of former) {
    await ifThere(client.delete(resources.nodes, { name }, {}, signal));
    for (const lease of [
      { namespace: 'kube-node-lease', name },
      { namespace: 'kubevirt', name: `virt-handler-${name}` },
    ])
      await ifThere(client.delete(resources.leases, lease, {}, signal));
    await unmountBelow(join(directory, name));
    rmSync(join(directory, name), { recursive: true, force: true });
  }
  return former;
}

async function ifThere(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isStatus(error, 'NotFound')) throw error;
  }
}
