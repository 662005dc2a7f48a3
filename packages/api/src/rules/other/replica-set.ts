/** Rules of VirtualMachineInstanceReplicaSets and VirtualMachinePools. */
import type { ClusterConfig } from '../../config/cluster-config.ts';
import { matchesSelector } from '../../label-selector.ts';
import { sameMeaning } from '../../same-meaning.ts';
import type {
  IntOrString,
  LabelSelector,
  ObjectMeta,
  VirtualMachineInstanceReplicaSet,
  VirtualMachinePool,
  VirtualMachinePoolSpec,
  VMSpec,
} from '../../types/index.ts';
import { templateSpec } from '../../template-spec.ts';
import { type Admission, admissionOf } from '../admission.ts';
import { discontinuedGateCauses } from '../discontinued-gates.ts';
import { type Cause, invalid, required, runRules, when } from '../rule.ts';
import { selectorProblem } from '../selector-problem.ts';
import { vmSpecCauses } from '../validate-vm.ts';
import { graceAnnotationCauses } from '../vmi/grace-io.ts';
import { vmiSpecRules } from '../vmi/index.ts';

/** An empty list of a selector says nothing. */
const SELECTOR = { properties: { matchExpressions: {}, matchLabels: {} } };

/** Whether a replica set may stand: a valid template whose labels its selector finds; `old` when it is changed. */
export function validateReplicaSet(
  replicaSet: VirtualMachineInstanceReplicaSet,
  config: ClusterConfig,
  old?: VirtualMachineInstanceReplicaSet,
): Admission {
  const { selector, template } = replicaSet.spec;
  const vmi = templateSpec(template);
  if (!vmi) return admissionOf([required('spec.template', 'missing virtual machine template.')]);
  const metadata = template?.metadata ?? {};
  return admissionOf([
    ...graceAnnotationCauses(metadata, vmi, config, 'spec.template.metadata'),
    ...runRules(vmiSpecRules, vmi, { config, path: 'spec.template.spec' }),
    ...selectorCauses(selector, metadata),
    ...(old === undefined ? discontinuedGateCauses(vmi, config) : []),
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
  const isWarm = pool.spec.warm === true;
  if (!isWarm && !template)
    return admissionOf([required('spec.template', 'missing virtual machine template.')]);
  const path = 'spec.virtualMachineTemplate.spec';
  const vmi = templateSpec(template?.spec?.template);
  const none = [required(`${path}.template`, 'missing virtual machine template.')];
  const causes = (spec: VMSpec | undefined): readonly Cause[] =>
    spec === undefined ? none : vmSpecCauses(spec, path, { config, isKubeVirtServiceAccount });
  return admissionOf([
    ...warmCauses(pool.spec),
    ...(isWarm ? [] : causes(template?.spec)),
    ...selectorCauses(selector, template?.metadata),
    ...maxUnavailableCauses(maxUnavailable),
    ...strategyCauses(updateStrategy ?? {}, 'spec.updateStrategy'),
    ...strategyCauses(scaleInStrategy ?? {}, 'spec.scaleInStrategy'),
    ...when(old && !sameMeaning(selector, old.spec.selector, SELECTOR), () =>
      invalid('spec.selector', 'selector is immutable after creation.'),
    ),
    ...(old === undefined && vmi ? discontinuedGateCauses(vmi, config) : []),
  ]);
}

/** Pools whose machines go on from memory. */
function warmCauses({
  identityless,
  source,
  virtualMachineTemplate,
  warm,
}: VirtualMachinePoolSpec): readonly Cause[] {
  if (warm !== true)
    return [
      ...when(source !== undefined, () =>
        invalid('spec.source', 'Only a pool of warm copies (spec.warm) has a source'),
      ),
      ...when(identityless === true, () =>
        invalid('spec.identityless', 'Only warm copies can be without an identity of their own'),
      ),
    ];
  return [
    ...when(
      source?.kind !== 'VirtualMachineSnapshot' ||
        source.apiGroup !== 'snapshot.kubevirt.io' ||
        source.name === '',
      () =>
        invalid(
          'spec.source',
          'Warm copies are made of a VirtualMachineSnapshot (apiGroup snapshot.kubevirt.io) with memory',
        ),
    ),
    ...when(virtualMachineTemplate?.spec !== undefined, () =>
      invalid(
        'spec.virtualMachineTemplate.spec',
        'Warm copies are the machine of their snapshot: the template has labels and annotations only',
      ),
    ),
  ];
}

function selectorCauses(selector: LabelSelector, metadata: ObjectMeta | undefined): readonly Cause[] {
  const problem = selectorProblem(selector);
  if (problem !== undefined) return [invalid('spec.selector', problem)];
  return when(!matchesSelector(selector, metadata?.labels), () =>
    invalid('spec.selector', 'selector does not match labels.'),
  );
}

function maxUnavailableCauses(value: IntOrString | undefined): readonly Cause[] {
  if (value === undefined) return [];
  const field = 'spec.maxUnavailable';
  if (typeof value === 'number')
    return when(value <= 0, () => invalid(field, 'maxUnavailable must be greater than 0'));
  if (!value.endsWith('%')) return [invalid(field, 'maxUnavailable percentage must end with %')];
  const percent = value.slice(0, -1);
  if (!/^[+-]?\d+$/.test(percent))
    return [
      invalid(
        field,
        `maxUnavailable percentage value ${JSON.stringify(percent)} is invalid: strconv.Atoi: parsing ${JSON.stringify(percent)}: invalid syntax`,
      ),
    ];
  return when(Number(percent) <= 0 || Number(percent) > 100, () =>
    invalid(field, `maxUnavailable percentage value ${Number(percent)} must be between 1 and 100`),
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
