/**
 * VirtualMachineInstancePresets (a deprecated kind): every preset whose selector matches fills the parts of
 * the domain that the VMI left open. Two presets that disagree refuse the VMI.
 */
import { deepEqual, memberOf } from '@podvisor/base';
import { type Draft, draftOf } from '../../draft.ts';
import { matchesSelector } from '../../label-selector.ts';
import { annotations } from '../../names.ts';
import type {
  Clock,
  DomainSpec,
  VirtualMachineInstance,
  VirtualMachineInstancePreset,
} from '../../types/index.ts';
import { DefaultsError } from '../context.ts';

/** The offset is what a clock has beside its timers; one without an offset has an empty one. */
function offsetOf(clock: Clock | undefined): object | undefined {
  if (clock === undefined) return undefined;
  const { timer: _timer, ...offset } = clock;
  return offset;
}

type Part = readonly [path: string, of: (domain: DomainSpec) => unknown];

/** The parts of a domain that a preset can carry; the offset of a clock and its timers are parts of their own. */
const PARTS: readonly Part[] = [
  ['spec.cpu', (domain) => domain.cpu],
  ['spec.firmware', (domain) => domain.firmware],
  ['spec.features', (domain) => domain.features],
  ['spec.devices.watchdog', (domain) => domain.devices?.watchdog],
  ['spec.ioThreadsPolicy', (domain) => domain.ioThreadsPolicy],
];

const TIMER: Part = ['spec.clock.timer', (domain) => domain.clock?.timer];
const DISPUTED: readonly Part[] = [
  ...PARTS,
  ['spec.clock.clockoffset', (domain) => offsetOf(domain.clock)],
  TIMER,
];
const TAKEN: readonly Part[] = [...PARTS, ['spec.clock', (domain) => domain.clock], TIMER];

export function applyPresets(
  vmi: Draft<VirtualMachineInstance>,
  presets: readonly VirtualMachineInstancePreset[],
): void {
  if (vmi.metadata?.annotations?.[annotations.excludePresets] === 'true') return;
  const matching = presets.filter((preset) => matchesSelector(preset.spec?.selector, vmi.metadata?.labels));
  refuseConflicts(matching);
  for (const preset of matching) {
    const domain = preset.spec?.domain;
    if (!domain) continue;
    fill(vmi.spec.domain, domain);
    if (!isApplied(vmi.spec.domain, domain)) continue;
    vmi.metadata ??= {};
    vmi.metadata.annotations = {
      ...vmi.metadata.annotations,
      [`${annotations.preset}${preset.metadata?.name}`]: 'kubevirt.io/v1',
    };
  }
}

function refuseConflicts(presets: readonly VirtualMachineInstancePreset[]): void {
  const conflicts = presets.flatMap((preset, index) =>
    presets.slice(0, index).flatMap((other) => {
      const paths = conflictsBetween(preset.spec?.domain, other.spec?.domain);
      if (paths.length === 0) return [];
      return `presets '${preset.metadata?.name}' and '${other.metadata?.name}' conflict: ${paths.join(', ')}`;
    }),
  );
  if (conflicts.length > 0)
    throw new DefaultsError(
      `VirtualMachinePresets cannot be applied due to conflicts: ${conflicts.join(', ')}`,
      422,
    );
}

function conflictsBetween(one: DomainSpec | undefined, other: DomainSpec | undefined): string[] {
  if (!one || !other) return [];
  const paths = DISPUTED.filter(([, of]) => of(one) !== undefined && of(other) !== undefined)
    .filter(([, of]) => !deepEqual(of(one), of(other)))
    .map(([path]) => path);
  const requests = Object.entries(one.resources?.requests ?? {})
    .filter(([name, amount]) => (memberOf(other.resources?.requests, name) ?? amount) !== amount)
    .map(([name]) => `spec.resources.requests[${name}]`);
  return [...requests, ...paths];
}

function fill(domain: Draft<DomainSpec>, preset: DomainSpec): void {
  const { clock, cpu, devices, features, firmware, ioThreadsPolicy, resources } = draftOf(preset);
  if (resources?.requests && !domain.resources?.requests) {
    domain.resources = { ...domain.resources, requests: resources.requests };
  }
  domain.cpu ??= cpu;
  domain.firmware ??= firmware;
  domain.clock ??= clock;
  if (domain.clock) domain.clock.timer ??= clock?.timer;
  domain.features ??= features;
  domain.devices.watchdog ??= devices?.watchdog;
  domain.ioThreadsPolicy ??= ioThreadsPolicy;
}

/** A preset counts as applied when at least one of its parts is what the VMI now has. */
function isApplied(domain: DomainSpec, preset: DomainSpec): boolean {
  const requests = preset.resources?.requests;
  return (
    (requests !== undefined && deepEqual(domain.resources?.requests, requests)) ||
    TAKEN.some(([, of]) => of(preset) !== undefined && deepEqual(of(domain), of(preset)))
  );
}
