/** Are the ports of the node that the Pod wants still free. */
import type { Pod } from '@podvisor/api';
import { type Filter, refuse } from '../types.ts';

interface HostPort {
  readonly port: number;
  readonly protocol: string;
  /** `0.0.0.0` is every address. */
  readonly address: string;
}

const ANY = '0.0.0.0';

export function hostPorts(pod: Pod): HostPort[] {
  return [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]
    .flatMap(({ ports = [] }) => ports)
    .filter(({ hostPort = 0 }) => hostPort > 0)
    .map(({ hostPort = 0, protocol = 'TCP', hostIP }) => ({
      port: hostPort,
      protocol,
      address: hostIP === undefined || hostIP === '' ? ANY : hostIP,
    }));
}

export function hostPortsFilter(pod: Pod): Filter {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return () => [];
  return (node) => {
    const taken = [...node.pods.values()].flatMap(hostPorts);
    const clash = wanted.some((want) => taken.some((have) => collide(want, have)));
    return clash ? [refuse("node(s) didn't have free ports for the requested pod ports", true)] : [];
  };
}

function collide(a: HostPort, b: HostPort): boolean {
  return (
    a.port === b.port &&
    a.protocol === b.protocol &&
    (a.address === b.address || a.address === ANY || b.address === ANY)
  );
}
