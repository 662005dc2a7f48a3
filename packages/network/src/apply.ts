/** Carries out plans in a network namespace, and looks at one. */
import { assertNever, betweenFailPoints } from '@podvisor/base';
import { ipBatch, listLinks, listRoutes, nftApply, nftTable, writeNetSysctls } from '@podvisor/sys';
import type { Action, Observed } from './binding.ts';

/** The namespace as it is now: five questions, asked side by side. */
export async function observeNetns(nsPath: string): Promise<Observed> {
  const [links, routes, routes6, ip, ip6] = await Promise.all([
    listLinks(nsPath),
    listRoutes(nsPath),
    listRoutes(nsPath, 6),
    nftTable(nsPath, 'ip', 'nat'),
    nftTable(nsPath, 'ip6', 'nat'),
  ]);
  return {
    links,
    routes,
    routes6,
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
      return nftApply(nsPath, action.script);
    case 'sysctl':
      writeNetSysctls(nsPath, action.settings);
      return undefined;
    default:
      return assertNever(action);
  }
}
