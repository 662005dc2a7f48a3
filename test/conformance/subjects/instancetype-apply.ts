/** Recorded merges of an instance type and a preference into the spec of a VMI. */
import {
  expandVmiSpec,
  type ObjectMeta,
  type VirtualMachineInstancetypeSpec,
  type VirtualMachinePreferenceSpec,
  type VMISpec,
} from '@podvisor/api';
import { differences } from '../differences.ts';
import { jsonCases } from '../records.ts';
import { subject } from '../subject.ts';

interface Input {
  readonly instancetypeSpec: VirtualMachineInstancetypeSpec | null;
  readonly preferenceSpec: VirtualMachinePreferenceSpec | null;
  readonly vmiSpecBefore: VMISpec;
  readonly vmiMetadataBefore: ObjectMeta | null;
}
interface Expected {
  readonly conflicts: readonly string[] | null;
  readonly vmiSpecAfter: VMISpec | null;
  readonly vmiMetadataAfter: ObjectMeta | null;
}
type Answer = ReturnType<typeof expandVmiSpec>;

export const instancetypeApply = subject<Input, Expected, Answer>(
  'instancetypes',
  /^instancetype-apply\.jsonl$/,
  {
    load: jsonCases<Input, Expected>(
      {
        instancetypeSpec: 'input',
        preferenceSpec: 'input',
        vmiSpecBefore: 'input',
        vmiMetadataBefore: 'input',
        conflicts: 'expected',
        vmiSpecAfter: 'expected',
        vmiMetadataAfter: 'expected',
      },
      ['test'],
    ),
    answer: ({ vmiSpecBefore, vmiMetadataBefore, instancetypeSpec, preferenceSpec }) =>
      expandVmiSpec(vmiSpecBefore, vmiMetadataBefore ?? {}, {
        ...(instancetypeSpec && { instancetype: instancetypeSpec }),
        ...(preferenceSpec && { preference: preferenceSpec }),
      }),
    compare: ({ conflicts, vmiSpecAfter, vmiMetadataAfter }, answer) => {
      if (answer.kind === 'conflict') return differences(conflicts ?? [], answer.paths, 'conflicts');
      return [
        ...differences(conflicts ?? [], [], 'conflicts'),
        ...(conflicts === null ? differences(vmiSpecAfter, answer.spec, 'spec') : []),
        ...(conflicts === null ? differences(vmiMetadataAfter ?? {}, answer.metadata, 'metadata') : []),
      ];
    },
  },
);
