/** What a test could leave behind on the host: read before and after, and compared. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface HostState {
  readonly links: readonly string[];
  readonly namespaces: readonly string[];
  readonly mounts: readonly string[];
  readonly cgroups: readonly string[];
  readonly nftTables: readonly string[];
  readonly processes: readonly string[];
}

/** All of it; `marker` picks what belongs to one instance where the host shares a list with others. */
export function hostState(marker = ''): HostState {
  const has = (text: string): boolean => text.includes(marker);
  return {
    links: lines('ip', ['-o', 'link']).map((line) => line.split(': ')[1]?.split('@')[0] ?? ''),
    namespaces: directory('/run/netns'),
    mounts: readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[4] ?? '')
      .filter(has)
      .toSorted(),
    cgroups: lines('find', ['/sys/fs/cgroup', '-type', 'd', '-path', '*podvisor*']).toSorted(),
    nftTables: lines('nft', ['list', 'tables']).toSorted(),
    processes: lines('ps', ['-eo', 'args'])
      .filter((line) =>
        /^(\/usr\/bin\/)?(qemu-system|conmon|\/usr\/bin\/tini)|libvirtd|virt-launcher\.mjs/.test(line),
      )
      .toSorted(),
  };
}

function lines(tool: string, args: readonly string[]): string[] {
  return execFileSync(tool, [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((line) => line !== '');
}

function directory(path: string): string[] {
  try {
    return readdirSync(path).toSorted();
  } catch {
    return []; // nobody made a namespace yet
  }
}
