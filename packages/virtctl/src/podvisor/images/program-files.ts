/** The files of an image that are ours: bundles, scripts, the native module, licences, the list of packages. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entriesBelow } from '@podvisor/sys';
import { POD_LIB, POD_PROGRAMS } from '../home/pod-programs.ts';
import type { ImageRecipe } from './recipes.ts';
import type { NpmPackage } from './spdx.ts';

/** Reached at run time, not bundled: a native module and its JavaScript. */
export const NATIVE_MODULES: readonly string[] = ['koffi', '@koromix/koffi-linux-x64'];
/** What of them runs: their JavaScript and the library for this C library. */
const RUNTIME_FILES = /^(?:package\.json|(?:(?:lib|src)\/.*|in[^/]*)\.c?js|linux_x64\/koffi\.node)$/;

export const DOCUMENTATION = '/usr/share/doc/podvisor';

/** Where the list of packages is in an image. */
export function spdxPath(image: string): string {
  return `${DOCUMENTATION}/${image}.spdx.json`;
}

export interface ProgramFiles {
  /** The checkout. */
  readonly root: string;
  readonly image: ImageRecipe;
  readonly npm: readonly NpmPackage[];
  readonly spdx: string;
}

/** Writes them below `directory`, which is empty. */
export function writeProgramFiles(directory: string, { root, image, npm, spdx }: ProgramFiles): void {
  const lib = join(directory, POD_LIB);
  mkdirSync(lib, { recursive: true });
  const dist = join(root, 'dist');
  for (const file of image.bundles.flatMap((bundle) => filesOf(bundle, readdirSync(dist))))
    place(join(dist, file), join(lib, file));
  for (const binary of image.binaries ?? []) place(join(root, 'dist', binary), join(lib, binary), 0o755);
  for (const script of image.scripts) {
    writeFileSync(join(lib, script), POD_PROGRAMS[script]);
    chmodSync(join(lib, script), 0o755);
  }
  const names = npm.map(({ name }) => name);
  for (const name of NATIVE_MODULES.filter((module) => names.includes(module)))
    copyModule(join(root, 'node_modules', name), join(lib, 'node_modules', name));
  const documentation = join(directory, DOCUMENTATION);
  place(join(root, 'LICENSE'), join(documentation, 'LICENSE'));
  for (const name of names) copyLicences(join(root, 'node_modules', name), join(documentation, 'npm', name));
  writeFileSync(join(directory, spdxPath(image.name)), spdx);
}

/** A program and what it loads only when it needs it (scripts/build.ts). Pure. */
export function filesOf(bundle: string, files: readonly string[]): readonly string[] {
  return files.filter((file) => file.startsWith(`${bundle}.`) && file.endsWith('.mjs'));
}

/** The layer that all images begin with. */
export function writeNode(directory: string, node: string): void {
  place(node, join(directory, POD_LIB, 'node'), 0o755);
}

function copyModule(from: string, to: string): void {
  for (const entry of entriesBelow(from)) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1);
    if (entry.isFile() && RUNTIME_FILES.test(path)) place(join(from, path), join(to, path));
  }
}

function copyLicences(from: string, to: string): void {
  if (!existsSync(from)) return;
  for (const file of readdirSync(from).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name)))
    place(join(from, file), join(to, file));
}

function place(from: string, to: string, mode = 0o644): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}
