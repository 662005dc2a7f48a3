/**
 * Removes what is left of Pods that no longer exist. The proof is a list read straight from the store of
 * the API server (no resourceVersion: never from a cache), so a Pod is removed only when it is really gone.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { cgroupChildren } from '@podvisor/sys';
import type { KubeletClient } from './client.ts';
import { killRun } from './container/stop.ts';
import type { KubeletContext } from './context.ts';
import { addressHolders } from './network/ipam.ts';
import { readContainers, recordedPods } from './pod/records.ts';
import type { PodRuntime } from './pod/runtime.ts';

/** UIDs of Pods that have anything on this node: records, volumes, addresses, namespaces. */
export function podsOnMachine(context: KubeletContext): ReadonlySet<string> {
  const list = (dir: string): readonly string[] => (existsSync(dir) ? readdirSync(dir) : []);
  const prefix = `${context.config.name}-`;
  const isUid = (name: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name);
  const netns = list('/run/netns')
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  const own = [
    ...recordedPods(context),
    ...list(join(context.kubeletDir, 'pods')),
    ...addressHolders(context),
  ];
  // Namespaces and control groups carry the instance, not the node: with several nodes they prove nothing.
  const shared =
    context.config.nodes.length > 1 ? [] : [...netns, ...cgroupChildren(`/podvisor/${context.config.name}`)];
  return new Set([...own, ...shared].filter(isUid));
}

/** Looks once. What cannot be removed is left for the next start and told in the log. */
export async function collectGarbage(
  context: KubeletContext,
  client: KubeletClient,
  runtime: PodRuntime,
): Promise<void> {
  removeStrayExits(context);
  const present = podsOnMachine(context);
  if (present.size === 0) return;
  const { items } = await client.list(resources.pods, {
    fieldSelector: `spec.nodeName=${context.node.name}`,
  });
  const known = new Set(items.map((pod) => pod.metadata.uid));
  for (const uid of present) {
    if (known.has(uid)) continue;
    try {
      await removeLeftover(context, runtime, uid);
      context.log.info({ uid }, 'removed what was left of a Pod');
    } catch (error) {
      context.log.warn({ uid, error: messageOf(error) }, 'what is left of a Pod could not be removed');
    }
  }
}

/** Exit codes of containers that nobody has a record of. */
function removeStrayExits(context: KubeletContext): void {
  const runs = recordedPods(context).flatMap((uid) => [...readContainers(context, uid).values()].flat());
  const known = new Set(runs.map((run) => run.record.id));
  for (const id of readdirSync(context.exitDir))
    if (!known.has(id)) rmSync(join(context.exitDir, id), { force: true });
}

async function removeLeftover(context: KubeletContext, runtime: PodRuntime, uid: string): Promise<void> {
  for (const [run] of readContainers(context, uid).values()) {
    if (run?.state.kind === 'running') await killRun(context, run);
  }
  await runtime.tearDown(uid, 'everything');
}
