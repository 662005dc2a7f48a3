/** Networks whose device comes from a resource claim (dynamic resource allocation). */
import { isGateEnabled } from '../../../config/cluster-config.ts';
import type { Network, VMISpec } from '../../../types/index.ts';
import { type Cause, duplicate, invalid, notFound, type Rule, required, when } from '../../rule.ts';

export const networkDraRules: readonly Rule<VMISpec>[] = [
  {
    id: 'networks.resourceClaim',
    field: 'networks[].resourceClaim',
    summary:
      'A network from a resource claim needs the gate NetworkDevicesWithDRA, an SR-IOV or plugin interface, and a declared claim of its own; Multus cannot be mixed in.',
    check: (spec, { config, path }) => {
      const networks = spec.networks ?? [];
      if (!networks.some((network) => network.resourceClaim)) return [];
      if (!isGateEnabled(config, 'NetworkDevicesWithDRA'))
        return [
          invalid(
            `${path}.networks`,
            'vmi.spec.networks contains DRA networks but NetworkDevicesWithDRA feature gate is not enabled',
          ),
        ];
      if (networks.some((network) => network.multus))
        return [
          invalid(
            `${path}.networks`,
            'mixing Multus and DRA resourceClaim networks in the same VMI is not supported',
          ),
        ];
      return networks.flatMap((network, index) => checkClaim(network, index, spec, path));
    },
  },
];

/** `claim/request` of a network, when both are given. */
export function networkClaimKey({ resourceClaim }: Network): string | undefined {
  const { claimName, requestName } = resourceClaim ?? {};
  return claimName && requestName ? `${claimName}/${requestName}` : undefined;
}

function checkClaim(network: Network, index: number, spec: VMISpec, path: string): readonly Cause[] {
  const claim = network.resourceClaim;
  if (!claim) return [];
  const field = `${path}.networks[${index}]`;
  const nic = spec.domain.devices.interfaces?.find((candidate) => candidate.name === network.name);
  const key = networkClaimKey(network);
  const isDeclared = spec.resourceClaims?.some((declared) => declared.name === claim.claimName);
  const isRepeated = spec.networks?.findIndex((other) => networkClaimKey(other) === key) !== index;
  return [
    ...when(nic && !nic.sriov && !nic.binding, () =>
      invalid(
        `${path}.domain.devices.interfaces`,
        `DRA network ${JSON.stringify(network.name)} requires an SR-IOV or binding plugin interface`,
      ),
    ),
    ...when(!claim.claimName, () =>
      required(`${field}.resourceClaim.claimName`, 'claimName is required for DRA network'),
    ),
    ...when(!claim.requestName, () =>
      required(`${field}.resourceClaim.requestName`, 'requestName is required for DRA network'),
    ),
    ...when(key && !isDeclared, () =>
      notFound(
        `${field}.resourceClaim.claimName`,
        `network references resourceClaim ${JSON.stringify(claim.claimName)} which is not defined in spec.resourceClaims`,
      ),
    ),
    ...when(key && isRepeated, () =>
      duplicate(field, `duplicate claimName/requestName combination ${JSON.stringify(key)}`),
    ),
  ];
}
