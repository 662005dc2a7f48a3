/** A connection to a component's process, from the network that it listens in. */
import type { Socket } from 'node:net';
import { connectFromNetns } from '@podvisor/sys';
import type { Endpoint } from '@podvisor/home-contract';
import type { KubeletContext } from '../context.ts';

export function dialComponent(
  { host, port, network }: Endpoint,
  { nodeNetns }: Pick<KubeletContext, 'nodeNetns'>,
): Socket {
  return connectFromNetns(network === 'node' ? nodeNetns : undefined, host, port);
}
