/** Hyper-V enlightenments. Only for a VMI: templates are completed first. */
import { hypervDependencies } from '../../hyperv-dependencies.ts';
import type { VMISpec } from '../../types/index.ts';
import { invalid, type Rule, required, when } from '../rule.ts';

export const hypervRules: readonly Rule<VMISpec>[] = [
  {
    id: 'hyperv.dependencies',
    field: 'domain.features.hyperv',
    summary:
      'An enlightenment that needs another one cannot have it switched off (evmcs → vapic, synic → vpindex …).',
    check: (spec, { path }) => {
      const hyperv = spec.domain.features?.hyperv;
      if (!hyperv) return [];
      // The doubled path is what clients have always seen.
      const field = `${path}.domain.features.hyperv.domain.features.hyperv`;
      return hypervDependencies.flatMap(({ feature, requires }) =>
        when(hyperv[feature]?.enabled === true && hyperv[requires]?.enabled !== true, () =>
          invalid(
            `${field}.${feature}`,
            `'${field}.${feature}' requires '${field}.${requires}', which was disabled.`,
          ),
        ),
      );
    },
  },
  {
    id: 'hyperv.evmcs',
    field: 'domain.cpu.features',
    summary: 'evmcs needs the CPU feature vmx with policy require.',
    check: (spec) => {
      const evmcs = spec.domain.features?.hyperv?.evmcs;
      if (!evmcs || evmcs.enabled === false) return [];
      const features = spec.domain.cpu?.features ?? [];
      if (features.length === 0)
        return [required('spec.domain.cpu.features', 'vmx cpu feature is required when evmcs is set')];
      return features.flatMap(({ name, policy }, index) =>
        when(name === 'vmx' && policy !== 'require', () =>
          invalid(
            `spec.domain.cpu.features[${index}].policy`,
            'vmx cpu feature has to be set to require policy',
          ),
        ),
      );
    },
  },
  {
    id: 'hyperv.passthrough',
    field: 'domain.features.hypervPassthrough',
    summary: 'Enlightenments are listed or passed through from the host, not both.',
    check: (spec, { path }) =>
      when(spec.domain.features?.hyperv && spec.domain.features.hypervPassthrough, () =>
        invalid(
          `${path}.domain.features.hyperv`,
          'Cannot explicitly set hyperV features if HypervPassthrough is being used. Please use either HyperV or HypervPassthrough.',
        ),
      ),
  },
];
