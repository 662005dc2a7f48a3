/** DataVolumes of a VM's templates in a restore: new ones for the new claims, and the old ones go. */
import type {
  VirtualMachine,
  VirtualMachineRestore,
  VirtualMachineSnapshotContent,
  VolumeRestore,
} from '@podvisor/api';
import { deepEqual, isStatus, messageOf } from '@podvisor/base';
import { dataVolumes, vmRestores } from '../../resources.ts';
import type { RestoreControllerOptions } from './controller.ts';
import { obsoleteDataVolumes, restoredDataVolumes, restoredVm, volumeRestores } from './plan.ts';

type Client = RestoreControllerOptions['client'];

/** Before the VM names them: it would make, and import, them itself. */
export async function createDataVolumes(
  { client, recorder }: RestoreControllerOptions,
  restore: VirtualMachineRestore,
  content: VirtualMachineSnapshotContent,
  restores: readonly VolumeRestore[],
  signal: AbortSignal,
): Promise<void> {
  for (const wish of restoredDataVolumes(restore, content, restores))
    await client.create(dataVolumes, wish, {}, signal).catch((error: unknown) => {
      if (isStatus(error, 'AlreadyExists')) return;
      recorder.event(restore, 'Warning', 'RestoreDataVolumeCreateError', messageOf(error));
      throw error;
    });
}

/** Writes down which DataVolumes the VM has before it is changed: afterwards nobody would know. */
export async function noteObsolete(
  client: Client,
  restore: VirtualMachineRestore,
  content: VirtualMachineSnapshotContent,
  target: VirtualMachine,
  signal: AbortSignal,
): Promise<void> {
  const restored = restoredVm(restore, content, volumeRestores(restore, content), target);
  const names = obsoleteDataVolumes(target.spec, restored.spec);
  if (names.length === 0 || deepEqual(restore.status?.deletedDataVolumes ?? [], names)) return;
  const { namespace, name = '' } = restore.metadata ?? {};
  const body = { status: { deletedDataVolumes: names } };
  await client.patch(vmRestores, { namespace, name }, { type: 'merge', subresource: 'status', body }, signal);
}

/** DataVolumes that the VM made from templates which it has no more go, as they would go with the VM. */
export async function deleteObsolete(
  client: Client,
  restore: VirtualMachineRestore,
  vm: VirtualMachine,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name: own = '' } = restore.metadata ?? {};
  const noted = await client.find(vmRestores, { namespace, name: own }, signal);
  for (const name of noted?.status?.deletedDataVolumes ?? []) {
    const found = await client.find(dataVolumes, { namespace, name }, signal);
    const isOwned = found?.metadata?.ownerReferences?.some(({ uid }) => uid === vm.metadata?.uid);
    if (isOwned === true) await client.delete(dataVolumes, { namespace, name }, {}, signal);
  }
}
