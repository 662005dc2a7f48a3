/** Carries out plans in a network namespace, and looks at one. */
import { assertNever, betweenFailPoints } from '@podvisor/base';
import {
  ipBatch,
  listLinksAndRoutes,
  listRoutes,
  nftAccepts,
  nftApply,
  nftTables,
  writeNetSysctls,
} from '@podvisor/sys';
import type { Action, Observed } from './binding.ts';

/**
 * The namespace as it is now. A program for each question would cost more than the changes: two are started, and a
 * third where a NIC has a global IPv6 address, whose routes then matter.
 */
export async function observeNetns(nsPath: string): Promise<Observed> {
  const [{ links, routes }, tables] = await Promise.all([listLinksAndRoutes(nsPath), nftTables(nsPath)]);
  const hasIpv6 = links.some(({ addr_info }) =>
    addr_info.some(({ family, scope }) => family === 'inet6' && scope === 'global'),
  );
  const [ip, ip6] = [tables.get('ip nat'), tables.get('ip6 nat')];
  return {
    links,
    routes,
    routes6: hasIpv6 ? await listRoutes(nsPath, 6) : [],
    natTables: { ...(ip === undefined ? {} : { ip }), ...(ip6 === undefined ? {} : { ip6 }) },
  };
}

/** Carries out the steps in order; each is one tool call, or none, between fail points `<what>-step-<number>`. */
export async function applyActions(
  nsPath: string,
  actions: readonly Action[],
  what = 'network',
): Promise<void> {
  for (const [step, action] of actions.entries())
    await betweenFailPoints(`${what}-step-${step}`, () => applyAction(nsPath, action));
}

async function applyAction(nsPath: string, action: Action): Promise<void> {
  switch (action.kind) {
    case 'ip':
      return ipBatch(nsPath, action.commands);
    case 'nft':
      if (action.optional === true && !(await nftAccepts(nsPath, action.script))) return undefined;
      return nftApply(nsPath, action.script);
    case 'sysctl':
      writeNetSysctls(nsPath, action.settings);
      return undefined;
    default:
      return assertNever(action);
  }
}
