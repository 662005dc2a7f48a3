/**
 * The queue of Start, Stop and Hibernate requests in a VM's status, which virt-api fills. Only its head counts; one
 * request is taken off per pass, once the cache proves that it was carried out.
 */
import type { StateChangeRequest, VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { isDeleting, isFinal } from '../../vmi-phase.ts';

function head(vm: VirtualMachine): StateChangeRequest | undefined {
  return vm.status?.stateChangeRequests?.[0];
}

export function hasStartRequest(vm: VirtualMachine): boolean {
  return head(vm)?.action === 'Start';
}

/** The guest is to be created paused. */
export function hasStartPausedRequest(vm: VirtualMachine): boolean {
  return hasStartRequest(vm) && head(vm)?.data?.paused === 'true';
}

/** The hibernated state is given up, and the guest boots. */
export function startDiscardsState(vm: VirtualMachine): boolean {
  return hasStartRequest(vm) && head(vm)?.data?.discardState === 'true';
}

/** As a Stop request does, it names the VMI that it means. */
export function hibernateRequestFor(vm: VirtualMachine, vmi: VirtualMachineInstance): boolean {
  const request = head(vm);
  return request?.action === 'Hibernate' && request.uid !== undefined && request.uid === vmi.metadata?.uid;
}

/** A Stop request names the VMI that it means: it must not stop the next one. */
export function hasStopRequestFor(vm: VirtualMachine, vmi: VirtualMachineInstance): boolean {
  const request = head(vm);
  return request?.action === 'Stop' && request.uid !== undefined && request.uid === vmi.metadata?.uid;
}

/** The queue without its head, if the head has been carried out. */
export function remainingRequests(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
): readonly StateChangeRequest[] {
  const queue = vm.status?.stateChangeRequests ?? [];
  const request = queue[0];
  if (request === undefined) return queue;
  const isOfOther = vmi === undefined || request.uid !== vmi.metadata?.uid;
  const isNoted = request.action === 'Hibernate' && vm.status?.hibernation?.vmiUID === request.uid;
  const done = request.action === 'Start' ? isStarted(vmi) : isOfOther || isNoted;
  return done ? queue.slice(1) : queue;
}

/** A VMI that is ending does not answer a Start request: the request is for the next one. */
function isStarted(vmi: VirtualMachineInstance | undefined): boolean {
  return vmi !== undefined && !isFinal(vmi) && !isDeleting(vmi);
}
