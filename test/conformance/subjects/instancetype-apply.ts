/** Recorded merges of an instance type and a preference into the spec of a VMI. */
import {
  expandVmiSpec,
  type ObjectMeta,
  type VirtualMachineInstancetypeSpec,
  type VirtualMachinePreferenceSpec,
  type VMISpec,
} from '@podvisor/api';
import { differences } from '../differences.ts';
import { jsonLines } from '../records.ts';
import { subject } from '../subject.ts';

interface ApplyRecord {
  readonly id: string;
  readonly instancetypeSpec: VirtualMachineInstancetypeSpec | null;
  readonly preferenceSpec: VirtualMachinePreferenceSpec | null;
  readonly vmiSpecBefore: VMISpec;
  readonly vmiMetadataBefore: ObjectMeta | null;
  readonly conflicts: readonly string[] | null;
  readonly vmiSpecAfter: VMISpec | null;
  readonly vmiMetadataAfter: ObjectMeta | null;
}

export const instancetypeApply = subject<ApplyRecord>('instancetypes', /^instancetype-apply\.jsonl$/, {
  load: jsonLines,
  check: (recorded) => {
    const result = expandVmiSpec(recorded.vmiSpecBefore, recorded.vmiMetadataBefore ?? {}, {
      ...(recorded.instancetypeSpec && { instancetype: recorded.instancetypeSpec }),
      ...(recorded.preferenceSpec && { preference: recorded.preferenceSpec }),
    });
    if (recorded.conflicts !== null) {
      return differences(recorded.conflicts, result.kind === 'conflict' ? result.paths : [], 'conflicts');
    }
    if (result.kind === 'conflict') return [`conflicts: expected none, got ${result.paths.join(', ')}`];
    return [
      ...differences(recorded.vmiSpecAfter, result.spec, 'spec'),
      ...differences(recorded.vmiMetadataAfter ?? {}, result.metadata, 'metadata'),
    ];
  },
});
