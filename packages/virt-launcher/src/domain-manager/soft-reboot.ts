import type { VirtualMachineInstance } from '@podvisor/api';
import { ERROR_CODE, isLibvirtError, POWER_FLAG } from '@podvisor/libvirt';
import { explain, LauncherError } from '../launcher-error.ts';
import { type DomainContext, requireDomain } from './context.ts';

/** The one way to ask this guest, by KubeVirt's rule; undefined: there is none. Pure. */
export function wayToReboot(
  agentConnected: boolean,
  vmi: VirtualMachineInstance | undefined,
): 'guestAgent' | 'acpi' | undefined {
  if (agentConnected) return 'guestAgent';
  return vmi?.spec.domain.features?.acpi?.enabled === false ? undefined : 'acpi';
}

/**
 * Asks the guest to reboot: through the agent where it is connected, else by the power button. Never by both: an
 * agent that took the request says nothing, and a guest that is busy reboots later than libvirt waits; a button pressed
 * then would reboot it once more, or switch off a guest that takes it for what it is.
 */
export function softReboot(
  context: Pick<DomainContext, 'mutex' | 'observer' | 'runState' | 'log' | 'session' | 'domainName'>,
): Promise<void> {
  return context.mutex.run(async () => {
    const { connection, domain } = await requireDomain(context, 'reboot');
    const { known } = context.observer;
    const agentConnected = known.kind === 'present' && known.state.agentConnected;
    const way = wayToReboot(agentConnected, context.runState.startedAs);
    if (way === undefined)
      throw new LauncherError('VMI neither have the agent connected nor the ACPI feature enabled');
    try {
      await connection.reboot(domain, POWER_FLAG[way]);
    } catch (error) {
      if (!isLibvirtError(error, ERROR_CODE.agentUnresponsive))
        throw explain('the guest could not be asked to reboot', error);
      context.log.info({ error }, 'the agent did not confirm the reboot');
    }
  });
}
