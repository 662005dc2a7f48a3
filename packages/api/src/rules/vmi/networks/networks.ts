/** Networks: where each comes from, and that networks and interfaces belong together one to one. */
import type { Network, VMISpec } from '../../../types/index.ts';
import { duplicate, invalid, type Rule, required, when } from '../../rule.ts';

export const networkRules: readonly Rule<VMISpec>[] = [
  {
    id: 'networks.pod.single',
    field: 'networks',
    summary: 'At most one network is the Pod network.',
    check: (spec, { path }) =>
      when((spec.networks ?? []).filter((network) => network.pod).length > 1, () =>
        duplicate(
          `${path}.interfaces`,
          `more than one interface is connected to a pod network in ${path}.interfaces`,
        ),
      ),
  },
  {
    id: 'networks.multus.default',
    field: 'networks[].multus.default',
    summary: 'At most one Multus network is the default, and then there is no Pod network.',
    check: (spec, { path }) => {
      const networks = spec.networks ?? [];
      const defaults = networks.filter((network) => network.multus?.default).length;
      return [
        ...when(defaults > 1, () =>
          invalid(`${path}.networks`, 'Multus CNI should only have one default network'),
        ),
        ...when(defaults > 0 && networks.some((network) => network.pod), () =>
          invalid(`${path}.networks`, 'Pod network cannot be defined when Multus default network is defined'),
        ),
      ];
    },
  },
  {
    id: 'networks.source',
    field: 'networks[]',
    summary: 'A network has exactly one source: pod, multus or resourceClaim.',
    check: (spec, { path }) =>
      (spec.networks ?? []).flatMap((network, index) => {
        const count = sourceCount(network);
        const field = `${path}.networks[${index}]`;
        if (count === 1) return [];
        return [
          required(field, count === 0 ? 'should have a network type' : 'should have only one network type'),
        ];
      }),
  },
  {
    id: 'networks.multus.networkName',
    field: 'networks[].multus.networkName',
    summary: 'A Multus network names its NetworkAttachmentDefinition.',
    check: (spec, { path }) => {
      const index = (spec.networks ?? []).findIndex(
        (network) => network.multus && !network.multus.networkName,
      );
      return when(index >= 0, () =>
        required(`${path}.networks[${index}]`, 'CNI delegating plugin must have a networkName'),
      );
    },
  },
];

export const networkNameRules: readonly Rule<VMISpec>[] = [
  {
    id: 'networks.name.unique',
    field: 'networks[].name',
    summary: 'The names of networks are unique.',
    check: (spec, { path }) =>
      (spec.networks ?? []).flatMap(({ name }, index, networks) =>
        when(networks.findIndex((other) => other.name === name) < index, () =>
          duplicate(
            `${path}.networks[${index}].name`,
            `Network with name ${JSON.stringify(name)} already exists, every network must have a unique name`,
          ),
        ),
      ),
  },
];

export const networkUseRules: readonly Rule<VMISpec>[] = [
  {
    id: 'networks.used',
    field: 'networks[].name',
    summary: 'Every network is used by an interface of its name.',
    check: (spec, { path }) => {
      const interfaces = spec.domain.devices.interfaces ?? [];
      return (spec.networks ?? []).flatMap(({ name }, index) => {
        const field = `${path}.networks[${index}].name`;
        return when(!interfaces.some((candidate) => candidate.name === name), () =>
          required(field, `${field} '${name}' not found.`),
        );
      });
    },
  },
];

function sourceCount({ multus, pod, resourceClaim }: Network): number {
  return [pod, multus, resourceClaim].filter((source) => source !== undefined).length;
}
