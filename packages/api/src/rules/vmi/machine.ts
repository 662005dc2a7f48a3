/** The machine type. */
import { architectureDefaults } from '../../config/cluster-config.ts';
import type { VMISpec } from '../../types/index.ts';
import { invalid, type Rule, when } from '../rule.ts';

export const machineRules: readonly Rule<VMISpec>[] = [
  {
    id: 'machine.type',
    field: 'domain.machine.type',
    summary: 'The machine type is one that the cluster allows for the architecture (emulatedMachines).',
    check: (spec, { config, path }) => {
      const type = spec.domain.machine?.type;
      if (!type) return [];
      const allowed = architectureDefaults(config, spec.architecture).emulatedMachines;
      const field = `${path}.domain.machine.type`;
      return when(!allowed.some((glob) => matchesGlob(type, glob)), () =>
        invalid(field, `${field} is not supported: ${type} (allowed values: [${allowed.join(' ')}])`),
      );
    },
  },
];

/** Shell globs of a single name: `*`, `?` and `[…]`. */
function matchesGlob(name: string, glob: string): boolean {
  const pattern = glob
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  return new RegExp(`^${pattern}$`).test(name);
}
