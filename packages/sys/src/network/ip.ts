/** iproute2: one process for a whole batch of changes, JSON for reading. */
import { runInNetns } from './netns.ts';

/** A link as `ip -j -d addr` shows it (the parts we read). */
export interface Link {
  readonly ifindex: number;
  readonly ifname: string;
  readonly flags: readonly string[];
  readonly mtu: number;
  readonly operstate: string;
  readonly address?: string;
  readonly master?: string;
  readonly linkinfo?: {
    readonly info_kind?: string;
    readonly info_data?: {
      readonly mode?: string;
      readonly nf_call_iptables?: number;
      readonly nf_call_ip6tables?: number;
    };
  };
  readonly addr_info: readonly {
    readonly family: 'inet' | 'inet6';
    readonly local: string;
    readonly prefixlen: number;
    readonly scope: string;
  }[];
}

/** A route as `ip -j route` shows it. */
export interface Route {
  readonly dst: string;
  readonly gateway?: string;
  readonly dev: string;
  readonly prefsrc?: string;
  readonly scope?: string;
  readonly protocol?: string;
}

/** Applies commands such as `link add …` in order, in one process; the first failure stops it. */
export async function ipBatch(nsPath: string | undefined, commands: readonly string[]): Promise<void> {
  if (commands.length === 0) return;
  await runInNetns(nsPath, 'ip', ['-batch', '-'], { input: `${commands.join('\n')}\n` });
}

/** All links with their addresses. */
export async function listLinks(nsPath?: string): Promise<readonly Link[]> {
  const { stdout } = await runInNetns(nsPath, 'ip', ['-j', '-d', 'addr', 'show']);
  return JSON.parse(stdout || '[]') as Link[];
}

/** All links with their addresses, and the IPv4 routes of the main table: one process answers both. */
export async function listLinksAndRoutes(
  nsPath: string | undefined,
): Promise<{ readonly links: readonly Link[]; readonly routes: readonly Route[] }> {
  const { stdout } = await runInNetns(nsPath, 'ip', ['-j', '-d', '-batch', '-'], {
    input: 'addr show\nroute show\n',
  });
  // An answer is a line, also when it is empty.
  const [links, routes] = stdout.split('\n');
  return { links: JSON.parse(links || '[]') as Link[], routes: JSON.parse(routes || '[]') as Route[] };
}

/** IPv4 or IPv6 routes of the main table. */
export async function listRoutes(nsPath: string | undefined, family: 4 | 6 = 4): Promise<readonly Route[]> {
  const { stdout } = await runInNetns(nsPath, 'ip', [`-${family}`, '-j', 'route', 'show']);
  return JSON.parse(stdout || '[]') as Route[];
}
