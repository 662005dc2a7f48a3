/** Instance type and preference of a VM: named, or inferred from a volume. Checked before they are looked up. */
import { deepEqual } from '@podvisor/base';
import type { InstancetypeMatcher, VirtualMachine } from '../../types/index.ts';
import { type Cause, invalid, notFound, notSupported, when } from '../rule.ts';

const MATCHERS = [
  ['instancetype', 'InstancetypeMatcher'],
  ['preference', 'PreferenceMatcher'],
] as const;

/** What is wrong with the matchers of a VM that is created or changed. */
export function matcherProblems(vm: VirtualMachine, old?: VirtualMachine): readonly Cause[] {
  for (const [field] of MATCHERS) {
    const problems = changeProblems(field, vm.spec[field], old?.spec[field]);
    if (problems.length > 0) return problems;
  }
  for (const [field, name] of MATCHERS) {
    const problems = shapeProblems(field, name, vm.spec[field]);
    if (problems.length > 0) return problems;
  }
  return [];
}

function changeProblems(
  field: string,
  matcher: InstancetypeMatcher | undefined,
  old: InstancetypeMatcher | undefined,
): readonly Cause[] {
  if (!matcher || !old?.revisionName || deepEqual(matcher, old)) return [];
  return when(matcher.name !== old.name && matcher.revisionName === old.revisionName, () =>
    invalid(
      `spec.${field}.revisionName`,
      'the Matcher Name has been updated without updating the RevisionName',
    ),
  );
}

function shapeProblems(
  field: string,
  name: string,
  matcher: InstancetypeMatcher | undefined,
): readonly Cause[] {
  if (!matcher) return [];
  const path = `spec.${field}`;
  const { inferFromVolume, inferFromVolumeFailurePolicy: policy, kind, name: matched } = matcher;
  return [
    ...when(!matched && !inferFromVolume, () =>
      notFound(path, `Either Name or InferFromVolume should be provided within the ${name}`),
    ),
    ...when(inferFromVolume && matched, () =>
      notSupported(`${path}.name`, 'Name already set, should be cleared before setting inferFromVolume'),
    ),
    ...when(inferFromVolume && kind, () =>
      notSupported(`${path}.kind`, 'Kind already set, should be cleared before setting inferFromVolume'),
    ),
    ...when(policy !== undefined && policy !== 'Ignore' && policy !== 'Reject', () =>
      invalid(
        `${path}.inferFromVolumeFailurePolicy`,
        `Invalid value '${policy}' for InferFromVolumeFailurePolicy`,
      ),
    ),
  ];
}
