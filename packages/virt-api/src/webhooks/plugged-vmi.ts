/** The running instance that a VM's requests to plug volumes are about. */
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import type { WebhookContext } from './context.ts';
import type { AdmissionRequest } from './review.ts';

/** Undefined where nothing is to be plugged, and where the guest is not ready or about to go. */
export async function pluggedVmi(
  { status }: VirtualMachine,
  { namespace, name }: Pick<AdmissionRequest, 'namespace' | 'name'>,
  context: Pick<WebhookContext, 'findVmi'>,
): Promise<VirtualMachineInstance | undefined> {
  const plugs = (status?.volumeRequests?.length ?? 0) > 0;
  if (!plugs || status?.ready !== true) return undefined;
  const vmi = await context.findVmi(namespace, name);
  return vmi?.metadata?.deletionTimestamp ? undefined : vmi;
}
