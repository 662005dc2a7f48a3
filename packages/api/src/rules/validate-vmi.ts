/** The validating webhooks of a VMI. */
import type { ClusterConfig } from '../config/cluster-config.ts';
import type { VirtualMachineInstance } from '../types/index.ts';
import { type Admission, admissionOf } from './admission.ts';
import { runRules } from './rule.ts';
import { discontinuedBindingRule } from './vmi/bindings.ts';
import { vmiOnlyRules, vmiSpecRules } from './vmi/index.ts';
import { annotationRules, labelRule } from './vmi/metadata.ts';

export interface VmiValidationContext {
  readonly config: ClusterConfig;
  /** The request comes from one of our own components. */
  readonly isKubeVirtServiceAccount: boolean;
}

/** Whether a VMI may be created. Expects the object as the defaults left it. */
export function validateVmiCreate(vmi: VirtualMachineInstance, context: VmiValidationContext): Admission {
  const spec = { config: context.config, path: 'spec' };
  const metadata = { ...context, path: 'metadata' };
  return admissionOf([
    ...discontinuedBindingRule.check(vmi.spec, spec),
    ...runRules(vmiSpecRules, vmi.spec, spec),
    ...runRules(vmiOnlyRules, vmi.spec, spec),
    ...labelRule.check(vmi.metadata ?? {}, metadata),
    ...runRules(annotationRules, vmi.metadata ?? {}, metadata),
  ]);
}
