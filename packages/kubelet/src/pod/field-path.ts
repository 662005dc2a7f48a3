/** Downward API: what a container may learn about its own Pod. Pure. */
import type { Container, Pod } from '@podvisor/api';
import { parseQuantity, memberOf } from '@podvisor/base';
import { allContainers } from './types.ts';

/** What the Pod does not know of itself yet, or the API does not say. */
export interface PodFacts {
  readonly ips: readonly string[];
  readonly hostIp: string;
  readonly nodeName: string;
  /** What stands for a limit that is not set. */
  readonly allocatable: { readonly cpuMilli: number; readonly memoryBytes: number };
}

/** The value of a `fieldRef`. Throws for a path that Kubernetes does not know. */
export function fieldValue(pod: Pod, path: string, facts: PodFacts): string {
  const { metadata, spec } = pod;
  const subscript = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (subscript !== null) {
    const map = subscript[1] === 'labels' ? metadata.labels : metadata.annotations;
    return map?.[subscript[2] ?? ''] ?? '';
  }
  switch (path) {
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? facts.nodeName;
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? 'default';
    case 'status.hostIP':
    case 'status.hostIPs':
      return facts.hostIp;
    case 'status.podIP':
      return facts.ips[0] ?? '';
    case 'status.podIPs':
      return facts.ips.join(',');
    default:
      throw new Error(`unsupported fieldPath: ${path}`);
  }
}

/** One `key="value"` line per entry, sorted. */
function formatMap(map: Readonly<Record<string, string>> = {}): string {
  return Object.entries(map)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

export interface ResourceFieldRef {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string | number;
}

/** The value of a `resourceFieldRef`, in units of its divisor, rounded up. */
export function resourceValue(
  pod: Pod,
  own: Container | undefined,
  ref: ResourceFieldRef,
  facts: PodFacts,
): string {
  const container =
    ref.containerName === undefined ? own : allContainers(pod).find((c) => c.name === ref.containerName);
  if (container === undefined) throw new Error(`container ${ref.containerName ?? ''} not found`);
  const [kind, ...rest] = ref.resource.split('.');
  const name = rest.join('.');
  const limit = memberOf(container.resources?.limits, name);
  const amount = kind === 'limits' ? limit : (memberOf(container.resources?.requests, name) ?? limit);
  const divisor = parseQuantity(ref.divisor === undefined || ref.divisor === '0' ? '1' : ref.divisor).nano;
  const nano = amount === undefined ? unlimited(kind, name, facts) : parseQuantity(amount).nano;
  return String((nano + divisor - 1n) / divisor);
}

function unlimited(kind: string | undefined, name: string, facts: PodFacts): bigint {
  if (kind !== 'limits') return 0n;
  if (name === 'cpu') return BigInt(facts.allocatable.cpuMilli) * 1_000_000n;
  return name === 'memory' ? BigInt(facts.allocatable.memoryBytes) * 1_000_000_000n : 0n;
}
