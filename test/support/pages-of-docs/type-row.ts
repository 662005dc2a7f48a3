/** A row of a table in docs/, typed as it stands into a shell that has the checkout as its directory. */
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { layOut } from '../checkout.ts';
import { command, type Instance, root } from '../instance.ts';
import { rowCommands } from './page.ts';

const WAITS_FOR_PEOPLE = / -f\b|console|vnc|--fix|POD/;
/** Commands that run until they are ended: they must go on for a while, and are ended as by Ctrl+C. */
const STAYS = /port-forward| ui$/;
const STAY_SECONDS = 5;
const LIMIT_MS = 300_000;

interface Options {
  /** The VM that the pages call web or NAME. */
  readonly vm: string;
  /** Files that the row speaks of, by the name that they have there. */
  readonly files?: Readonly<Record<string, string>>;
  /** Brings about what a command needs, where the commands of a row are not one after the other. */
  readonly before?: (command: string) => Promise<void>;
}

/** Answers what was printed; throws where a command fails. */
export async function typeRow(
  instance: Instance,
  page: string,
  task: string,
  { vm, files = {}, before }: Options,
): Promise<string> {
  const text = readFileSync(`${root}/docs/${page}`, 'utf8');
  const commands = rowCommands(text, task)
    .filter((one) => !WAITS_FOR_PEOPLE.test(one))
    .map((one) => one.replaceAll(/\b(web|NAME)\b/g, vm).replace('8080:', '0:'))
    .map((one) => (STAYS.test(one) ? `timeout -s INT ${STAY_SECONDS} ${one} || [ $? = 124 ]` : one));
  if (commands.length === 0) throw new Error(`${page} has no commands for "${task}"`);
  const place = `${instance.home}-checkout`;
  layOut(place, instance);
  // An editor that changes nothing.
  const env = { ...instance.env, EDITOR: 'true', PATH: `${place}/bin:${place}:${instance.env['PATH']}` };
  const type = async (script: string): Promise<string> => {
    const run = ['-eu', '-o', 'pipefail', '-c', `cd ${place}\n${script}`];
    const { code, stdout, stderr } = await command('bash', run, env, LIMIT_MS);
    if (code !== 0) throw new Error(`${page}: ${task}\n${script}\n${stdout}${stderr}`);
    return stdout;
  };
  try {
    await type('qemu-img create -q -f qcow2 disk.qcow2 8M');
    for (const [name, file] of Object.entries(files)) symlinkSync(file, `${place}/${name}`);
    if (before === undefined) return await type(commands.join('\n'));
    let printed = '';
    for (const one of commands) {
      await before(one);
      printed += await type(one);
    }
    return printed;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
