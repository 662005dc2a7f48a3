/** A row of a table in docs/, typed as it stands into a shell that has the checkout as its directory. */
import { readFileSync, rmSync } from 'node:fs';
import { layOut } from './checkout.ts';
import { command, type Instance, root } from './instance.ts';
import { rowCommands } from './page.ts';

const WAITS_FOR_PEOPLE = / -f\b|console|--fix|POD/;
const LIMIT_MS = 300_000;

/** `vm`: the VM that the pages call web or NAME. Answers what was printed; throws where a command fails. */
export async function typeRow(instance: Instance, page: string, task: string, vm: string): Promise<string> {
  const text = readFileSync(`${root}/docs/${page}`, 'utf8');
  const commands = rowCommands(text, task).filter((one) => !WAITS_FOR_PEOPLE.test(one));
  if (commands.length === 0) throw new Error(`${page} has no commands for "${task}"`);
  const place = `${instance.home}-checkout`;
  layOut(place, instance);
  try {
    const script = commands.join('\n').replaceAll(/\b(web|NAME)\b/g, vm);
    const typed = `cd ${place}; qemu-img create -q -f qcow2 disk.qcow2 8M\n${script}`;
    const env = { ...instance.env, PATH: `${place}/bin:${place}:${instance.env['PATH']}` };
    const run = ['-eu', '-o', 'pipefail', '-c', typed];
    const { code, stdout, stderr } = await command('bash', run, env, LIMIT_MS);
    if (code !== 0) throw new Error(`${page}: ${task}\n${script}\n${stdout}${stderr}`);
    return stdout;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
