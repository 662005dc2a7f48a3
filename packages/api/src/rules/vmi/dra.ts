/** GPUs and host devices: from a device plugin (deviceName) or from a resource claim, never both. */
import { type ClusterConfig, isGateEnabled } from '../../config/cluster-config.ts';
import type { HostDevice, PodResourceClaim, VMISpec } from '../../types/index.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../kubernetes-names.ts';
import { type Cause, duplicate, invalid, type Rule, required, when } from '../rule.ts';
import { networkClaimKey } from './networks/network-dra.ts';

interface Kind {
  readonly list: 'gpus' | 'hostDevices';
  /** As the sentences name one device, and the list. */
  readonly noun: string;
  readonly gate: 'GPUsWithDRA' | 'HostDevicesWithDRA';
}

const KINDS: readonly Kind[] = [
  { list: 'gpus', noun: 'GPU', gate: 'GPUsWithDRA' },
  { list: 'hostDevices', noun: 'HostDevice', gate: 'HostDevicesWithDRA' },
];

export const draRules: readonly Rule<VMISpec>[] = [
  {
    id: 'resourceClaims',
    field: 'resourceClaims[]',
    summary:
      'Resource claims have names of their own, which are DNS labels, and refer to one claim or one claim template.',
    check: (spec, { path }) =>
      (spec.resourceClaims ?? []).flatMap((claim, index, claims) =>
        checkClaim(claim, claims.slice(0, index), `${path}.resourceClaims[${index}]`),
      ),
  },
  {
    id: 'devices.claims',
    field: 'domain.devices.gpus[], domain.devices.hostDevices[]',
    summary:
      'A device names a deviceName or a claim with a request (gates GPUsWithDRA, HostDevicesWithDRA); claims are declared, each request is used once, and GPUs are all of one sort.',
    check: (spec, { config, path }) => checkDevices(spec, config, path),
  },
];

function checkClaim(
  claim: PodResourceClaim,
  earlier: readonly PodResourceClaim[],
  field: string,
): readonly Cause[] {
  const { name, resourceClaimName, resourceClaimTemplateName } = claim;
  const references = [resourceClaimName, resourceClaimTemplateName].filter(
    (reference) => reference !== undefined,
  );
  const named = [
    ['resourceClaimName', resourceClaimName],
    ['resourceClaimTemplateName', resourceClaimTemplateName],
  ] as const;
  return [
    ...claimNameCauses(name, earlier, `${field}.name`),
    ...when(references.length > 1, () =>
      invalid(field, 'at most one of resourceClaimName or resourceClaimTemplateName may be specified'),
    ),
    ...when(references.length === 0, () =>
      invalid(field, 'must specify one of: resourceClaimName, resourceClaimTemplateName'),
    ),
    ...named.flatMap(([key, reference]) =>
      reference === undefined
        ? []
        : dnsSubdomainProblems(reference).map((problem) => invalid(`${field}.${key}`, problem)),
    ),
  ];
}

function claimNameCauses(
  name: string,
  earlier: readonly PodResourceClaim[],
  field: string,
): readonly Cause[] {
  if (!name) return [required(field, `${field} is a required field`)];
  if (earlier.some((other) => other.name === name))
    return [duplicate(field, `duplicate resourceClaims name ${JSON.stringify(name)}`)];
  const problems = dnsLabelProblems(name);
  return when(problems.length > 0, () =>
    invalid(field, `${field} does not conform to the kubernetes DNS_LABEL rules: ${problems.join(', ')}`),
  );
}

function checkDevices(spec: VMISpec, config: ClusterConfig, path: string): Cause[] {
  const causes: Cause[] = [];
  const keys: Record<Kind['list'], Keys> = { gpus: [], hostDevices: [] };
  const used: string[] = [];
  for (const kind of KINDS) {
    const devices = spec.domain.devices[kind.list] ?? [];
    const field = `${path}.domain.devices.${kind.list}`;
    const problem = mixture(devices, kind, field);
    if (problem) {
      causes.push(problem);
      continue;
    }
    const claimed = devices.filter(isClaimed);
    causes.push(...devices.flatMap((device) => checkShape(device, kind, field)));
    if (claimed.length > 0 && !isGateEnabled(config, kind.gate)) {
      const text = `vmi.spec.domain.devices.${kind.list} contains DRA enabled ${kind.noun}s but feature gate is not enabled`;
      causes.push(invalid(field, text));
      continue;
    }
    causes.push(...checkNames(devices, kind, field));
    keys[kind.list] = devices.map(claimKey);
    used.push(...claimed.flatMap((device) => (claimKey(device) ? [device.claimName ?? ''] : [])));
  }
  const networkKeys = isGateEnabled(config, 'NetworkDevicesWithDRA')
    ? (spec.networks ?? []).map(networkClaimKey)
    : [];
  causes.push(...crossDuplicates(keys, networkKeys, path));
  const declared = new Set(spec.resourceClaims?.map(({ name }) => name));
  if (used.some((name) => !declared.has(name))) {
    causes.push(
      invalid(
        `${path}.resourceClaims`,
        'vmi.spec.resourceClaims must specify all claims used in vmi.spec.domain.devices.gpus and vmi.spec.domain.devices.hostDevices',
      ),
    );
  }
  return causes;
}

/** A device plugin and a DRA driver for GPUs do not get along on one node. */
function mixture(devices: readonly HostDevice[], { list, noun }: Kind, field: string): Cause | undefined {
  if (list !== 'gpus' || !devices.some(isClaimed) || devices.every(isClaimed)) return undefined;
  return invalid(
    field,
    `vmi.spec.domain.devices.${list} contains both DRA and non-DRA ${noun}s; each ${noun} must be either DRA or non-DRA`,
  );
}

/** Fields of both worlds, or of none. */
function checkShape(device: HostDevice, { list, noun }: Kind, field: string): readonly Cause[] {
  const hasClaim = device.claimName !== undefined || device.requestName !== undefined;
  if (device.deviceName) {
    return when(hasClaim, () =>
      invalid(
        field,
        `vmi.spec.domain.devices.${list} contains ${noun}s with both deviceName and claimRequest`,
      ),
    );
  }
  return when(!hasClaim, () =>
    required(
      field,
      `vmi.spec.domain.devices.${list} contains ${noun}s without deviceName or claimRequest; each ${noun} must specify either a deviceName or a claimRequest`,
    ),
  );
}

function checkNames(devices: readonly HostDevice[], { noun }: Kind, field: string): Cause[] {
  return devices.flatMap((device, index) => {
    if (!isClaimed(device)) return [];
    const own = `${field}[${index}]`;
    const key = claimKey(device);
    const isRepeated = devices.slice(0, index).some((other) => isClaimed(other) && claimKey(other) === key);
    return [
      ...when(!device.claimName, () => required(`${own}.claimName`, `claimName is required for DRA ${noun}`)),
      ...when(!device.requestName, () =>
        required(`${own}.requestName`, `requestName is required for DRA ${noun}`),
      ),
      ...when(key && isRepeated, () =>
        duplicate(own, `duplicate claimName/requestName pair ${JSON.stringify(key)}`),
      ),
    ];
  });
}

/** One request serves one device, whatever its kind. */
function crossDuplicates(
  { gpus: gpuKeys, hostDevices: hostKeys }: Readonly<Record<Kind['list'], Keys>>,
  networkKeys: Keys,
  path: string,
): Cause[] {
  return [
    ...pairs(gpuKeys, hostKeys, 'GPUs', 'HostDevices', `${path}.domain.devices.hostDevices`),
    ...pairs(gpuKeys, networkKeys, 'GPUs', 'Networks', `${path}.networks`),
    ...pairs(hostKeys, networkKeys, 'HostDevices', 'Networks', `${path}.networks`),
  ];
}

type Keys = readonly (string | undefined)[];

function pairs(first: Keys, second: Keys, firstName: string, secondName: string, field: string): Cause[] {
  return second.flatMap((key, index) => {
    const at = key === undefined ? -1 : first.indexOf(key);
    return when(at >= 0, () =>
      duplicate(
        `${field}[${index}]`,
        `duplicate claimName/requestName pair ${JSON.stringify(key)} between ${firstName}[${at}] and ${secondName}[${index}]`,
      ),
    );
  });
}

function isClaimed({ claimName, deviceName, requestName }: HostDevice): boolean {
  return !deviceName && (claimName !== undefined || requestName !== undefined);
}

function claimKey(device: HostDevice): string | undefined {
  const { claimName, requestName } = device;
  return isClaimed(device) && claimName && requestName ? `${claimName}/${requestName}` : undefined;
}
