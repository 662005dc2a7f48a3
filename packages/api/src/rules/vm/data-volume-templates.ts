/** DataVolumes that a VM brings along. */
import type { DataVolumeTemplate, VirtualMachine, VMSpec } from '../../types/index.ts';
import { type Cause, invalid, type Rule, required, when } from '../rule.ts';

export const dataVolumeTemplateRules: readonly Rule<VMSpec>[] = [
  {
    id: 'vm.dataVolumeTemplates',
    field: 'dataVolumeTemplates[]',
    summary:
      'A DataVolume template has a name, either pvc or storage, one source (or none when populated from outside), and is used by a volume.',
    check: (spec, { path }) =>
      (spec.dataVolumeTemplates ?? []).flatMap((template, index) => {
        const field = `${path}.dataVolumeTemplate[${index}]`;
        const problem = templateProblem(template, field);
        return problem ? [problem] : when(!isUsed(spec, template), () => unused(field));
      }),
  },
];

/** Looked at when the templates are new or changed. */
export const dataVolumeNamespaceRule: Rule<VirtualMachine> = {
  id: 'vm.dataVolumeTemplates.namespace',
  field: 'spec.dataVolumeTemplates[].metadata.namespace',
  summary: 'A DataVolume template is in the namespace of its VM.',
  check: (vm) =>
    (vm.spec.dataVolumeTemplates ?? []).flatMap(({ metadata }, index) => {
      const own = vm.metadata?.namespace ?? '';
      const other = metadata?.namespace;
      return when(other && other !== own, () =>
        invalid(
          `spec.dataVolumeTemplates[${index}]`,
          `Embedded DataVolume namespace ${other} differs from VM namespace ${own}`,
        ),
      );
    }),
};

function templateProblem({ metadata, spec }: DataVolumeTemplate, field: string): Cause | undefined {
  if (!metadata?.name)
    return required(
      `${field}.name`,
      `'name' field must not be empty for DataVolumeTemplate entry ${field}.name.`,
    );
  const target = `${field}.PVC.Storage`;
  if (!spec.pvc && !spec.storage) return invalid(target, 'Missing Data volume PVC or Storage');
  if (spec.pvc && spec.storage)
    return invalid(target, 'Duplicate storage definition, both target storage and target pvc defined');
  const claim = spec.pvc ?? spec.storage;
  const isPopulatedOutside = claim?.dataSource !== undefined || claim?.dataSourceRef !== undefined;
  const hasSource = spec.source !== undefined || spec.sourceRef !== undefined;
  if (isPopulatedOutside && hasSource)
    return invalid(`${field}.source`, 'External population is incompatible with Source and SourceRef');
  if (!isPopulatedOutside && !hasSource)
    return invalid(
      `${field}.source.sourceRef`,
      'Data volume should have either Source, SourceRef, or be externally populated',
    );
  const count = spec.source ? Object.values(spec.source).filter((source) => source !== undefined).length : 1;
  if (count === 1) return undefined;
  return invalid(
    `${field}.source`,
    count === 0 ? 'Missing dataVolume valid source' : 'Multiple dataVolume sources',
  );
}

function isUsed(spec: VMSpec, { metadata }: DataVolumeTemplate): boolean {
  const name = metadata?.name;
  return (spec.template.spec?.volumes ?? []).some(
    ({ dataVolume, persistentVolumeClaim }) =>
      dataVolume?.name === name || persistentVolumeClaim?.claimName === name,
  );
}

function unused(field: string): Cause {
  return required(
    field,
    `DataVolumeTemplate entry ${field} must be referenced in the VMI template's 'volumes' list`,
  );
}
