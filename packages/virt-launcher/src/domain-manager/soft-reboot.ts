import { POWER_FLAG } from '@podvisor/libvirt';
import { explain } from '../launcher-error.ts';
import { type DomainContext, requireDomain } from './context.ts';

/** Asks the guest to reboot: through the agent, and through ACPI when that fails. */
export function softReboot(context: DomainContext): Promise<void> {
  return context.mutex.run(async () => {
    const { connection, domain } = await requireDomain(context, 'reboot');
    try {
      await connection.reboot(domain, POWER_FLAG.guestAgent);
    } catch (agentError) {
      context.log.info({ error: agentError }, 'soft reboot goes through ACPI');
      await connection.reboot(domain, POWER_FLAG.acpi).catch((error: unknown) => {
        throw explain('the guest could not be asked to reboot', error);
      });
    }
  });
}
