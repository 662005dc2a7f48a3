/**
 * A directory as a layer: the same files give the same bytes, wherever and whenever they were made. Times are all the
 * same and do not follow the commit, so a layer whose files did not change is the same layer in the next version.
 */
import { readdirSync } from 'node:fs';
import { run } from '@podvisor/sys';

const TAR_TIMEOUT_MS = 600_000;

/** One second after zero: some programs take a file of time zero for one without a time. */
export const LAYER_TIME_SECONDS = 1;

/** Owned by root, without setuid or setgid programs. */
export async function tarLayer(directory: string, archive: string): Promise<void> {
  const members = readdirSync(directory).toSorted();
  await run(
    'tar',
    [
      ...['--create', '--file', archive, '--directory', directory, '--format=gnu', '--sort=name'],
      ...[`--mtime=@${LAYER_TIME_SECONDS}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=ug-s'],
      ...['--', ...members],
    ],
    { timeoutMs: TAR_TIMEOUT_MS, env: { LC_ALL: 'C' } },
  );
}
