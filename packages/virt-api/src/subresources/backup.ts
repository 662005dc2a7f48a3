/** Backups of running guests: `backup` and `redefine-checkpoint`, which virt-controller asks for. Pure. */
import { optionsOf } from './body.ts';
import { conflict, type Decider, required, VMI_KIND } from './decision.ts';
import { isRunning, requireLauncher } from './vm-state.ts';

const TRACKED = 'Enabled';

export const backUpVmi: Decider = ({ name, body }, state) => {
  const options = optionsOf(body);
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, 'VM is not running');
  return { kind: 'handler', method: 'PUT', vmi, path: 'backup', body: options, dryRun: false };
};

export const redefineCheckpoint: Decider = ({ name, body }, state) => {
  const options = optionsOf(body);
  const vmi = required(state.vmi, VMI_KIND, name);
  if (vmi.status?.changedBlockTracking?.state !== TRACKED)
    throw conflict(VMI_KIND, name, 'ChangedBlockTracking is not enabled');
  requireLauncher(vmi);
  return { kind: 'handler', method: 'PUT', vmi, path: 'redefine-checkpoint', body: options, dryRun: false };
};
