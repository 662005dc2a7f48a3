import { ERROR_CODE, isLibvirtError } from '@podvisor/libvirt';
import { explain } from '../launcher-error.ts';
import type { DomainContext } from './context.ts';

/** Ends QEMU; resolves when the process is gone. Does not wait for a start or sync under way: it ends that too. */
export async function kill(context: DomainContext): Promise<void> {
  const { connection } = context.session;
  const domain = await connection.lookupByName(context.domainName);
  if (domain === undefined) return;
  try {
    await connection.destroy(domain);
  } catch (error) {
    if (!isLibvirtError(error, ERROR_CODE.operationInvalid) && !isLibvirtError(error, ERROR_CODE.noDomain))
      throw explain('QEMU could not be ended', error);
  }
  await context.observer.refresh();
}
