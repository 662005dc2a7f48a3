/**
 * What each further node costs: memory of a home with one node and of one with more, none of which has a guest, when
 * their processes have given back what the start took. Shared pages are counted once (PSS), so that both homes never
 * run at the same time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Instance } from '../test/support/instance.ts';
import { HomeProcesses } from './home-processes.ts';
import { note } from './targets.ts';

/** Two looks of a process at itself, and some. */
const SETTLE_MS = 30_000;

export async function benchNodes(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { nodes: { type: 'string', default: '3' } } });
  const nodes = Number(values.nodes);
  if (!(nodes > 1)) throw new Error(`--nodes must be 2 or more, not ${values.nodes}`);
  const [one, many] = [await idleMiB(1), await idleMiB(nodes)];
  const each = (many - one) / (nodes - 1);
  note('furtherNode', each);
  console.log(`each further node: ${each.toFixed(1)} MiB (target ≤ 40)`);
}

/** PSS of all processes of a home without guests. */
async function idleMiB(nodes: number): Promise<number> {
  const instance = await Instance.prepare();
  try {
    const { code, stdout, stderr } = await instance.up('--nodes', String(nodes));
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    await delay(SETTLE_MS);
    const memory = new HomeProcesses(instance.home).memory();
    const sum = [...memory.values()].reduce((total, { pss }) => total + pss, 0);
    const parts = [...memory].map(([name, { pss }]) => `${name} ${pss.toFixed(0)}`).join(', ');
    console.log(`${nodes} node${nodes === 1 ? '' : 's'}: ${sum.toFixed(0)} MiB (${parts})`);
    return sum;
  } finally {
    await instance.purge();
  }
}
