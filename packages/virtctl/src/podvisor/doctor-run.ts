/** Whether the users of containers get to their root directories, which are below /run. */
import { statSync } from 'node:fs';
import type { Check } from './doctor/doctor.ts';

const DIRECTORY = '/run';
const SEARCH_BY_OTHERS = 0o001;

export function runDirectoryCheck(): Check {
  return runDirectoryOf(statSync(DIRECTORY).mode);
}

/** Pure. Without it no launcher starts: runc says "error preparing rootfs … permission denied". */
export function runDirectoryOf(mode: number): Check {
  const what = 'run directory';
  if ((mode & SEARCH_BY_OTHERS) !== 0)
    return { level: 'PASS', what, found: `${DIRECTORY} lets the users of containers through` };
  return {
    level: 'FAIL',
    what,
    found: `${DIRECTORY} has mode ${(mode & 0o777).toString(8)}: no container with users of its own can start`,
    fix: `chmod 755 ${DIRECTORY}`,
  };
}
