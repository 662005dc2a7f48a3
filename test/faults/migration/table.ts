/**
 * The table of faults: what is done to whom, in which phase of a migration, and what may come of it. `kept`: the
 * same guest runs on, at the source or at the target, and has every entry that it reported. `may-restart`: the fault
 * took the guest's own QEMU, or half of its memory; then the VMI fails and the VM's run strategy starts it anew.
 */
export const PHASES = [
  'before',
  'preparing',
  'copying',
  'switch-over',
  'to post-copy',
  'post-copy',
  'finalising',
] as const;
export type Phase = (typeof PHASES)[number];

export const FAULTS = [
  'source launcher',
  'target launcher',
  'source virt-handler',
  'target virt-handler',
  'virt-controller',
  'source libvirtd',
  'target libvirtd',
  'source QEMU',
  'target QEMU',
  'cut source',
  'cut target',
  'cancel',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Cell {
  readonly fault: Fault;
  readonly phase: Phase;
  readonly outcome: 'kept' | 'may-restart';
}

/** Where there is nothing to harm yet, or nothing that would be another case. */
function exists(fault: Fault, phase: Phase): boolean {
  const onTarget = fault.startsWith('target') || fault === 'cut target';
  if (phase === 'before') return !onTarget;
  if (phase === 'preparing') return fault !== 'target QEMU';
  if (phase === 'finalising') return fault !== 'source QEMU'; // it has ended by then
  return true;
}

function outcome(fault: Fault, phase: Phase): Cell['outcome'] {
  const isMachine = /launcher|QEMU/.test(fault);
  // Half of the memory is on either side. A new connection brings them together, unless QEMU on the target waits for
  // a page in the middle of its own work and hears nobody, or has not been told to let the guest run: libvirt ends
  // a target that its client leaves before that.
  if (phase === 'to post-copy' || phase === 'post-copy')
    return fault === 'virt-controller' || fault === 'cancel' ? 'kept' : 'may-restart';
  // The guest is on one of the sides, and which one is decided in this very moment.
  if (phase === 'switch-over') return isMachine ? 'may-restart' : 'kept';
  const side = phase === 'finalising' ? 'target' : 'source';
  return isMachine && fault.startsWith(side) ? 'may-restart' : 'kept';
}

export const TABLE: readonly Cell[] = PHASES.flatMap((phase) =>
  FAULTS.filter((fault) => exists(fault, phase)).map((fault) => ({
    fault,
    phase,
    outcome: outcome(fault, phase),
  })),
);

/** One cell of each kind, for every run of the tests. */
export const SHORT: readonly Cell[] = TABLE.filter(({ fault, phase }) =>
  [
    'preparing/cancel',
    'copying/target launcher',
    'copying/source virt-handler',
    'switch-over/target virt-handler',
    'finalising/source virt-handler',
  ].includes(`${phase}/${fault}`),
);
