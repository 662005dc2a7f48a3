/** The memory and the devices of a guest, out of its QEMU: to libvirt a migration whose other end is a file. */
import type { DomainRef } from '@podvisor/libvirt';
import type { DomainContext } from '../domain-manager/context.ts';
import { LauncherError } from '../launcher-error.ts';
import { text } from '../migration/plan.ts';
import { receiveAt } from './receive.ts';
import type { SaveLimit } from './save-limit.ts';
import { targetCookie } from './target-cookie.ts';

/**
 * Has QEMU send all of the guest to `write`, for as long as `limit` allows. `cookie`: of libvirt's first step. When it
 * resolves the guest stands still, and libvirt waits for its last step.
 */
export async function streamGuest(
  { session, stateSocket }: Pick<DomainContext, 'session' | 'stateSocket'>,
  domain: DomainRef,
  { cookie, flags, limit }: { readonly cookie: Buffer; readonly flags: number; readonly limit: SaveLimit },
  write: (memory: AsyncIterable<Buffer>) => Promise<number>,
): Promise<number> {
  const { connection } = session;
  await using receiver = await receiveAt(stateSocket);
  const written = limit.during(write(limit.watch(receiver.memory())));
  const performed = connection.migration.perform(domain, {
    params: [text('migrate_uri', `unix://${receiver.path}`)],
    cookie: targetCookie(cookie),
    flags,
  });
  // A file that cannot be written ends QEMU's stream; QEMU that does not send ends the file.
  written.catch(() => {
    connection.migration.abortJob(domain).catch(() => {});
    void receiver[Symbol.asyncDispose]();
  });
  performed.catch(() => void receiver[Symbol.asyncDispose]());
  const [wrote, sent] = await Promise.allSettled([written, performed]);
  if (wrote.status === 'rejected') throw explainWrite(wrote.reason, sent);
  if (sent.status === 'rejected') throw sent.reason;
  return wrote.value;
}

/** Whichever of the two came first is the cause. */
function explainWrite(error: unknown, sent: PromiseSettledResult<unknown>): unknown {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return new LauncherError('the claim has no room for the memory of the guest', { cause: error });
  if (error instanceof LauncherError) return error; // QEMU was told to stop because of it
  return sent.status === 'rejected' && (error as NodeJS.ErrnoException).code === undefined
    ? sent.reason
    : error;
}
