/**
 * EndpointSlices that mirror Endpoints made by hand, for a Service without a selector: names and addresses of
 * Services come from slices alone. Pure.
 */
import type {
  Endpoint,
  EndpointAddress,
  EndpointSlice,
  EndpointSubset,
  Endpoints,
  Service,
} from '@podvisor/api';
import { type IpFamily, ipFamily } from '@podvisor/base';
import { SERVICE_NAME } from '@podvisor/service-network';
import { contentHash } from '../workloads/template-hash.ts';

export const MIRROR_MANAGER = 'endpointslicemirroring-controller.k8s.io';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const SKIP = 'endpointslice.kubernetes.io/skip-mirror';
/** Endpoints that serve as a lock have no addresses to mirror. */
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
/** Addresses that are mirrored of one subset. */
const MAX_ADDRESSES = 1000;

/** What the mirroring slices of a Service must hold; none when it is not for us to mirror. */
export function wantedMirrors(service: Service, endpoints: Endpoints | undefined): EndpointSlice[] {
  if (endpoints === undefined || !isMirrored(service, endpoints)) return [];
  return (endpoints.subsets ?? []).flatMap((subset, index) =>
    ([4, 6] as const).flatMap((family) => {
      const found = endpointsOf(subset, family);
      return found.length === 0 ? [] : [sliceOf(endpoints, { subset, index, family }, found)];
    }),
  );
}

function isMirrored({ spec, metadata: { deletionTimestamp } }: Service, { metadata }: Endpoints): boolean {
  return (
    Object.keys(spec?.selector ?? {}).length === 0 &&
    deletionTimestamp === undefined &&
    metadata.deletionTimestamp === undefined &&
    metadata.labels?.[SKIP] !== 'true' &&
    metadata.annotations?.[LEADER] === undefined
  );
}

function endpointsOf(subset: EndpointSubset, family: IpFamily): readonly Endpoint[] {
  const { addresses = [], notReadyAddresses = [] } = subset;
  return [
    ...addresses.map((address) => endpointOf(address, true)),
    ...notReadyAddresses.map((address) => endpointOf(address, false)),
  ]
    .slice(0, MAX_ADDRESSES)
    .filter(({ addresses: [ip = ''] }) => ipFamily(ip) === family);
}

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}

interface Part {
  readonly subset: EndpointSubset;
  readonly index: number;
  readonly family: IpFamily;
}

function sliceOf(
  { metadata }: Endpoints,
  { subset, index, family }: Part,
  endpoints: readonly Endpoint[],
): EndpointSlice {
  const { namespace, name = '', uid = '', labels } = metadata;
  return {
    metadata: {
      namespace,
      name: `${name}-${contentHash([uid, index, family]).slice(0, 5)}`,
      labels: { ...labels, [SERVICE_NAME]: name, [MANAGED_BY]: MIRROR_MANAGER },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Endpoints', name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    addressType: `IPv${family}`,
    endpoints,
    ports: (subset.ports ?? []).map(({ name: port = '', protocol = 'TCP', ...rest }) => ({
      ...rest,
      name: port,
      protocol,
    })),
  };
}
