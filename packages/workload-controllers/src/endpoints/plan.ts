/** What one pass over a Service changes of its slices and of its Endpoints. Pure. */
import type { Endpoints, EndpointSlice, Pod, Service } from '@podvisor/api';
import { wantedMirrors } from './mirror.ts';
import { changesOf, sameEndpoints, type SliceChanges, wantedEndpoints, wantedSlices } from './reconcile.ts';

export interface EndpointsObservation {
  /** Undefined: it is gone. */
  readonly service: Service | undefined;
  /** Those of the Service that are ours. */
  readonly slices: readonly EndpointSlice[];
  readonly endpoints: Endpoints | undefined;
  /** Pods that it selects. */
  readonly selected: readonly Pod[];
}

export interface EndpointsPlan {
  readonly slices: SliceChanges;
  readonly endpoints:
    | { readonly kind: 'none' }
    | { readonly kind: 'create' | 'update' | 'delete'; readonly object: Endpoints };
}

const NONE = { kind: 'none' } as const;

export function planEndpoints({ service, slices, endpoints, selected }: EndpointsObservation): EndpointsPlan {
  if (service === undefined)
    return {
      slices: changesOf(slices, []),
      endpoints: endpoints === undefined ? NONE : { kind: 'delete', object: endpoints },
    };
  if (!isSelecting(service))
    return { slices: changesOf(slices, wantedMirrors(service, endpoints)), endpoints: NONE };
  if (service.metadata.deletionTimestamp !== undefined)
    return { slices: { create: [], update: [], delete: [] }, endpoints: NONE };
  return {
    slices: changesOf(slices, wantedSlices(service, selected)),
    endpoints: endpointsChange(endpoints, wantedEndpoints(service, selected)),
  };
}

function endpointsChange(have: Endpoints | undefined, wanted: Endpoints): EndpointsPlan['endpoints'] {
  if (have === undefined) return { kind: 'create', object: wanted };
  if (sameEndpoints(have, wanted)) return NONE;
  const metadata = { ...have.metadata, labels: wanted.metadata.labels };
  return { kind: 'update', object: { ...wanted, metadata } };
}

export function isSelecting({ spec }: Service): boolean {
  return spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;
}
