/** `status.printableStatus`: the first row that holds, in this order. Pure. */
import type { DataVolume, VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { hasStopped } from '../../resources.ts';
import { hasCondition } from '../conditions.ts';
import { isDeleting, isFinal, isMigrating, isPaused, isUnprocessed } from '../vmi-phase.ts';
import { type StorageView, volumeClaims } from './volumes/data-volumes.ts';
import { isSetToStart, runStrategyOf } from './run/run-strategy.ts';

export interface PrintableInput {
  readonly vm: VirtualMachine;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly storage: StorageView;
  /** A VMI was created and the cache does not show it yet. */
  readonly startExpected: boolean;
  /** The VMI was deleted and the cache does not show it yet. */
  readonly stopExpected: boolean;
  /** DataVolume templates cannot be served or one failed. */
  readonly dataVolumeError: boolean;
}

type Row = readonly [status: string, holds: (input: PrintableInput) => boolean];

const isRunning = (vmi: VirtualMachineInstance | undefined): vmi is VirtualMachineInstance =>
  vmi?.status?.phase === 'Running';

const synchronizedFails = (vmi: VirtualMachineInstance | undefined, reason: string): boolean =>
  hasCondition(vmi?.status?.conditions, 'Synchronized', 'False', reason);

/** Strategies under which a start that failed is tried again. */
const RETRIED: ReadonlySet<string> = new Set(['Always', 'Once', 'RerunOnFailure']);

const ROWS: readonly Row[] = [
  ['Terminating', ({ vm }) => vm.metadata?.deletionTimestamp !== undefined],
  [
    'Stopping',
    ({ vmi, stopExpected }) => vmi !== undefined && !isFinal(vmi) && (isDeleting(vmi) || stopExpected),
  ],
  ['Migrating', ({ vmi }) => vmi !== undefined && isMigrating(vmi)],
  ['Hibernating', ({ vm, vmi }) => isRunning(vmi) && vm.status?.hibernation?.phase === 'Saving'],
  ['Paused', ({ vmi }) => isRunning(vmi) && isPaused(vmi)],
  ['Running', ({ vmi }) => isRunning(vmi)],
  [
    'Hibernated',
    ({ vm, vmi, startExpected }) =>
      vm.status?.hibernation?.phase === 'Hibernated' && !startExpected && (vmi === undefined || isFinal(vmi)),
  ],
  ['ErrorPvcNotFound', ({ vmi }) => synchronizedFails(vmi, 'FailedPvcNotFound')],
  [
    'DataVolumeError',
    (input) =>
      input.dataVolumeError ||
      dataVolumesOf(input).some((volume) => volume.status?.phase === 'Failed' || hasStopped(volume)),
  ],
  [
    'ErrorUnschedulable',
    ({ vmi }) => hasCondition(vmi?.status?.conditions, 'PodScheduled', 'False', 'Unschedulable'),
  ],
  ['Provisioning', (input) => dataVolumesOf(input).some(isFilling)],
  ['WaitingForVolumeBinding', (input) => isSetToStart(input.vm, input.vmi) && hasUnboundClaim(input)],
  ['ErrImagePull', ({ vmi }) => synchronizedFails(vmi, 'ErrImagePull')],
  ['ImagePullBackOff', ({ vmi }) => synchronizedFails(vmi, 'ImagePullBackOff')],
  ['Starting', ({ vmi, startExpected }) => (vmi === undefined ? startExpected : isStarting(vmi))],
  [
    'CrashLoopBackOff',
    ({ vm, vmi }) =>
      (vmi === undefined || isFinal(vmi)) &&
      (vm.status?.startFailure?.consecutiveFailCount ?? 0) > 0 &&
      RETRIED.has(runStrategyOf(vm)),
  ],
  ['Stopped', ({ vmi }) => vmi === undefined || isFinal(vmi)],
  [
    'WaitingForReceiver',
    ({ vm, vmi }) => runStrategyOf(vm) === 'WaitAsReceiver' && vmi?.status?.phase === 'WaitingForSync',
  ],
];

export function printableStatus(input: PrintableInput): string {
  return ROWS.find(([, holds]) => holds(input))?.[0] ?? 'Unknown';
}

function isStarting(vmi: VirtualMachineInstance): boolean {
  const phase = vmi.status?.phase;
  return isUnprocessed(vmi) || phase === 'Scheduling' || phase === 'Scheduled';
}

function dataVolumesOf({ vm, storage }: PrintableInput): readonly DataVolume[] {
  return (vm.spec.template?.spec?.volumes ?? []).flatMap(({ dataVolume }) => {
    const found = dataVolume && storage.dataVolume(dataVolume.name);
    return found === undefined ? [] : [found];
  });
}

/** Whatever it does, it is not done. One that waits for its first consumer does nothing until it is bound. */
function isFilling({ status }: DataVolume): boolean {
  const { phase, conditions = [] } = status ?? {};
  if (phase === 'Succeeded' || phase === 'PendingPopulation') return false;
  const isBound = conditions.some(({ type, status: value }) => type === 'Bound' && value === 'True');
  return phase !== 'WaitForFirstConsumer' || isBound;
}

/** A claim that exists and is not bound; a claim that does not exist is another row's business. */
function hasUnboundClaim({ vm, vmi, storage }: PrintableInput): boolean {
  // Once the launcher Pod runs, its claims are bound, whatever the cache says.
  if (vmi !== undefined && !isUnprocessed(vmi) && vmi.status?.phase !== 'Scheduling') return false;
  return volumeClaims(vm).some((name) => {
    const claim = storage.claim(name);
    return claim !== undefined && claim.status?.phase !== 'Bound';
  });
}
