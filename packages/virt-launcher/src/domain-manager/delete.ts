import { ERROR_CODE, isLibvirtError, UNDEFINE_FLAG } from '@podvisor/libvirt';
import { isActive, stateName } from '../domain/domain-state.ts';
import { explain, LauncherError } from '../launcher-error.ts';
import type { DomainContext } from './context.ts';

/** Removes the definition of a domain that is off. Nothing to remove is success. */
export function deleteDomain(context: DomainContext): Promise<void> {
  return context.mutex.run(async () => {
    const { connection } = context.session;
    const domain = await connection.lookupByName(context.domainName);
    if (domain === undefined) return;
    if (isActive(stateName(await connection.state(domain))))
      throw new LauncherError(
        'cannot delete the virtual machine: it is still running; shut it down or kill it first',
      );
    try {
      await connection.undefine(domain, UNDEFINE_FLAG.keepNvram | UNDEFINE_FLAG.checkpointsMetadata);
    } catch (error) {
      if (!isLibvirtError(error, ERROR_CODE.noDomain))
        throw explain('the definition of the virtual machine could not be removed', error);
    }
    await context.observer.refresh();
  });
}
