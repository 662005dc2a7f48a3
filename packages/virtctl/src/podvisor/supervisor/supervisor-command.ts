/** How the supervisor of a home is started, by `up` and by systemd alike. Pure. */
import type { InstancePaths } from '@podvisor/sys';
import { NODE_AGENT } from '../home/confinements.ts';
import { SMALL_PROCESS } from '../home/processes.ts';

/**
 * Each thread of its own would keep an arena of freed memory, in every process; and what a start-up takes in
 * large pieces (compiling, reading) goes back to the kernel when it is freed.
 */
const LEAN_MALLOC = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

export interface SupervisorCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function supervisorCommand({ home, lib }: Pick<InstancePaths, 'home' | 'lib'>): SupervisorCommand {
  return {
    program: `${lib}/node`,
    args: [
      ...[`${lib}/component-exec.mjs`, JSON.stringify(NODE_AGENT)],
      ...[`${lib}/node`, ...SMALL_PROCESS, `--import=${lib}/trim-when-quiet.mjs`],
      `${lib}/supervisor.mjs`,
    ],
    env: { PODVISOR_HOME: home, ...LEAN_MALLOC },
  };
}

/** What root runs before it: the supervisor may not do this itself. It writes a line for each thing that did not work. */
export function prepareCommand({ lib }: Pick<InstancePaths, 'lib'>): readonly [string, ...string[]] {
  return [`${lib}/node`, `${lib}/prepare-machine.mjs`];
}
