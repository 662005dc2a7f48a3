/**
 * `confined-exec LIMITS-AS-JSON TOOL ARGS…`: becomes the tool, with limits on memory, processor time, file
 * size and open files, without the right to gain privileges, and without sockets or ways to look into other
 * processes (seccomp). For tools that read bytes of strangers. A program of its own, because a filter cannot
 * be taken off again.
 */
import { setNoNewPrivileges, setToolFilter } from './confine.ts';
import type { ConfinementLimits } from './confined.ts';

/** Sets the limits and becomes the tool: Node itself could not live within them. */
const PRLIMIT = '/usr/bin/prlimit';

const [json = '{}', ...tool] = process.argv.slice(2);
const { addressSpaceBytes, fileSizeBytes, processorSeconds } = JSON.parse(json) as ConfinementLimits;
const limits = [
  '--core=0',
  '--nofile=64',
  `--as=${addressSpaceBytes}`,
  `--fsize=${fileSizeBytes}`,
  `--cpu=${processorSeconds}`,
];

setNoNewPrivileges();
setToolFilter();
process.execve?.(PRLIMIT, [PRLIMIT, ...limits, '--', ...tool], {
  PATH: '/usr/bin:/bin',
  LC_ALL: 'C',
  MALLOC_ARENA_MAX: '1',
});
