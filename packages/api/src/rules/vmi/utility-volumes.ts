/** Utility volumes: claims that the launcher, not the guest, uses (memory dumps, backups). */
import { isGateEnabled } from '../../config/cluster-config.ts';
import type { VMISpec } from '../../types/index.ts';
import { invalid, type Rule, required, when } from '../rule.ts';

export const utilityVolumeRules: readonly Rule<VMISpec>[] = [
  {
    id: 'utilityVolumes.gate',
    field: 'utilityVolumes',
    summary: 'Utility volumes need the gate UtilityVolumes, a claim and names that no volume has.',
    check: (spec, { config, path }) => {
      const volumes = spec.utilityVolumes ?? [];
      const field = `${path}.utilityVolumes`;
      if (volumes.length > 0 && !isGateEnabled(config, 'UtilityVolumes'))
        return [invalid(field, 'UtilityVolumes feature gate is not enabled in kubevirt-config')];
      return volumes.flatMap(({ claimName, name }, index) => {
        const isTaken =
          volumes.findIndex((other) => other.name === name) < index ||
          spec.volumes?.some((volume) => volume.name === name);
        return [
          ...when(!name, () => required(`${field}[${index}].name`, 'utility volume must have a name')),
          ...when(isTaken, () =>
            invalid(`${field}[${index}].name`, `utility volume name ${JSON.stringify(name)} is already in use`),
          ),
          ...when(!claimName, () =>
            required(`${field}[${index}].claimName`, 'utility volume must name a PersistentVolumeClaim'),
          ),
        ];
      });
    },
  },
];

/** Only for a VMI: they are attached while it runs, never at its start. */
export const utilityVolumesAtCreateRule: Rule<VMISpec> = {
  id: 'utilityVolumes.create',
  field: 'utilityVolumes',
  summary: 'A VMI is created without utility volumes.',
  check: (spec, { path }) =>
    when((spec.utilityVolumes ?? []).length > 0, () =>
      invalid(`${path}.utilityVolumes`, 'cannot create VMI with utility volumes in spec'),
    ),
};
