/**
 * QEMU refuses some Hyper-V enlightenments without others. What is missing is switched on; what was
 * switched off on purpose stays off, and the rules refuse the VMI with the reason.
 */
import type { Draft } from '../../draft.ts';
import { hypervDependencies } from '../../hyperv-dependencies.ts';
import type { VMISpec } from '../../types/index.ts';

export function defaultHypervDependencies(spec: Draft<VMISpec>): void {
  const hyperv = spec.domain.features?.hyperv;
  if (!hyperv) return;
  for (const { feature, requires } of hypervDependencies) {
    if (hyperv[feature]?.enabled !== true) continue;
    if (hyperv[requires]?.enabled === false) return;
    hyperv[requires] = { ...hyperv[requires], enabled: true };
  }
  if (hyperv.evmcs && hyperv.evmcs.enabled !== false) requireVmx(spec);
}

/** Nested virtualisation on Hyper-V needs VMX in the guest. */
function requireVmx(spec: Draft<VMISpec>): void {
  spec.domain.cpu ??= {};
  const features = spec.domain.cpu.features ?? [];
  const vmx = features.find((feature) => feature.name === 'vmx');
  if (vmx) vmx.policy = 'require';
  else spec.domain.cpu.features = [...features, { name: 'vmx', policy: 'require' }];
}
