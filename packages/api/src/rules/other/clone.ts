/** Rules of VirtualMachineClones. Causes name fields as Go does (`spec.Source.Name`); clients know them so. */
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import type {
  TypedLocalObjectReference,
  VirtualMachineClone,
  VirtualMachineCloneSpec,
} from '../../types/index.ts';
import { macAddressProblem } from '../addresses.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { isJson } from '../json.ts';
import { type Cause, invalid, notSupported, when } from '../rule.ts';

const NAME_POLICIES: readonly string[] = ['RandomizeNames', 'PrefixTargetName'];

export function validateClone(
  clone: VirtualMachineClone,
  config: ClusterConfig,
  operation: 'CREATE' | 'UPDATE',
): Admission {
  if (operation === 'CREATE' && !isGateEnabled(config, 'Snapshot'))
    return refusal('snapshot feature gate is not enabled', 400);
  const { annotationFilters, labelFilters, source, target, template } = clone.spec;
  return admissionOf([
    ...filterCauses(annotationFilters, 'spec.annotations'),
    ...filterCauses(labelFilters, 'spec.labels'),
    ...filterCauses(template?.annotationFilters, 'spec.template.annotations'),
    ...filterCauses(template?.labelFilters, 'spec.template.labels'),
    ...when(source && !['VirtualMachine', 'VirtualMachineSnapshot'].includes(source.kind), () =>
      invalid('spec.Source.Kind', 'Source kind is not supported'),
    ),
    ...when(target && target.kind !== 'VirtualMachine', () =>
      invalid('spec.Target.Kind', 'Target kind is not supported'),
    ),
    ...sourceCauses(source),
    ...when(
      source?.kind === 'VirtualMachine' && target?.kind === 'VirtualMachine' && target.name === source.name,
      () =>
        invalid(
          'spec.target.name',
          'Target name cannot be equal to source name when both are VirtualMachines',
        ),
    ),
    ...copyCauses(clone.spec),
    ...warmCauses(clone.spec),
  ]);
}

/** Copies that go on from memory. */
function warmCauses({ identityless, source, warm }: VirtualMachineCloneSpec): readonly Cause[] {
  return [
    ...when(warm === true && source && source.kind !== 'VirtualMachineSnapshot', () =>
      invalid('spec.warm', 'A warm copy is made of a VirtualMachineSnapshot with memory'),
    ),
    ...when(identityless === true && warm !== true, () =>
      invalid('spec.identityless', 'Only a warm copy can be without an identity of its own'),
    ),
  ];
}

/** What the copy shall have of its own. */
function copyCauses({
  newMacAddresses,
  patches,
  volumeNamePolicy,
}: VirtualMachineCloneSpec): readonly Cause[] {
  return [
    ...Object.entries(newMacAddresses ?? {}).flatMap(([name, address]) =>
      when(address && macAddressProblem(address), () =>
        invalid(`spec.newMacAddresses.${name}`, `interface ${name} has malformed MAC address (${address}).`),
      ),
    ),
    ...(patches ?? []).flatMap((patch, index) =>
      when(!isJson(patch), () => invalid(`spec.patches[${index}]`, `patch is not valid JSON (${patch})`)),
    ),
    ...when(volumeNamePolicy !== undefined && !NAME_POLICIES.includes(volumeNamePolicy), () =>
      notSupported(
        'spec.volumeNamePolicy',
        `VolumeNamePolicy ${JSON.stringify(volumeNamePolicy)} is not supported`,
      ),
    ),
  ];
}

function filterCauses(filters: readonly string[] | undefined, field: string): readonly Cause[] {
  return (filters ?? []).flatMap((filter): readonly Cause[] => {
    if (filter.length <= 1)
      return when(filter === '!', () => invalid(field, 'a negation character is not a valid filter'));
    const prefix = `${field} filter ${filter} is invalid: cannot contain a`;
    return [
      ...when(filter.slice(1).includes('!'), () =>
        invalid(
          field,
          `${prefix} negation character (!); FilterRules: NegationChar can be only used at the beginning of the filter`,
        ),
      ),
      ...when(filter.slice(0, -1).includes('*'), () =>
        invalid(
          field,
          `${prefix} wildcard character (*); FilterRules: WildcardChar can be only at the end of the filter`,
        ),
      ),
    ];
  });
}

function sourceCauses(source: TypedLocalObjectReference | undefined): readonly Cause[] {
  if (!source) return [invalid('spec.Source', 'Source cannot be nil')];
  return [
    ...when(!source.apiGroup, () => invalid('spec.Source.APIGroup', "Source's APIGroup cannot be empty")),
    ...when(!source.kind, () => invalid('spec.Source', "Source's Kind cannot be empty")),
    ...when(!source.name, () => invalid('spec.Source.Name', "Source's name cannot be empty")),
  ];
}
