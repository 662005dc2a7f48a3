/** Volumes: one source each, and what each source needs. Cloud-init has a file of its own. */
import { parseQuantity } from '@podvisor/base';
import { type ClusterConfig, isGateEnabled } from '../../../config/cluster-config.ts';
import type { HostDisk, VMISpec, Volume } from '../../../types/index.ts';
import { type Cause, invalid, notFound, type Rule, type RuleContext, required, when } from '../../rule.ts';
import { pathProblems } from '../paths.ts';

/** A check that runs for every volume, with its path. */
export function eachVolume(
  check: (volume: Volume, field: string, context: RuleContext) => readonly Cause[],
): Rule<VMISpec>['check'] {
  return (spec, context) =>
    (spec.volumes ?? []).flatMap((volume, index) =>
      check(volume, `${context.path}.volumes[${index}]`, context),
    );
}

export const volumeRules: readonly Rule<VMISpec>[] = [
  {
    id: 'volumes.name.unique',
    field: 'volumes[].name',
    summary: 'The names of volumes are unique.',
    check: (spec, { path }) =>
      (spec.volumes ?? []).flatMap(({ name }, index, volumes) => {
        const first = volumes.findIndex((other) => other.name === name);
        const field = `${path}.volumes[${index}]`;
        return when(first < index, () =>
          invalid(`${field}.name`, `${field} and ${path}.volumes[${first}] must not have the same Name.`),
        );
      }),
  },
  {
    id: 'volumes.dataVolume.name',
    field: 'volumes[].dataVolume.name',
    summary: 'A DataVolume is named.',
    check: eachVolume(({ dataVolume }, field) =>
      when(dataVolume && !dataVolume.name, () => required(`${field}.name`, "DataVolume 'name' must be set")),
    ),
  },
  {
    id: 'volumes.source.single',
    field: 'volumes[]',
    summary: 'A volume has exactly one source.',
    check: eachVolume((volume, field) => {
      const { name: _name, ...sources } = volume;
      const count = Object.values(sources).filter((source) => source !== undefined).length;
      return when(count !== 1, () => invalid(field, `${field} must have exactly one source type set`));
    }),
  },
];

/** What each source needs. */
export const volumeSourceRules: readonly Rule<VMISpec>[] = [
  {
    id: 'volumes.downwardMetrics.gate',
    field: 'volumes[].downwardMetrics',
    summary: 'A downwardMetrics volume needs the gate DownwardMetrics.',
    check: eachVolume(({ downwardMetrics }, field, { config }) =>
      when(downwardMetrics && !isGateEnabled(config, 'DownwardMetrics'), () =>
        invalid(field, 'downwardMetrics disks are not allowed: DownwardMetrics feature gate is not enabled.'),
      ),
    ),
  },
  {
    id: 'volumes.hostDisk',
    field: 'volumes[].hostDisk',
    summary:
      'A hostDisk needs the gate HostDisk, a path and type Disk or DiskOrCreate; capacity only with the latter.',
    check: eachVolume(({ hostDisk }, field, { config }) =>
      hostDisk ? checkHostDisk(hostDisk, field, config) : [],
    ),
  },
  {
    id: 'volumes.reference',
    field: 'volumes[].configMap, volumes[].secret, volumes[].serviceAccount',
    summary: 'A configMap, secret or serviceAccount volume names its object.',
    check: eachVolume(({ configMap, secret, serviceAccount }, field) => [
      ...when(configMap && !configMap.name, () => requiredField(`${field}.configMap.name`)),
      ...when(secret && !secret.secretName, () => requiredField(`${field}.secret.secretName`)),
      ...when(serviceAccount && !serviceAccount.serviceAccountName, () =>
        requiredField(`${field}.serviceAccount.serviceAccountName`),
      ),
    ]),
  },
];

export const singleVolumesRule: Rule<VMISpec> = {
  id: 'volumes.single',
  field: 'volumes',
  summary: 'At most one serviceAccount, one downwardMetrics and one memoryDump volume.',
  check: (spec, { path }) => {
    const volumes = spec.volumes ?? [];
    const field = `${path}.volumes`;
    const isRepeated = (has: (volume: Volume) => unknown): boolean => volumes.filter(has).length > 1;
    return [
      ...when(
        isRepeated((volume) => volume.serviceAccount),
        () => invalid(field, `${field} must have max one serviceAccount volume set`),
      ),
      ...when(
        isRepeated((volume) => volume.downwardMetrics),
        () => invalid(field, `${field} must have max one downwardMetric volume set`),
      ),
      ...when(
        isRepeated((volume) => volume.memoryDump),
        () => invalid(field, `${field} must have max one memory dump volume set`),
      ),
    ];
  },
};

export const containerDiskPathRule: Rule<VMISpec> = {
  id: 'volumes.containerDisk.path',
  field: 'volumes[].containerDisk.path',
  summary: 'The path of a disk in an image is absolute, without relative parts, and not the root.',
  check: eachVolume(({ containerDisk }, field) =>
    containerDisk?.path ? pathProblems(`${field}.containerDisk`, containerDisk.path) : [],
  ),
};

function requiredField(field: string): Cause {
  return invalid(field, `${field} is a required field`);
}

function checkHostDisk(hostDisk: HostDisk, field: string, config: ClusterConfig): readonly Cause[] {
  const own = `${field}.hostDisk`;
  const hasCapacity = hostDisk.capacity !== undefined && parseQuantity(hostDisk.capacity).nano !== 0n;
  return [
    ...when(!isGateEnabled(config, 'HostDisk'), () => invalid(field, 'HostDisk feature gate is not enabled')),
    ...when(!hostDisk.path, () => notFound(`${own}.path`, `${own}.path is required for hostDisk volume`)),
    ...when(!['Disk', 'DiskOrCreate'].includes(hostDisk.type), () =>
      invalid(
        `${own}.type`,
        `${own}.type has invalid value '${hostDisk.type}', allowed are 'Disk' or 'DiskOrCreate'`,
      ),
    ),
    ...when(hostDisk.type === 'Disk' && hasCapacity, () =>
      invalid(
        `${own}.capacity`,
        `${own}.capacity is allowed to pass only with ${own}.type equal to 'DiskOrCreate'`,
      ),
    ),
  ];
}
