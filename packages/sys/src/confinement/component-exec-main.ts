/**
 * `component-exec CONFINEMENT-AS-JSON PROGRAM ARGS…`: becomes the program, with the user, capabilities, system
 * calls and root directory that it is given, and no way back. Whatever this kernel does not have is said on
 * stderr and left out: a home starts also there, and `podvisor doctor` tells.
 */
import { keepOnly } from './capabilities.ts';
import type { Confinement } from './confinement.ts';
import { setNoNewPrivileges } from './confine.ts';
import { setDaemonFilter } from './daemon-filter.ts';
import { enterView } from './root-view.ts';

const [json = '{}', program = '', ...args] = process.argv.slice(2);
// Our own parent wrote it.
const { user, capabilities, view, noNewPrivileges, filtered } = JSON.parse(json) as Confinement;

function attempt(what: string, action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(
      JSON.stringify({ level: 40, msg: `goes on without ${what}`, reason, program: args[0] ?? program }),
    );
    return false;
  }
}

const seesItsOwn =
  view === undefined || attempt('a root directory of its own', () => enterView(view.shown, view.stage));
// Only root finds the way through a home that is root's alone; then without anything else that root has.
const kept = seesItsOwn ? capabilities : [...capabilities, 'DAC_OVERRIDE' as const];
attempt('a bounded set of capabilities', () => keepOnly(kept));
if (user !== undefined && seesItsOwn) {
  process.setgroups?.([]);
  process.setgid?.(user);
  process.setuid?.(user);
}
if (noNewPrivileges) attempt('no_new_privs', setNoNewPrivileges);
if (filtered) attempt('a filter of system calls', setDaemonFilter);
process.execve?.(program, [program, ...args], process.env);
