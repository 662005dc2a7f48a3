/**
 * Who may read a home: root alone. The home and its folders of secrets are 0700, files with secrets 0600.
 * A home of an older version is mended at the next `up`.
 */
import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { entriesBelow, type InstancePaths } from '@podvisor/sys';

/** A file or folder that others may read. */
export interface OpenMode {
  readonly path: string;
  readonly mode: number;
}

/** Certificates and public keys are no secrets; lines of these files are told to anybody who connects. */
const PUBLIC_FILE = /\.(crt|pub)$/;
const OTHERS = 0o077;
const READ_AND_WRITE = 0o066;

/** What of the home others than its owner may read or search. Programs, images and volumes are behind the home's own mode. */
export function openModes(
  paths: Pick<InstancePaths, 'home' | 'pki' | 'logs' | 'run' | 'controlPlane'>,
): readonly OpenMode[] {
  return [
    paths.home,
    ...filesIn(paths.home),
    ...[paths.pki, paths.logs, paths.run, paths.controlPlane].flatMap((folder) => [
      folder,
      ...treeOf(folder),
    ]),
  ].flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isSymbolicLink() || PUBLIC_FILE.test(path)) return [];
    // Whoever cannot come through the home comes nowhere: folders within may be passed, if not read.
    const forbidden = path !== paths.home && stats.isDirectory() ? READ_AND_WRITE : OTHERS;
    return (stats.mode & forbidden) === 0 ? [] : [{ path, mode: stats.mode & 0o7777 }];
  });
}

/** Takes from others what `openModes` found; returns a line for people, or undefined when all was well. */
export function mendHomeModes(paths: InstancePaths): string | undefined {
  const open = openModes(paths);
  for (const { path, mode } of open) chmodSync(path, mode & ~OTHERS);
  const [first] = open;
  if (first === undefined) return undefined;
  const octal = (mode: number): string => `0${mode.toString(8)}`;
  const named = open
    .slice(0, 4)
    .map(
      ({ path, mode }) =>
        `${relative(paths.home, path) || paths.home} ${octal(mode)} → ${octal(mode & ~OTHERS)}`,
    );
  const more = open.length > named.length ? ` and ${open.length - named.length} more` : '';
  return `Other users of this machine could read parts of this home; mended: ${named.join(', ')}${more}`;
}

function filesIn(folder: string): string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries.flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []));
}

function treeOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return [...entriesBelow(folder)].map((entry) => join(entry.parentPath, entry.name));
}
