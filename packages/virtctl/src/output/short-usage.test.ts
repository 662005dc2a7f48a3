import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command, CommanderError } from 'commander';
import { buildPodvisor } from '../podvisor/supervisor/program.ts';
import { buildProgram } from '../program.ts';
import { testShell } from '../testing/test-shell.ts';

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
