/** Another version of all programs: the same ones with another last line, in a checkout of their own. */
import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './instance.ts';

const PROGRAMS = [
  'control-plane',
  'node-agent',
  'virt-api',
  'virt-controller',
  'virt-handler',
  'virt-launcher',
];

/** Made below `directory`; a home is brought to it by `upFrom`. */
export function nextPrograms(directory: string): string {
  const next = join(directory, 'next');
  mkdirSync(next);
  cpSync(join(root, 'dist'), join(next, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'images', 'package.json'])
    symlinkSync(join(root, name), join(next, name));
  for (const program of PROGRAMS)
    appendFileSync(join(next, `dist/${program}.mjs`), '\n// the next version\n');
  return next;
}
