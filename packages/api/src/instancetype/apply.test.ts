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

test('of the conflicts of memory, the first is told', () => {
  const spec = {
    domain: { devices: {}, memory: { guest: '1Gi' }, resources: { requests: { memory: '1Gi' } } },
  };
  const instancetype = { cpu: { guest: 1 }, memory: { guest: '1Gi' } };
  assert.deepEqual(expandVmiSpec(spec, {}, { instancetype }), {
    kind: 'conflict',
    paths: ['spec.template.spec.domain.memory.guest'],
  });
});

test('overcommitted memory is counted in single precision', () => {
  const requested = (guest: string, overcommitPercent: number): unknown => {
    const instancetype = { cpu: { guest: 1 }, memory: { guest, overcommitPercent } };
    const result = expandVmiSpec({ domain: { devices: {} } }, {}, { instancetype });
    return result.kind === 'expanded' ? result.spec.domain.resources?.requests?.memory : result.paths;
  };
  assert.equal(requested('512M', 15), '435200k');
  // 96 636 764.16 exactly; a single holds multiples of 8 there.
  assert.equal(requested('128Mi', 28), '96636768');
});
