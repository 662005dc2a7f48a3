/**
 * Files of unit tests that share a process. Most of the time of a unit test's process goes into loading the modules of
 * its package; files of one package load the same ones, so together they take a tenth of the time. Each file becomes a
 * suite of its own, so that hooks at its top level are its own. Such files may not leave anything behind in the process
 * (environment, working directory, global settings, timers): the next file would find it.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many files share a process at most: a bound on memory, and work for a second lane. */
const MOST = 40;

/**
 * Files by package (or other folder), cut where a package has too many. What takes longest comes first, so that no lane
 * waits for the other at the end: `scripts`, where promtool tries each alert, then by the number of files.
 */
export function batchesOf(files: readonly string[]): readonly (readonly string[])[] {
  const byPackage = Map.groupBy(files, (file) => file.split('/').slice(0, 2).join('/'));
  return [...byPackage.values()]
    .flatMap((own) => {
      const pieces = Math.ceil(own.length / MOST);
      const size = Math.ceil(own.length / pieces);
      return Array.from({ length: pieces }, (_, i) => own.slice(i * size, (i + 1) * size));
    })
    .toSorted((a, b) => lengthOf(b) - lengthOf(a));
}

function lengthOf(batch: readonly string[]): number {
  return batch[0]?.startsWith('scripts/') === true ? Infinity : batch.length;
}

/** Writes one program for each batch into `dir`, anew. Returns their paths with the files that each runs. */
export function writeBatches(
  root: string,
  dir: string,
  batches: readonly (readonly string[])[],
): ReadonlyMap<string, readonly string[]> {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  return new Map(
    batches.map((files, i) => {
      const path = join(dir, `${i}.test.ts`);
      writeFileSync(path, programOf(root, files));
      return [path, files];
    }),
  );
}

function programOf(root: string, files: readonly string[]): string {
  const suites = files.map(
    (file) =>
      `describe(${JSON.stringify(file)}, async () => { await import(${JSON.stringify(join(root, file))}); });`,
  );
  return ["import { describe } from 'node:test';", ...suites, ''].join('\n');
}
