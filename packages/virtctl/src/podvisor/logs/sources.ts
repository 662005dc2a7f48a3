/** Where the logs of a home are: a file a process, and one of each launcher's container that is still on disk. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { InstanceConfig, InstancePaths } from '@podvisor/sys';

export interface Source {
  readonly path: string;
  readonly component: string;
  /** Lines of a container carry the runtime's words before their own. */
  readonly isContainer: boolean;
}

/** In no order. */
export function sourcesOf(paths: InstancePaths, { nodes }: Pick<InstanceConfig, 'nodes'>): readonly Source[] {
  const processes = namesIn(paths.logs)
    .filter((name) => name.endsWith('.log'))
    .map((name) => ({
      path: `${paths.logs}/${name}`,
      component: basename(name, '.log'),
      isContainer: false,
    }));
  const launchers = nodes.flatMap(({ name }) => {
    const root = paths.containers(name);
    return namesIn(root).flatMap((pod) =>
      namesIn(`${root}/${pod}/compute`).map((attempt) => ({
        path: `${root}/${pod}/compute/${attempt}/log`,
        component: 'virt-launcher',
        isContainer: true,
      })),
    );
  });
  return [...processes, ...launchers];
}

/** Directories whose changes mean that there may be new lines, or new files. */
export function directoriesOf(
  paths: InstancePaths,
  { nodes }: Pick<InstanceConfig, 'nodes'>,
): readonly string[] {
  return [paths.logs, ...nodes.map(({ name }) => paths.containers(name))];
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // a Pod that went away meanwhile, a node that never had one
  }
}
