/** Is an extension server there? Asks it for its resources; the answer is also what discovery shows. */
import { get as httpsGet } from 'node:https';
import { messageOf } from '@podvisor/base';
import type { Store } from '../object-store.ts';
import { type Destination, dialProblem, NoDestination, type OutboundAgents } from '../outbound.ts';
import { arrayAt, asObject, isObject, type JsonObject } from '../wire/json.ts';
import type { ApiServiceSpec } from './api-service.ts';

export type Availability =
  | { readonly available: true; readonly resources: readonly JsonObject[] }
  | { readonly available: false; readonly reason: string; readonly message: string };

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

export async function probe(
  spec: ApiServiceSpec,
  store: Store,
  agents: OutboundAgents,
  signal: AbortSignal,
): Promise<Availability> {
  const path = `/apis/${spec.group}/${spec.version}`;
  try {
    const destination = agents.destination(store, spec.service);
    const text = await get(spec, destination, path, agents, signal);
    const resources = arrayAt(asObject(JSON.parse(text)), 'resources').flatMap((r) =>
      isObject(r) ? [r] : [],
    );
    return { available: true, resources };
  } catch (error) {
    if (error instanceof NoDestination)
      return { available: false, reason: error.reason, message: error.message };
    return {
      available: false,
      reason: 'FailedDiscoveryCheck',
      message: `failing or missing response from ${path}: ${messageOf(error)}`,
    };
  }
}

function get(
  spec: ApiServiceSpec,
  destination: Destination,
  path: string,
  agents: OutboundAgents,
  signal: AbortSignal,
): Promise<string> {
  const { host, port, serverName, lookup } = destination;
  const url = `https://${host}:${port}${path}`;
  return new Promise((resolve, reject) => {
    const request = httpsGet(
      {
        host,
        port,
        path,
        servername: serverName,
        lookup,
        agent: agents.agent(spec.caBundle, spec.insecure),
        headers: {
          accept: 'application/json',
          'x-remote-user': 'system:kube-aggregator',
          'x-remote-group': 'system:masters',
        },
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_BYTES) request.destroy(new Error('the answer is too large'));
          else chunks.push(chunk);
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
          else reject(new Error(`bad status from ${url}: ${response.statusCode}`));
        });
      },
    );
    request.on('error', (error) =>
      reject(new Error(`Get "${url}": ${dialProblem(error, destination)}`, { cause: error })),
    );
  });
}
