/** The mutating webhook of VMs: what is frozen into the VM when it is made, before any VMI exists. */
import { architectureDefaults } from '../config/cluster-config.ts';
import { type Draft, draftOf } from '../draft.ts';
import { annotations } from '../names.ts';
import type { VirtualMachine, VirtualMachinePreferenceSpec, VMISpec } from '../types/index.ts';
import type { VmDefaultsContext } from './context.ts';
import { canonicalizeSpec } from './quantities.ts';
import { hasPcieTopology } from './vmi/machine.ts';

/** A VM as it is stored when it is created (`old` undefined) or changed. */
export function defaultVm(
  vm: VirtualMachine,
  context: VmDefaultsContext,
  old?: VirtualMachine,
): VirtualMachine {
  const draft = draftOf(vm);
  // A VM without a template is refused by the rules; one that goes away needs nothing.
  const { template } = draft.spec;
  if (!template || vm.metadata?.deletionTimestamp) return vm;
  template.spec ??= draftOf({ domain: { devices: {} } });
  const { spec } = template;
  const { config, preference } = context;
  canonicalizeSpec(draft.spec, 'VirtualMachine');
  spec.architecture ||=
    preference?.preferredArchitecture || knownArchitecture(context.dataSourceArchitecture);
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

function knownArchitecture(name: string | undefined): string | undefined {
  return name === 'amd64' || name === 'arm64' || name === 's390x' ? name : undefined;
}

function preferStorageClass(
  vm: Draft<VirtualMachine>,
  preference: VirtualMachinePreferenceSpec | undefined,
): void {
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
