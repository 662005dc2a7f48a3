/**
 * memorydump and removememorydump: checks that the dump would fit its claim, and leaves a request in the
 * VM's status for the VM controller. Pure.
 */
import {
  type ClusterConfig,
  isGateEnabled,
  type PersistentVolumeClaim,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VMMemoryDumpRequest,
} from '@podvisor/api';
import { Amount, parseQuantity, StatusError } from '@podvisor/base';
import { optionsOf } from './body.ts';
import {
  badRequest,
  conflict,
  type Decider,
  type Decision,
  internalError,
  type Lookup,
  required,
  VM_KIND,
  VMI_KIND,
} from './decision.ts';
import { isRunning } from './vm-state.ts';

const CLAIM_KIND = 'persistentvolumeclaim';
const MEBIBYTE = 1 << 20;
/** What libvirt adds to the guest's memory: registers, headers. */
const DUMP_OVERHEAD_BYTES = 100 * MEBIBYTE;
/** Share of a volume that its file system takes, when CDI does not say otherwise. */
const FILE_SYSTEM_OVERHEAD = 0.055;

/** Phases in which somebody works on a dump. */
const BUSY: ReadonlySet<string | undefined> = new Set([
  'Associating',
  'InProgress',
  'Unmounting',
  'Dissociating',
]);

/** The claim that a request is about: its own, or else the one of the last dump. */
export function claimNameOf(body: unknown, vm: VirtualMachine | undefined): string {
  const { claimName } = optionsOf(body);
  const named = typeof claimName === 'string' ? claimName : '';
  return named === '' ? (vm?.status?.memoryDumpRequest?.claimName ?? '') : named;
}

export const dumpMemory: Decider = ({ name, body }, state) => {
  requireGate(state.config);
  const vm = required(state.vm, VM_KIND, name);
  const claimName = claimNameOf(body, vm);
  const known = vm.status?.memoryDumpRequest;
  if (claimName === '') throw badRequest('Memory dump requires claim name on the first time');
  if (known !== undefined && known.claimName !== claimName) {
    throw conflict(
      VM_KIND,
      name,
      `can't request memory dump for pvc [${claimName}] while pvc [${known.claimName}] is still associated as the memory dump pvc`,
    );
  }
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, 'VMI is not running');
  checkClaim(state.claim ?? { kind: 'absent' }, claimName, vmi, state.fileSystemOverhead);
  if (known !== undefined && BUSY.has(known.phase)) {
    throw conflict(VM_KIND, name, `memory dump request for pvc [${known.claimName}] already in progress`);
  }
  return requestPatch(known, { claimName, phase: 'Associating' });
};

export const removeMemoryDump: Decider = ({ name }, state) => {
  requireGate(state.config);
  const vm = required(state.vm, VM_KIND, name);
  const known = vm.status?.memoryDumpRequest;
  if (known === undefined) throw conflict(VM_KIND, name, `memory dump is not associated with vm ${name}`);
  if (known.remove === true || known.phase === 'Dissociating') {
    throw conflict(VM_KIND, name, `memory dump remove request for pvc [${known.claimName}] already exists`);
  }
  return requestPatch(known, { claimName: known.claimName, phase: 'Dissociating', remove: true });
};

function requireGate(config: ClusterConfig): void {
  if (isGateEnabled(config, 'HotplugVolumes') || isGateEnabled(config, 'DeclarativeHotplugVolumes')) return;
  throw badRequest('Enable DeclarativeHotplugVolumes or HotplugVolumes feature gate to use this API.');
}

/** A dump is a file: it needs a file system that can be written to and holds the guest's memory. */
function checkClaim(
  lookup: Lookup<PersistentVolumeClaim>,
  name: string,
  vmi: VirtualMachineInstance,
  overhead = FILE_SYSTEM_OVERHEAD,
): void {
  const details = { name, group: 'kubevirt.io', kind: CLAIM_KIND };
  const refuse = (cause: string): StatusError =>
    new StatusError(
      'Conflict',
      `Operation cannot be fulfilled on ${CLAIM_KIND}.kubevirt.io "${name}": ${cause}`,
      {
        details,
      },
    );
  if (lookup.kind === 'failed') throw internalError(lookup.message);
  if (lookup.kind === 'absent') {
    throw new StatusError('NotFound', `${CLAIM_KIND}.kubevirt.io "${name}" not found`, { details });
  }
  const { accessModes = [], resources, volumeMode } = lookup.object.spec;
  if (volumeMode === 'Block') throw refuse('pvc should be filesystem pvc');
  if (accessModes.length > 0 && accessModes.every((mode) => mode === 'ReadOnlyMany')) {
    throw refuse("pvc access mode can't be read only");
  }
  const requested = resources?.requests?.storage;
  const size = requested === undefined ? new Amount(0n) : parseQuantity(String(requested));
  const needed = dumpSizeMebibytes(vmi, overhead);
  if (size.compare(parseQuantity(`${needed}Mi`)) < 0) {
    throw refuse(`pvc size [${requested ?? 0}] should be bigger then [${needed}Mi]`);
  }
}

function dumpSizeMebibytes({ spec }: VirtualMachineInstance, overhead: number): number {
  const { memory, resources } = spec.domain;
  const guest = memory?.guest ?? resources?.requests?.memory ?? resources?.limits?.memory ?? '0';
  const bytes = Number(parseQuantity(String(guest)).nano / 1_000_000_000n) + DUMP_OVERHEAD_BYTES;
  return Math.ceil((bytes * (1 + overhead)) / MEBIBYTE);
}

function requestPatch(old: VMMemoryDumpRequest | undefined, value: VMMemoryDumpRequest): Decision {
  const path = '/status/memoryDumpRequest';
  return {
    kind: 'patch',
    code: 202,
    dryRun: false,
    patches: [
      {
        target: 'virtualmachine/status',
        patch: [
          { op: 'test', path, value: old ?? null },
          { op: old === undefined ? 'add' : 'replace', path, value },
        ],
      },
    ],
  };
}
