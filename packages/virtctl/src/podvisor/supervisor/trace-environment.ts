/** Which processes of a home are told where traces go, and how. Pure. */
import { kindOfAddress, parseAddress } from '@podvisor/base';
import type { ProcessSpec } from '../home/processes.ts';

/** Where a collector is that listens on this machine's loopback. */
export interface LocalCollector {
  readonly host: string;
  readonly port: number;
}

/** Undefined: none is named, or one that every node reaches. */
export function localCollector({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = '',
}: NodeJS.ProcessEnv): LocalCollector | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { hostname, port, protocol } = new URL(endpoint);
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = parseAddress(host);
  const isHere = address === undefined ? host === 'localhost' : kindOfAddress(address) === 'loopback';
  if (!isHere) return undefined;
  return { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

/**
 * A node in a network namespace of its own does not reach the machine's loopback. File systems are not parted so: it
 * is told of a socket there, behind which the supervisor passes on what comes.
 */
export function traceEnvironment(
  { node }: Pick<ProcessSpec, 'node'>,
  env: NodeJS.ProcessEnv,
  socket: string,
): Readonly<Record<string, string>> {
  return node?.netns !== undefined && localCollector(env) !== undefined
    ? { PODVISOR_OTLP_SOCKET: socket }
    : {};
}
