/** Carries out plans in a network namespace, and looks at one. */
import { assertNever } from '@podvisor/base';
import { ipBatch, listLinks, listRoutes, nftApply, nftTable, runInNetns } from '@podvisor/sys';
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

/** Carries out the steps in order; each is one tool call. */
export async function applyActions(nsPath: string, actions: readonly Action[]): Promise<void> {
  for (const action of actions) await applyAction(nsPath, action);
}

async function applyAction(nsPath: string, action: Action): Promise<void> {
  switch (action.kind) {
    case 'ip':
      return ipBatch(nsPath, action.commands);
    case 'nft':
      return nftApply(nsPath, action.script);
    case 'sysctl': {
      const settings = Object.entries(action.settings).map(([key, value]) => `${slashes(key)}=${value}`);
      // -e: a kernel without IPv6 lacks some keys, and then there is nothing to set.
      await runInNetns(nsPath, 'sysctl', ['-e', '-q', '-w', ...settings]);
      return;
    }
    default:
      assertNever(action);
  }
}

/** sysctl reads `/` as the separator when it comes first, so that dots in device names stay what they are. */
function slashes(key: string): string {
  const [area = '', family = '', kind = '', ...rest] = key.split('.');
  if (kind !== 'conf') return key.replaceAll('.', '/');
  return [area, family, kind, rest.slice(0, -1).join('.'), rest.at(-1)].join('/');
}
