/** Backups of running guests: `backup` and `redefine-checkpoint`, which virt-controller asks for. Pure. */
import { isGateEnabled } from '@podvisor/api';
import { optionsOf } from './body.ts';
import { badRequest, conflict, type Decider, required, VMI_KIND } from './decision.ts';
import { isRunning } from './vm-state.ts';

const TRACKED = 'Enabled';

function forward(path: string): Decider {
  return ({ name, body }, { vmi: found, config }) => {
    if (!isGateEnabled(config, 'IncrementalBackup'))
      throw badRequest('Unable to back up: the feature gate IncrementalBackup is not enabled');
    const options = optionsOf(body);
    const vmi = required(found, VMI_KIND, name);
    if (!isRunning(vmi)) throw conflict(VMI_KIND, name, 'VMI is not running');
    if (vmi.status?.changedBlockTracking?.state !== TRACKED)
      throw conflict(VMI_KIND, name, 'changed blocks of the VMI are not tracked');
    return { kind: 'handler', method: 'PUT', vmi, path, body: options, dryRun: false };
  };
}

export const backUpVmi = forward('backup');
export const redefineCheckpoint = forward('redefine-checkpoint');
