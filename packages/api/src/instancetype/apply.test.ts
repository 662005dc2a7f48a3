import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conformanceCases, skipWithoutConformance } from '../testing/conformance.ts';
import type {
  ObjectMeta,
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
  VMISpec,
} from '../types/index.ts';
import { expandVmiSpec } from './apply.ts';

interface Recorded {
  readonly id: string;
  readonly instancetypeSpec: VirtualMachineInstancetypeSpec | null;
  readonly preferenceSpec: VirtualMachinePreferenceSpec | null;
  readonly vmiSpecBefore: VMISpec;
  readonly vmiMetadataBefore: ObjectMeta;
  readonly conflicts: readonly string[] | null;
  readonly vmiSpecAfter: VMISpec | null;
  readonly vmiMetadataAfter: ObjectMeta | null;
}

describe('instancetype-apply.jsonl', { skip: skipWithoutConformance }, () => {
  if (skipWithoutConformance) return;
  for (const recorded of conformanceCases<Recorded>('instancetype-apply.jsonl')) {
    test(recorded.id, () => {
      const before = structuredClone(recorded);
      const result = expandVmiSpec(recorded.vmiSpecBefore, recorded.vmiMetadataBefore ?? {}, {
        ...(recorded.instancetypeSpec && { instancetype: recorded.instancetypeSpec }),
        ...(recorded.preferenceSpec && { preference: recorded.preferenceSpec }),
      });
      assert.deepEqual(recorded, before, 'the inputs are left alone');
      if (recorded.conflicts) {
        assert.deepEqual(result, { kind: 'conflict', paths: recorded.conflicts });
        return;
      }
      assert.equal(result.kind, 'expanded');
      if (result.kind !== 'expanded') return;
      // The recording drops what is undefined.
      assert.deepEqual(JSON.parse(JSON.stringify(result.spec)), recorded.vmiSpecAfter);
      assert.deepEqual(JSON.parse(JSON.stringify(result.metadata)), recorded.vmiMetadataAfter ?? {});
    });
  }
});
