/** The mutating webhook of VMs: what is frozen into the VM when it is made, before any VMI exists. */
import { deepEqual, type StatusCause } from '@podvisor/base';
import { architectureDefaults } from '../config/cluster-config.ts';
import { type Draft, draftOf } from '../draft.ts';
import { annotations } from '../names.ts';
import type {
  InstancetypeMatcher,
  VirtualMachine,
  VirtualMachinePreferenceSpec,
  VMISpec,
} from '../types/index.ts';
import type { VmDefaultsContext } from './context.ts';
import { hasPcieTopology } from './vmi/machine.ts';

/** A VM as it is stored when it is created (`old` undefined) or changed. */
export function defaultVm(vm: VirtualMachine, context: VmDefaultsContext, old?: VirtualMachine): VirtualMachine {
  const draft = draftOf(vm);
  // A VM without a template is refused by the rules; one that goes away needs nothing.
  const spec = draft.spec.template?.spec;
  if (!spec || vm.metadata?.deletionTimestamp) return vm;
  const { config, preference } = context;
  spec.architecture ||= preference?.preferredArchitecture || knownArchitecture(context.dataSourceArchitecture);
  spec.architecture ||= config.defaultArchitecture;
  spec.domain.machine ??= {};
  spec.domain.machine.type ||=
    preference?.machine?.preferredMachineType || architectureDefaults(config, spec.architecture).machineType;
  preferStorageClass(draft, preference);
  if (!old) {
    // Identity is decided once: a guest must not see another board after a restart.
    spec.domain.firmware ??= {};
    spec.domain.firmware.uuid ||= context.newUuid();
    spec.domain.firmware.serial ||= context.newUuid();
    freezePciTopology(draft, spec);
  }
  return draft;
}

/** What is wrong with the matchers of a VM; checked before anything is inferred from them. */
export function matcherProblems(vm: VirtualMachine, old?: VirtualMachine): StatusCause[] {
  const pairs = [
    ['instancetype', 'InstancetypeMatcher'],
    ['preference', 'PreferenceMatcher'],
  ] as const;
  const changed = pairs.flatMap(([field]) => changeProblems(field, vm.spec[field], old?.spec[field]));
  if (changed.length > 0) return changed;
  for (const [field, name] of pairs) {
    const problems = shapeProblems(field, name, vm.spec[field]);
    if (problems.length > 0) return problems;
  }
  return [];
}

function changeProblems(
  field: string,
  matcher: InstancetypeMatcher | undefined,
  old: InstancetypeMatcher | undefined,
): StatusCause[] {
  if (!matcher || !old?.revisionName || deepEqual(matcher, old)) return [];
  if (matcher.name === old.name || matcher.revisionName !== old.revisionName) return [];
  return [
    {
      reason: 'FieldValueInvalid',
      field: `spec.${field}.revisionName`,
      message: 'the Matcher Name has been updated without updating the RevisionName',
    },
  ];
}

function shapeProblems(field: string, name: string, matcher: InstancetypeMatcher | undefined): StatusCause[] {
  if (!matcher) return [];
  const causes: StatusCause[] = [];
  const path = `spec.${field}`;
  if (!matcher.name && !matcher.inferFromVolume) {
    causes.push({
      reason: 'FieldValueNotFound',
      field: path,
      message: `Either Name or InferFromVolume should be provided within the ${name}`,
    });
  }
  for (const part of ['name', 'kind'] as const) {
    if (!matcher.inferFromVolume || !matcher[part]) continue;
    causes.push({
      reason: 'FieldValueNotFound',
      field: `${path}.${part}`,
      message: `${part === 'name' ? 'Name' : 'Kind'} already set, should be cleared before setting inferFromVolume`,
    });
  }
  const policy = matcher.inferFromVolumeFailurePolicy;
  if (policy !== undefined && policy !== 'Ignore' && policy !== 'Reject') {
    causes.push({
      reason: 'FieldValueInvalid',
      field: `${path}.inferFromVolumeFailurePolicy`,
      message: `Invalid value '${policy}' for InferFromVolumeFailurePolicy`,
    });
  }
  return causes;
}

function knownArchitecture(name: string | undefined): string | undefined {
  return name === 'amd64' || name === 'arm64' || name === 's390x' ? name : undefined;
}

function preferStorageClass(vm: Draft<VirtualMachine>, preference: VirtualMachinePreferenceSpec | undefined): void {
  const name = preference?.volumes?.preferredStorageClassName;
  if (!name) return;
  for (const { spec } of vm.spec.dataVolumeTemplates ?? []) {
    if (spec.pvc) spec.pvc.storageClassName ??= name;
    if (spec.storage) spec.storage.storageClassName ??= name;
  }
}

function freezePciTopology(vm: Draft<VirtualMachine>, spec: VMISpec): void {
  if (!hasPcieTopology(spec)) return;
  const { template } = vm.spec;
  template.metadata = {
    ...template.metadata,
    annotations: { [annotations.pciTopologyVersion]: 'v3', ...template.metadata?.annotations },
  };
}
