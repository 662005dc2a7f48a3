/** How an interface is bound to its network. */
import { isGateEnabled } from '../../../config/cluster-config.ts';
import type { Interface, VMISpec } from '../../../types/index.ts';
import { invalid, type Rule, when } from '../../rule.ts';
import { eachInterface, networkOf } from './interfaces.ts';

/** The address of the bridge inside the Pod; a guest with the same one would never be answered. */
const RESERVED_MAC = '02:00:00:00:00:00';
const DISCONTINUED = [
  ['passt', 'Passt network binding'],
  ['macvtap', 'Macvtap network binding'],
  ['slirp', 'Slirp interface support'],
] as const;

/** Bindings that are gone. A VM that uses one hears of nothing else. */
export const discontinuedBindingRule: Rule<VMISpec> = {
  id: 'interfaces.binding.discontinued',
  field: 'domain.devices.interfaces[]',
  summary: 'The bindings slirp, macvtap and the old passt are gone since v1.3.',
  check: eachInterface((nic, field) =>
    DISCONTINUED.flatMap(([binding, name]) =>
      when(nic[binding], () => invalid(`${field}.${binding}`, `${name} has been discontinued since v1.3`)),
    ),
  ),
};

export const bindingRules: readonly Rule<VMISpec>[] = [
  {
    id: 'interfaces.binding.single',
    field: 'domain.devices.interfaces[]',
    summary: 'An interface has exactly one binding method or one binding plugin.',
    check: eachInterface((nic, field) => {
      const methods = methodCount(nic);
      return when(methods + (nic.binding ? 1 : 0) !== 1, () =>
        invalid(
          field,
          `logical ${nic.name} interface must have exactly one binding method or binding plugin`,
        ),
      );
    }),
  },
  {
    id: 'interfaces.masquerade',
    field: 'domain.devices.interfaces[].masquerade',
    summary:
      'Masquerade works on the Pod network only, and not with the MAC address of the bridge in the Pod.',
    check: eachInterface((nic, field, spec) => {
      if (!nic.masquerade) return [];
      return [
        ...when(!networkOf(nic, spec)?.pod, () =>
          invalid(`${field}.name`, 'Masquerade interface only implemented with pod network'),
        ),
        ...when(nic.macAddress?.toLowerCase() === RESERVED_MAC, () =>
          invalid(
            `${field}.macAddress`,
            'The requested MAC address is reserved for the in-pod bridge. Please choose another one.',
          ),
        ),
      ];
    }),
  },
  {
    id: 'interfaces.bridge',
    field: 'domain.devices.interfaces[].bridge',
    summary: 'A bridge on the Pod network must be permitted (permitBridgeInterfaceOnPodNetwork).',
    check: eachInterface((nic, field, spec, { config }) =>
      when(nic.bridge && networkOf(nic, spec)?.pod && !config.permitBridgeInterfaceOnPodNetwork, () =>
        invalid(`${field}.name`, 'Bridge on pod network configuration is not enabled under kubevirt-config'),
      ),
    ),
  },
  {
    id: 'interfaces.passtBinding',
    field: 'domain.devices.interfaces[].passtBinding',
    summary: 'The passt binding needs the gate PasstBinding and the Pod network.',
    check: eachInterface((nic, field, spec, { config }) => {
      if (!nic.passtBinding) return [];
      return [
        ...when(!isGateEnabled(config, 'PasstBinding'), () =>
          invalid(`${field}.name`, 'PasstBinding feature gate is not enabled'),
        ),
        ...when(!networkOf(nic, spec)?.pod, () =>
          invalid(`${field}.name`, 'PasstBinding interface only implemented with pod network'),
        ),
      ];
    }),
  },
];

function methodCount({ bridge, masquerade, passtBinding, sriov }: Interface): number {
  return [bridge, masquerade, passtBinding, sriov].filter((method) => method !== undefined).length;
}
