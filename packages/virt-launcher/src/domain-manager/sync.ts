/** Makes the domain be what the VMI says. Idempotent; syncs that meet wait for each other. */
import type { SyncOptions, VirtualMachineInstance } from '@podvisor/api';
import { isActive, stateName, stateReason } from '../domain/domain-state.ts';
import { explain, LauncherError } from '../launcher-error.ts';
import type { DomainContext } from './context.ts';
import { growPluggedDisks } from './device-changes/grow-disks.ts';
import { planSync } from './plan-sync.ts';
import { startDomain } from './start-domain.ts';
import { updateDomain } from './update-domain.ts';

export function sync(
  context: DomainContext,
  vmi: VirtualMachineInstance,
  options: SyncOptions,
): Promise<void> {
  return context.mutex
    .run(async () => {
      const { connection } = context.session;
      const domain = await connection.lookupByName(context.domainName);
      const state = domain === undefined ? undefined : await connection.state(domain);
      const action = planSync({
        domain: state === undefined ? undefined : { state: stateName(state), reason: stateReason(state) },
        started: context.runState.started,
        terminating: context.runState.terminating,
        userPaused: context.runState.userPaused,
        isMigrating:
          context.outgoing.isActive || (context.runState.incoming !== undefined && domain === undefined),
        isHibernating:
          context.runState.hibernation?.phase === 'Saving' || context.runState.hibernation?.phase === 'Saved',
        isSnapshotting: context.runState.memorySnapshot?.isUnderWay === true,
      });
      switch (action.kind) {
        case 'refuse':
          throw new LauncherError(action.why);
        case 'follow-snapshot':
          context.runState.memorySnapshot?.follow(vmi);
          return;
        case 'start':
          await startDomain(context, vmi, options);
          return growPluggedDisks(context, vmi, options);
        case 'resume':
          await context.leases.verify();
          if (domain !== undefined) await connection.resume(domain);
          return;
        case 'none':
          if (domain !== undefined && state !== undefined && isActive(stateName(state)))
            await updateDomain(context, domain, vmi, options);
          return;
      }
    })
    .catch((error: unknown) => {
      throw explain('the virtual machine could not be brought into its declared state', error);
    });
}
