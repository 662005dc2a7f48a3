/**
 * Loaded into a program before it starts (`node --import`): at the fail point P it does what the file
 * `DIR/<program>/P` says: `kill` or `stall MILLISECONDS`. The file is removed when it is taken, so it happens once;
 * a launcher and virt-controller see the directory read-only and do it each time. DIR is beside this file.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = basename(process.argv[1] ?? '', '.mjs');
const directory = join(dirname(fileURLToPath(import.meta.url)), 'fail-points', program);
if (['virt-controller', 'virt-handler', 'virt-launcher'].includes(program))
  globalThis[Symbol.for('podvisor.fail-points')] = async (point) => {
    const action = take(point);
    if (action === undefined) return;
    const [kind, ms] = action.trim().split(' ');
    if (kind === 'stall') return new Promise((resolve) => setTimeout(resolve, Number(ms)));
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => undefined);
  };

function take(point) {
  let action;
  try {
    action = readFileSync(join(directory, point), 'utf8');
  } catch {
    return undefined;
  }
  try {
    rmSync(join(directory, point));
    mkdirSync(`${directory}.done`, { recursive: true });
    writeFileSync(join(`${directory}.done`, point), action);
  } catch {
    // Read-only, in a launcher's Pod and for virt-controller.
  }
  return action;
}
