/**
 * After a wrong word people want to see what was wrong: one line of usage follows it, not the page of help; of a word
 * that another program has, which one.
 */
import type { Command } from 'commander';
import { withElsewhere } from './elsewhere.ts';

/** For the program and everything below it; called when all commands are there. */
export function shortUsageAfterErrors(command: Command, before = ''): void {
  const path = `${before}${command.name()}`;
  command.configureOutput({ outputError: (text, write) => write(withElsewhere(text, path)) });
  command.showHelpAfterError(`Usage: ${path} ${command.usage()}\nMore: ${path} --help`);
  for (const below of command.commands) shortUsageAfterErrors(below, `${path} `);
}
