/** Utility volumes: claims that the launcher, not the guest, uses (memory dumps, backups). */
import { isGateEnabled } from '../../../config/cluster-config.ts';
import { takesMemory } from '../../../lifecycle/memory-snapshot.ts';
import type { VMISpec } from '../../../types/index.ts';
import { duplicate, invalid, type Rule, required, when } from '../../rule.ts';

/** Hold when volumes are attached to a VMI that runs. */
export const utilityVolumeRules: readonly Rule<VMISpec>[] = [
  {
    id: 'utilityVolumes.gate',
    field: 'utilityVolumes',
    summary: 'Utility volumes need the gate UtilityVolumes, a claim and names that no volume has.',
    check: (spec, { config, path }) => {
      const volumes = spec.utilityVolumes ?? [];
      const field = `${path}.utilityVolumes`;
      if (volumes.some((volume) => !takesMemory(volume)) && !isGateEnabled(config, 'UtilityVolumes'))
        return [invalid(field, 'UtilityVolumes feature gate is not enabled')];
      return volumes.flatMap(({ claimName, name }, index) => {
        const own = `${field}[${index}]`;
        const first = volumes.findIndex((other) => other.name === name);
        const volume = spec.volumes?.findIndex((other) => other.name === name) ?? -1;
        return [
          ...when(!name, () => required(`${own}.name`, "UtilityVolume 'name' must be set")),
          ...when(first < index, () =>
            duplicate(`${own}.name`, `${own} and ${field}[${first}] must not have the same Name.`),
          ),
          ...when(volume >= 0, () =>
            duplicate(
              `${own}.name`,
              `${own} conflicts with ${path}.volumes[${volume}]. UtilityVolume names must be unique across both volumes and utilityVolumes.`,
            ),
          ),
          ...when(!claimName, () =>
            required(`${own}.claimName`, "UtilityVolume PVC 'claimName' must be set"),
          ),
        ];
      });
    },
  },
];

/** They are attached while a VMI runs, never at its start. */
export const utilityVolumesAtCreateRule: Rule<VMISpec> = {
  id: 'utilityVolumes.create',
  field: 'utilityVolumes',
  summary: 'A VMI is created without utility volumes.',
  check: (spec, { path }) =>
    when(spec.utilityVolumes !== undefined, () =>
      invalid(
        `${path}.utilityVolumes`,
        'cannot create VMI with utility volumes in spec, utility volumes can only be added via hotplug',
      ),
    ),
};
