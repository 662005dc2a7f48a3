import { rfc3339 } from '@podvisor/base';
import { ERROR_CODE, isLibvirtError, POWER_FLAG } from '@podvisor/libvirt';
import { explain } from '../launcher-error.ts';
import type { DomainContext } from './context.ts';

/** How long the agent may take to say that it heard us. */
const AGENT_TIMEOUT_SECONDS = 2;

/**
 * Asks the guest to shut down: the ACPI power button, and the agent where it is connected, because a
 * guest may listen to one of them only. Asking again is allowed; success means asked, not done.
 */
export async function shutdown(context: DomainContext): Promise<void> {
  const { connection } = context.session;
  const domain = await connection.lookupByName(context.domainName);
  if (domain === undefined) return;
  context.runState.shutdownRequestedAt ??= rfc3339(context.clock.now());
  // A guest that stands still hears nothing.
  context.runState.memorySnapshot?.giveUp();
  const { known } = context.observer;
  if (known.kind === 'present' && known.state.agentConnected) {
    // `guest-shutdown` answers only when it fails, so its answer is not waited for.
    connection.guest
      .agentCommand(
        domain,
        '{"execute":"guest-shutdown","arguments":{"mode":"powerdown"}}',
        AGENT_TIMEOUT_SECONDS,
      )
      .catch((error: unknown) => context.log.info({ error }, 'the agent did not confirm the shutdown'));
  }
  try {
    await connection.shutdown(domain, POWER_FLAG.acpi);
  } catch (error) {
    // It is off already: what was asked for.
    if (!isLibvirtError(error, ERROR_CODE.operationInvalid))
      throw explain('the guest could not be asked to shut down', error);
  }
  await context.observer.refresh();
}
