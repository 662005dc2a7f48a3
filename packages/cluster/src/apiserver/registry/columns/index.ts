/** How built-in kinds are shown in Tables, by `group/plural`; name and creation time unless given. */
import type { Printer } from '../definition.ts';
import { plainPrinter } from './plain.ts';

const PRINTERS: Readonly<Record<string, Printer>> = {};

export function printerOf(group: string, plural: string): Printer {
  return PRINTERS[`${group}/${plural}`] ?? plainPrinter;
}
