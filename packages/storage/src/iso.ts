/** ISO 9660 images made by xorriso. An image appears under its name only when it is complete. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeOnce, run } from '@podvisor/sys';
import type { IsoFile } from './cloud-init/data.ts';

const TIMEOUT_MS = 10_000;

export interface IsoOptions {
  /** Volume label by which the guest finds it. */
  readonly label: string;
  readonly signal?: AbortSignal;
}

/** Builds an ISO with these files. One that exists is kept: a running guest may have it open. */
export async function buildIso(path: string, files: readonly IsoFile[], options: IsoOptions): Promise<void> {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const scratch = mkdtempSync(`${path}.`);
  try {
    const tree = join(scratch, 'tree');
    mkdirSync(tree);
    for (const file of files) {
      mkdirSync(dirname(join(tree, file.name)), { recursive: true });
      writeFileSync(join(tree, file.name), file.content, { mode: 0o600 });
    }
    await buildIsoFromDirectory(path, tree, options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Builds an ISO of a directory's contents (links are followed: a mounted secret is made of them). */
export async function buildIsoFromDirectory(
  path: string,
  directory: string,
  options: IsoOptions,
): Promise<void> {
  await makeOnce(path, (partial) =>
    run(
      'xorriso',
      [
        ...['-as', 'mkisofs', '-quiet', '-follow-links', '-m', '..*', '-joliet', '-rock'],
        ...['-partition_cyl_align', 'on', '-volid', options.label, '-output', partial, directory],
      ],
      { timeoutMs: TIMEOUT_MS, ...(options.signal === undefined ? {} : { signal: options.signal }) },
    ),
  );
}
