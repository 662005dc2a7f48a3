import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command, CommanderError } from 'commander';
import { buildPodvisor } from '../podvisor/supervisor/program.ts';
import { buildProgram } from '../program.ts';
import { testShell } from '../testing/test-shell.ts';
import { withElsewhere } from './elsewhere.ts';

/** The first line of it. */
const hintOf = async (program: Command, ...words: readonly string[]): Promise<string> =>
  (await answered(program, ...words)).split('\n')[0] ?? '';

/** What is written when these words are wrong. */
async function answered(program: Command, ...words: readonly string[]): Promise<string> {
  let text = '';
  const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(program))
    command.exitOverride().configureOutput({ writeErr: (part) => void (text += part) });
  await assert.rejects(program.parseAsync([...words], { from: 'user' }), CommanderError);
  return text;
}

test('a wrong word is answered with what is wrong, and one line of usage', async () => {
  assert.equal(
    await answered(buildPodvisor('/'), 'up', '--nodes', 'x'),
    "error: option '--nodes <n>' argument 'x' is invalid. expected a whole number\nUsage: podvisor up [options] [manifest]\nMore: podvisor up --help\n",
  );
  assert.equal(
    await answered(buildPodvisor('/'), 'upp'),
    "error: unknown command 'upp'\n(Did you mean up?)\nUsage: podvisor [options] [command]\nMore: podvisor --help\n",
  );
  assert.equal(
    await answered(buildPodvisor('/'), 'user', 'add', 'anna'),
    "error: required option '-n, --namespace <name>' not specified\nUsage: podvisor user add [options] <name>\nMore: podvisor user add --help\n",
  );
  assert.equal(
    await answered(buildProgram(testShell()), 'start'),
    "error: missing required argument 'vm'\nUsage: virtctl start [options] <vm>\nMore: virtctl start --help\n",
  );
});

test('a word that another program has is answered with which one, not with the nearest word', async () => {
  const podvisor = (...words: readonly string[]) => hintOf(buildPodvisor('/'), ...words);
  const virtctl = (...words: readonly string[]) => hintOf(buildProgram(testShell()), ...words);
  assert.match(
    await podvisor('start', 'hello'),
    /'start': it is a command of virtctl: virtctl start --help$/,
  );
  assert.match(await podvisor('stop'), /'stop': podvisor down ends the home .*, virtctl stop VM ends one$/);
  assert.match(await podvisor('node', 'add', 'x'), /'add': podvisor up --nodes N/);
  assert.match(await virtctl('delete', 'web'), /'delete': kubectl does that: kubectl delete vm …$/);
  assert.match(await virtctl('list'), /kubectl get vm,vmi -A/);
  assert.match(await virtctl('run', 'debian'), /podvisor run --help$/);
  assert.equal(await virtctl('strat'), "error: unknown command 'strat'");
});

test('no command that there is stands among the words of other programs', () => {
  const program = (name: string, built: Command): readonly string[] =>
    built.commands
      .map((command) => command.name())
      .filter((word) => !withElsewhere(`error: unknown command '${word}'\n`, name).endsWith(`'${word}'\n`));
  assert.deepEqual(program('podvisor', buildPodvisor('/')), []);
  assert.deepEqual(program('virtctl', buildProgram(testShell())), []);
});
