/**
 * `podvisor doctor --fix`: does what its own advice says, where that is a command that changes this machine and nothing
 * of the user's: packages that are missing, kernel modules, modes of the home. The rest stays advice.
 */
import { messageOf } from '@podvisor/base';
import { instancePaths, run } from '@podvisor/sys';
import { type Check, diagnose } from './doctor.ts';
import { homeOf } from '../home/home-access.ts';
import { mendHomeModes } from '../home/home-modes.ts';

const INSTALL_MS = 900_000;

/** Commands for the checks that did not pass, each once; packages go together. Pure. */
export function repairsOf(checks: readonly Check[]): readonly (readonly string[])[] {
  const advice = checks.flatMap(({ level, fix }) => (level === 'PASS' || fix === undefined ? [] : [fix]));
  const wordsAfter = (start: string): readonly string[] => [
    ...new Set(
      advice.flatMap((fix) => {
        const rest = new RegExp(`^${start} ([a-z0-9.+_ -]+)$`).exec(fix)?.[1];
        return rest === undefined ? [] : rest.split(' ');
      }),
    ),
  ];
  const packages = wordsAfter('apt-get install');
  return [
    ...(packages.length === 0
      ? []
      : [
          ['apt-get', 'update', '-q'],
          ['apt-get', 'install', '-q', '-y', '--no-install-recommends', ...packages],
        ]),
    ...wordsAfter('modprobe').map((module) => ['modprobe', module]),
  ];
}

/** Says each step before it is done; a step that fails does not keep the others from being tried. */
export async function fixMachine(home: string): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error('podvisor doctor --fix needs root: sudo ./podvisor doctor --fix');
  for (const [tool = '', ...args] of repairsOf(diagnose(home))) {
    console.log(`fix: ${tool} ${args.join(' ')}`);
    await run(tool, args, {
      timeoutMs: INSTALL_MS,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).catch((error: unknown) => console.log(`     did not work: ${messageOf(error)}`));
  }
  if (homeOf(home) === 'present') {
    const mended = mendHomeModes(instancePaths(home));
    if (mended !== undefined) console.log(`fix: ${mended}`);
  }
}
