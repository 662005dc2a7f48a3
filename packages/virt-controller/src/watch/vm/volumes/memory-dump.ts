/**
 * A dump of the guest's memory, step by step: the claim is plugged into the running VMI (Associating), the node
 * writes the dump (InProgress), the claim is taken away again (Unmounting) and holds the file (Completed). The VM
 * remembers the claim until it is told to forget it (Dissociating). Each pass goes as far as is seen. Pure.
 */
import {
  annotations,
  isMemoryDump,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMMemoryDumpRequest,
  type Volume,
} from '@podvisor/api';
import { deepEqual, rfc3339 } from '@podvisor/base';
import { type JsonPatchOperation, guardedChange } from '@podvisor/kube';
import { isFinal } from '../../vmi-phase.ts';

/** The VMI has the claim in these phases. */
const PLUGGED: ReadonlySet<string> = new Set(['Associating', 'InProgress']);

/** The file is whole in these. */
const ENDED: ReadonlySet<string> = new Set(['Unmounting', 'Completed']);

/** The change of the VMI's volumes that the request asks for; nothing when it is done. */
export function memoryDumpPatch(
  request: VMMemoryDumpRequest | undefined,
  { spec }: VirtualMachineInstance,
): readonly JsonPatchOperation[] {
  const old = spec.volumes ?? [];
  const others = old.filter((volume) => !isMemoryDump(volume));
  const wanted =
    request !== undefined && PLUGGED.has(request.phase) && request.remove !== true
      ? [...others, dumpVolume(request.claimName)]
      : others;
  if (deepEqual(old, wanted)) return [];
  return guardedChange('/spec/volumes', spec.volumes, wanted);
}

/**
 * The VM's own volumes: its template names the claim from the request on until it is told to forget it, so that
 * snapshots and whoever reads the VM know of the dump. No start plugs it in.
 */
export function memoryDumpTemplatePatch({ spec, status }: VirtualMachine): readonly JsonPatchOperation[] {
  const request = status?.memoryDumpRequest;
  const old = spec.template?.spec?.volumes;
  if (request === undefined || spec.template?.spec === undefined) return [];
  const isLeaving = request.remove === true || request.phase === 'Dissociating';
  // What was restored or edited meanwhile is not changed for a dump that is done.
  if (!isLeaving && !PLUGGED.has(request.phase)) return [];
  const others = (old ?? []).filter((volume) => !isMemoryDump(volume));
  const wanted = isLeaving ? others : [...others, dumpVolume(request.claimName)];
  const isAsWanted = deepEqual((old ?? []).filter(isMemoryDump), wanted.filter(isMemoryDump));
  if (isAsWanted) return [];
  return guardedChange('/spec/template/spec/volumes', old, wanted);
}

function dumpVolume(claimName: string): Volume {
  return { name: claimName, memoryDump: { claimName, hotpluggable: true } };
}

const FAILED_NOTE = 'Memory dump failed';

/** What the claim should say about the dump in it; undefined: it does already, or there is nothing to say. */
export function dumpNote(
  request: VMMemoryDumpRequest | undefined,
  claim: PersistentVolumeClaim | undefined,
): string | undefined {
  if (request === undefined || claim === undefined) return undefined;
  const note =
    request.phase === 'Failed' ? FAILED_NOTE : ENDED.has(request.phase) ? request.fileName : undefined;
  return note === claim.metadata.annotations?.[annotations.memoryDump] ? undefined : note;
}

/** What is left of a request after a pass. */
export function nextMemoryDump(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance | undefined,
  nowMs: number,
): VMMemoryDumpRequest | undefined {
  const request = vm.status?.memoryDumpRequest;
  if (request === undefined) return undefined;
  const isNamed = vm.spec.template?.spec?.volumes?.some(isMemoryDump) === true;
  const running = vmi === undefined || isFinal(vmi) ? undefined : vmi;
  const status = running?.status?.volumeStatus?.find(({ name }) => name === request.claimName);
  const isPlugged = running?.spec.volumes?.some(isMemoryDump) === true;
  const failed = (message: string): VMMemoryDumpRequest => ({
    ...request,
    phase: 'Failed',
    message,
    endTimestamp: rfc3339(nowMs),
  });
  if (request.remove === true || request.phase === 'Dissociating')
    return isPlugged || isNamed || status !== undefined ? request : undefined;
  switch (request.phase) {
    case 'Associating':
      if (running === undefined) return failed('the VMI ended before its memory was dumped');
      return isPlugged && isNamed
        ? { ...request, phase: 'InProgress', startTimestamp: rfc3339(nowMs) }
        : request;
    case 'InProgress': {
      if (running === undefined) return failed('the VMI ended while its memory was dumped');
      const { targetFileName: fileName, endTimestamp } = status?.memoryDumpVolume ?? {};
      if (status?.phase === 'MemoryDumpVolumeFailed') return failed(status.message ?? 'the dump failed');
      if (status?.phase !== 'MemoryDumpVolumeCompleted') return request;
      return { ...request, phase: 'Unmounting', fileName, endTimestamp: endTimestamp ?? rfc3339(nowMs) };
    }
    case 'Unmounting':
      return isPlugged || status !== undefined ? request : { ...request, phase: 'Completed' };
    default:
      return request;
  }
}
