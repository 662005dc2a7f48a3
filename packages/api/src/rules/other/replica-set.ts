/** Rules of VirtualMachineInstanceReplicaSets and VirtualMachinePools. */
import { deepEqual } from '@podvisor/base';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import { matchesSelector } from '../../label-selector.ts';
import type {
  IntOrString,
  LabelSelector,
  ObjectMeta,
  VirtualMachineInstanceReplicaSet,
  VirtualMachinePool,
} from '../../types/index.ts';
import { type Admission, admissionOf } from '../admission.ts';
import { type Cause, invalid, required, runRules, when } from '../rule.ts';
import { validateVmSpec } from '../validate-vm.ts';
import { vmiSpecRules } from '../vmi/index.ts';
import { annotationRules } from '../vmi/metadata.ts';

/** Whether a replica set may stand: a valid template whose labels its selector finds. */
export function validateReplicaSet(
  replicaSet: VirtualMachineInstanceReplicaSet,
  config: ClusterConfig,
): Admission {
  const { selector, template } = replicaSet.spec;
  if (!template?.spec) return admissionOf([required('spec.template', 'missing virtual machine template.')]);
  return admissionOf([
    ...runRules(vmiSpecRules, template.spec, { config, path: 'spec.template.spec' }),
    ...runRules(annotationRules, template.metadata ?? {}, { config, path: 'spec.template.metadata' }),
    ...selectorCauses(selector, template.metadata),
  ]);
}

/** Whether a pool may stand; `old` is the stored object when it is changed. */
export function validatePool(
  pool: VirtualMachinePool,
  config: ClusterConfig,
  old?: VirtualMachinePool,
  isKubeVirtServiceAccount = false,
): Admission {
  const {
    maxUnavailable,
    scaleInStrategy,
    selector,
    updateStrategy,
    virtualMachineTemplate: template,
  } = pool.spec;
  if (!template?.spec) return admissionOf([required('spec.template', 'missing virtual machine template.')]);
  const path = 'spec.virtualMachineTemplate.spec';
  const vm = validateVmSpec(template.spec, path, { config, isKubeVirtServiceAccount }, [
    ...selectorCauses(selector, template.metadata),
    ...when(old && !deepEqual(selector, old.spec.selector), () =>
      invalid('spec.selector', 'selector is immutable after creation.'),
    ),
    ...maxUnavailableCauses(maxUnavailable),
    ...strategyCauses(scaleInStrategy ?? {}, 'spec.scaleInStrategy'),
    ...strategyCauses(updateStrategy ?? {}, 'spec.updateStrategy'),
  ]);
  return { ...vm, warnings: [] };
}

function selectorCauses(selector: LabelSelector, metadata: ObjectMeta | undefined): readonly Cause[] {
  return when(!matchesSelector(selector, metadata?.labels), () =>
    invalid('spec.selector', 'selector does not match labels.'),
  );
}

function maxUnavailableCauses(value: IntOrString | undefined): readonly Cause[] {
  if (value === undefined) return [];
  const field = 'spec.maxUnavailable';
  if (typeof value === 'number')
    return when(value <= 0, () => invalid(field, 'maxUnavailable must be greater than 0'));
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined)
    return [invalid(field, `maxUnavailable is invalid: ${value} is neither a number nor a percentage`)];
  return when(Number(percent) < 1 || Number(percent) > 100, () =>
    invalid(field, 'maxUnavailable percentage must be between 1% and 100%'),
  );
}

function strategyCauses(
  strategy: { readonly unmanaged?: unknown; readonly opportunistic?: unknown; readonly proactive?: unknown },
  field: string,
): readonly Cause[] {
  const chosen = (['unmanaged', 'opportunistic', 'proactive'] as const).filter(
    (name) => strategy[name] !== undefined,
  );
  return when(chosen.length > 1, () =>
    invalid(
      field,
      `only one strategy can be configured at a time: but found ${chosen.join(', ')} strategies`,
    ),
  );
}
