/** Rules of VirtualMachineExports. */
import { memberOf, goDurationProblem } from '@podvisor/base';
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import type { VirtualMachineExport } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { type Cause, invalid, when } from '../rule.ts';
import { immutable } from './snapshot.ts';

interface SourceKind {
  /** As the sentences name it. */
  readonly name: string;
  readonly group: string;
  /** As the sentence about the API group names it. */
  readonly groupName: string;
}

const SOURCES: Readonly<Record<string, SourceKind>> = {
  VirtualMachine: { name: 'Virtual Machine', group: 'kubevirt.io', groupName: 'VM' },
  VirtualMachineSnapshot: { name: 'VMSnapshot', group: 'snapshot.kubevirt.io', groupName: 'VMSnapshot' },
  VirtualMachineBackup: {
    name: 'VirtualMachineBackup',
    group: 'backup.kubevirt.io',
    groupName: 'VirtualMachineBackup',
  },
  VirtualMachineTemplate: {
    name: 'VirtualMachineTemplate',
    group: 'template.kubevirt.io',
    groupName: 'VirtualMachineTemplate',
  },
};

/** Whether an export may be created (`old` undefined) or changed. */
export function validateExport(
  vmExport: VirtualMachineExport,
  config: ClusterConfig,
  old?: VirtualMachineExport,
): Admission {
  const unreadable = goDurationProblem(vmExport.spec.ttlDuration);
  if (unreadable !== undefined) return refusal(unreadable, 400);
  if (old) return admissionOf(immutable('VirtualMachineExport', vmExport.spec, old.spec));
  const { apiGroup, kind, name } = vmExport.spec.source;
  const field = 'spec.source';
  if (kind === 'PersistentVolumeClaim') {
    return admissionOf([
      ...when(!name, () => invalid(`${field}.name`, 'PVC name must not be empty')),
      ...when(apiGroup, () => invalid(`${field}.APIGroup`, 'PVC API group must be missing or blank')),
    ]);
  }
  const source = memberOf(SOURCES, kind);
  if (!source) return admissionOf([invalid(`${field}.kind`, 'invalid kind')]);
  const missing = kind === 'VirtualMachineTemplate' ? templateCauses(config) : [];
  if (missing.length > 0) return admissionOf(missing);
  return admissionOf([
    ...when(!name, () => invalid(`${field}.name`, `${source.name} name must not be empty`)),
    ...when(apiGroup !== source.group, () =>
      invalid(`${field}.APIGroup`, `${source.groupName} API group must be ${source.group}`),
    ),
  ]);
}

function templateCauses(config: ClusterConfig): readonly Cause[] {
  const isDeployed =
    isGateEnabled(config, 'Template') && (config.configuration.virtTemplateDeployment?.enabled ?? true);
  return when(!isGateEnabled(config, 'OCIExport') || !isDeployed, () =>
    invalid(
      'spec.source.kind',
      'VirtualMachineTemplate source requires the OCIExport feature gate and virt-template deployment to be enabled',
    ),
  );
}
