/** CPU and memory that the cluster's configuration gives to containers beside compute. */
import type { KubeVirtConfiguration, PodResources } from '@podvisor/api';

/** Kinds of containers as the configuration names them. */
export type SupportContainer = 'sidecar' | 'virtiofs' | 'guest-console-log' | 'container-disk';

/** What is configured for one kind; empty where nothing is. */
export function supportResources(
  { supportContainerResources }: KubeVirtConfiguration,
  type: SupportContainer,
): PodResources {
  const own = supportContainerResources?.find((entry) => entry.type === type)?.resources;
  return {
    ...(own?.limits === undefined ? {} : { limits: cpuAndMemory(own.limits) }),
    ...(own?.requests === undefined ? {} : { requests: cpuAndMemory(own.requests) }),
  };
}

function cpuAndMemory(list: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(
    ['cpu', 'memory'].flatMap((name) => (list[name] === undefined ? [] : [[name, String(list[name])]])),
  );
}
