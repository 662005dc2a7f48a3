/**
 * Removes a tree that a tenant filled. A container makes directories one in the other from where it stands, as deep as
 * it likes; Node removes by path, and the kernel takes none beyond 4,096 bytes: such a tree would stay for ever, and its
 * Pod with it. rm(1) goes by handles of directories.
 */
import { rm } from 'node:fs/promises';
import { run } from '../processes/run.ts';

const TIMEOUT_MS = 600_000;

/** What is not there is fine. Links are removed, not followed. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENAMETOOLONG')) throw error;
    await run('rm', ['--recursive', '--force', '--one-file-system', '--', path], { timeoutMs: TIMEOUT_MS });
  }
}
