/** Makes the domain be what the VMI says. Idempotent; syncs that meet wait for each other. */
import type { SyncOptions, VirtualMachineInstance } from '@podvisor/api';
import { isActive, lifeState, stateReason } from '../domain-state.ts';
import { explain, LauncherError } from '../launcher-error.ts';
import type { DomainContext } from './context.ts';
import { planSync } from './plan-sync.ts';
import { startDomain } from './start-domain.ts';
import { missingDisks } from './unsupported-changes.ts';

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
        domain: state === undefined ? undefined : { state: lifeState(state), reason: stateReason(state) },
        started: context.life.started,
        terminating: context.life.terminating,
        userPaused: context.life.userPaused,
      });
      switch (action.kind) {
        case 'refuse':
          throw new LauncherError(action.why);
        case 'start':
          return startDomain(context, vmi, options);
        case 'resume':
          if (domain !== undefined) await connection.resume(domain);
          return;
        case 'none':
          return refuseHotplug(context, vmi);
      }
    })
    .catch((error: unknown) => {
      throw explain('the virtual machine could not be brought into its declared state', error);
    });
}

function refuseHotplug({ observer }: DomainContext, vmi: VirtualMachineInstance): void {
  const { known } = observer;
  if (known.kind !== 'present' || !isActive(known.state.state)) return;
  const missing = missingDisks(vmi, known.state.diskTargets);
  if (missing.length > 0)
    throw new LauncherError(
      `disks cannot be added to a running virtual machine yet: ${missing.join(', ')}; they are there after a restart`,
    );
}
