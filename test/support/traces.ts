/** What an instance has on the host now, outside its home: all of it must be gone after `down --purge`. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Traces {
  readonly links: readonly string[];
  readonly namespaces: readonly string[];
  readonly mounts: readonly string[];
  readonly cgroups: readonly string[];
  readonly nftTables: readonly string[];
  readonly processes: readonly string[];
}

export const NOTHING: Traces = {
  links: [],
  namespaces: [],
  mounts: [],
  cgroups: [],
  nftTables: [],
  processes: [],
};

/** `name` is the instance's short name, which bridge, namespaces, tables and control groups carry. */
export function tracesOf(home: string, name: string): Traces {
  return {
    links: links(name),
    namespaces: directory('/run/netns').filter((entry) => entry.startsWith(name)),
    mounts: readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[4] ?? '')
      .filter((path) => path.startsWith(home)),
    cgroups: lines('find', ['/sys/fs/cgroup', '-type', 'd', '-path', `*/podvisor/${name}*`]),
    nftTables: lines('nft', ['list', 'tables']).filter((table) => table.includes(name)),
    processes: instanceProcesses(home, name).map(({ command }) => command.slice(0, 120)),
  };
}

/** What belongs to Pods: everything but the home's own set-up (bridge, table, image mount, processes). */
export function podTracesOf(
  home: string,
  name: string,
): Pick<Traces, 'links' | 'namespaces' | 'cgroups'> & {
  readonly processes: readonly string[];
} {
  const all = tracesOf(home, name);
  return {
    links: all.links.filter((link) => link !== `pv-${name}`),
    namespaces: all.namespaces,
    cgroups: all.cgroups.filter((path) => path.split(`/podvisor/${name}/`)[1] !== undefined),
    processes: all.processes.filter((command) =>
      /qemu-system|conmon|tini|libvirtd|virt-launcher\.mjs/.test(command),
    ),
  };
}

/** Bridges and cables of the instance, and what is plugged into them. */
function links(name: string): string[] {
  const all = JSON.parse(execFileSync('ip', ['-j', 'link'], { encoding: 'utf8' })) as {
    ifname: string;
    master?: string;
  }[];
  const isOurs = (link: string | undefined): boolean =>
    /^pvn?-(.*)$/.exec(link ?? '')?.[1]?.startsWith(name) === true;
  return all.filter((link) => isOurs(link.ifname) || isOurs(link.master)).map((link) => link.ifname);
}

/** The home's own processes, and those of its containers and their monitors. */
export function instanceProcesses(
  home: string,
  name: string,
): readonly { readonly pid: number; readonly command: string }[] {
  return directory('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const isOurs =
          command.includes(home) ||
          readFileSync(`/proc/${entry}/cgroup`, 'utf8').includes(`/podvisor/${name}/`);
        return isOurs && command !== '' ? [{ pid: Number(entry), command }] : [];
      } catch {
        return []; // ended while we looked
      }
    });
}

function lines(tool: string, args: readonly string[]): string[] {
  try {
    return execFileSync(tool, [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return []; // a group vanished while find walked; the caller looks again
  }
}

function directory(path: string): string[] {
  try {
    return readdirSync(path).toSorted();
  } catch {
    return [];
  }
}
