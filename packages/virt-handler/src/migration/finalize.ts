import type { VirtualMachineInstance } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import type { GhostRecord } from '../ghost-records/record.ts';
import type { LauncherConnection } from '../launcher-client/connection.ts';
import { hasWaitingChange } from '../sync/hot-changes.ts';

/**
 * The guest came from another node and is ours: the launcher learns it. Resolves to the record of a VM for
 * whose migration nothing is left to be done.
 */
export async function finalizeOnTarget(
  vmi: VirtualMachineInstance,
  record: GhostRecord,
  connection: LauncherConnection,
  signal: AbortSignal,
): Promise<GhostRecord> {
  const { migrationUid: _, changeFailure: _old, ...done } = record;
  const failure = await connection.do('finalizeVirtualMachineMigration', vmi, signal).then(
    () => undefined,
    (error: unknown) => {
      // The guest runs here, whatever it did not get: that is told, and not tried again and again.
      if (!hasWaitingChange(vmi)) throw error;
      return messageOf(error);
    },
  );
  return {
    ...done,
    ...(failure === undefined ? {} : { changeFailure: failure }),
    // What was declared while the guest was on its way is told to the launcher now.
    syncedSpec: '',
  };
}
