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
import { stillHas } from '@podvisor/kube';
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

/** Phases in which nobody works on a dump any more. */
const DONE: ReadonlySet<string | undefined> = new Set(['Completed', 'Failed']);

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
  if (claimName === '') throw badRequest('Memory dump requires claim name to be set');
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
  const refuse = (cause: string) => conflict(VM_KIND, name, cause);
  if (known?.phase === 'Dissociating')
    throw refuse(`can't dump memory for pvc [${claimName}] a remove memory dump request is in progress`);
  if (known !== undefined && !DONE.has(known.phase))
    throw refuse(`memory dump request for pvc [${claimName}] already in progress`);
  return requestPatch(known, { claimName, phase: 'Associating' });
};

export const removeMemoryDump: Decider = ({ name }, state) => {
  const vm = required(state.vm, VM_KIND, name);
  const known = vm.status?.memoryDumpRequest;
  const refuse = (cause: string) => conflict(VM_KIND, name, cause);
  if (known === undefined)
    throw refuse(`can't remove memory dump association for vm ${name}, no association found`);
  if (known.remove === true)
    throw refuse(`memory dump remove request for pvc [${known.claimName}] already exists`);
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
  if (lookup.kind === 'failed') throw internalError(`unable to retrieve pvc [${name}]: ${lookup.message}`);
  if (lookup.kind === 'absent') {
    throw new StatusError('NotFound', `${CLAIM_KIND}.kubevirt.io "${name}" not found`, { details });
  }
  const { accessModes = [], resources, volumeMode } = lookup.object.spec;
  if (volumeMode === 'Block') throw refuse('pvc should be filesystem pvc');
  if (accessModes.includes('ReadOnlyMany')) throw refuse("pvc access mode can't be read only");
  const requested = resources?.requests?.storage;
  const size = thousands(requested === undefined ? new Amount(0n) : parseQuantity(String(requested)));
  const needed = dumpSizeMebibytes(vmi, overhead);
  if (size.compare(parseQuantity(`${needed}Mi`)) < 0) {
    throw refuse(`pvc size [${size}] should be bigger then [${needed}Mi]`);
  }
}

/** Rounded up to thousands of bytes: sizes are told and compared so. */
function thousands(amount: Amount): Amount {
  return new Amount(BigInt(Math.ceil(amount.value() / 1000)) * 1000n * 1_000_000_000n, 'DecimalSI');
}

/**
 * By the memory that the VMI requests, which KubeVirt's clients size their claims by: `virtctl memory-dump
 * --create-claim` asks for no more. A claim that turns out too small is told by the dump itself.
 */
function dumpSizeMebibytes({ spec }: VirtualMachineInstance, overhead: number): number {
  const requested = spec.domain.resources?.requests?.memory ?? '0';
  const bytes = Number(parseQuantity(String(requested)).nano / 1_000_000_000n) + DUMP_OVERHEAD_BYTES;
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
        patch: [stillHas(path, old), { op: old === undefined ? 'add' : 'replace', path, value }],
        failure: { kind: 'invalid', what: 'vm status' },
      },
    ],
  };
}
