/**
 * Everything that `./podvisor` says about itself, as one file (docs/podvisor.txt): the front door reads help, version
 * and completion scripts from it, before anything is installed or built. `@ WORDS` begins what answers to WORDS. Pure;
 * a test keeps the file in step.
 */
import type { Command } from 'commander';
import { completionScript, SHELLS } from '../completion/scripts.ts';

const WIDTH = 110;

export function helpText(program: Command): string {
  const parts = [
    ['--version', `${program.version()}\n`],
    ...helpOf(program, ''),
    ...SHELLS.map((shell) => [`completion ${shell}`, completionScript(program.name(), shell)]),
  ];
  return parts.map(([words, text]) => `@ ${words}\n${text}`).join('');
}

function helpOf(command: Command, before: string): readonly (readonly string[])[] {
  command.configureOutput({ getOutHelpWidth: () => WIDTH, getOutHasColors: () => false });
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return [
    [`${before} --help`.trim(), text],
    ...command.commands
      .filter(isForPeople)
      .flatMap((child) => helpOf(child, `${before} ${child.name()}`.trim())),
  ];
}

/** Not what only completion scripts ask. */
function isForPeople(command: Command): boolean {
  return !command.name().startsWith('_');
}
