/** Makes and removes the network between the nodes of this machine. What it should be: node-cables.ts. */
import { existsSync, readdirSync } from 'node:fs';
import {
  createNetns,
  type InstanceConfig,
  type InstancePaths,
  ipBatch,
  listLinks,
  listRoutes,
  netnsPath,
  nodeFault,
  podCidrs,
  removeNetns,
  run,
} from '@podvisor/sys';
import { cabledNodes, type ObservedCables, planCables } from './node-cables.ts';
import { setUpWayOut } from './way-out.ts';

const NETNS_DIRECTORY = '/run/netns';

/** Namespaces, bridge, cables and routes of all nodes are there; of former nodes nothing is. Idempotent. */
export async function setUpMachineNetwork(config: InstanceConfig, paths: InstancePaths): Promise<void> {
  if (config.nodeNetwork === undefined) return;
  await setUpWayOut(config.name, podCidrs(config));
  const unplugged = config.nodes.filter(({ name }) => nodeFault(paths, name) !== undefined);
  const plan = planCables(config, {
    ...(await observe()),
    unplugged: new Set(unplugged.map(({ name }) => name)),
  });
  for (const name of plan.removeNamespaces) removeNetns(name);
  for (const name of plan.createNamespaces) await createNetns(name);
  await ipBatch(undefined, plan.machine);
  await Promise.all(plan.nodes.map(({ netns, commands }) => ipBatch(netnsPath(netns), commands)));
}

/** Removes every namespace, cable and bridge of the instance, also those that no configuration tells of. */
export async function removeMachineNetwork(config: InstanceConfig): Promise<void> {
  const { links, namespaces } = await observe();
  const cables = new Set(cabledNodes(config).map(({ link }) => link));
  const prefix = config.nodeNetwork === undefined ? undefined : `${config.nodeNetwork.bridge}-`;
  for (const link of links)
    if (cables.has(link) || (prefix !== undefined && link.startsWith(prefix)))
      await run('ip', ['link', 'del', 'dev', link], { okCodes: [0, 1] });
  for (const name of namespaces) if (name.startsWith(`${config.name}-`)) removeNetns(name);
  const bridge = config.nodeNetwork?.bridge;
  if (bridge !== undefined && links.has(bridge)) await run('ip', ['link', 'del', 'dev', bridge]);
}

async function observe(): Promise<Omit<ObservedCables, 'unplugged'>> {
  return {
    links: new Set((await listLinks()).map(({ ifname }) => ifname)),
    routes: [...(await listRoutes(undefined)), ...(await listRoutes(undefined, 6))],
    namespaces: new Set(existsSync(NETNS_DIRECTORY) ? readdirSync(NETNS_DIRECTORY) : []),
  };
}
