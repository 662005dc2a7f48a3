/** Bridges that network definitions made us make on a node. They go with the instance, if nobody uses them. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type InstanceConfig,
  type InstanceNode,
  listLinks,
  readJson,
  runInNetns,
  writeJson,
} from '@podvisor/sys';
import type { KubeletContext } from '../context.ts';

/** In /run, because bridges end with the machine's run, and outside the home, which may be gone first. */
function directory(config: InstanceConfig): string {
  return join('/run/podvisor', config.name, 'bridges');
}

export function noteBridge({ config, node }: KubeletContext, bridge: string): void {
  mkdirSync(directory(config), { recursive: true, mode: 0o700 });
  const path = join(directory(config), `${node.name}.json`);
  const known = (readJson(path) ?? []) as readonly string[];
  if (!known.includes(bridge)) writeJson(path, [...known, bridge]);
}

/** Removes the node's noted bridges that nothing is plugged into. */
export async function removeNotedBridges(
  config: InstanceConfig,
  node: InstanceNode,
  netns: string | undefined,
): Promise<void> {
  if (!existsSync(directory(config)) || !readdirSync(directory(config)).includes(`${node.name}.json`)) return;
  const noted = (readJson(join(directory(config), `${node.name}.json`)) ?? []) as readonly string[];
  const links = await listLinks(netns);
  for (const bridge of noted) {
    const isUnused = links.some((l) => l.ifname === bridge) && !links.some((l) => l.master === bridge);
    if (isUnused) await runInNetns(netns, 'ip', ['link', 'del', bridge], { okCodes: [0, 1] });
  }
}
