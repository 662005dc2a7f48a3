/**
 * The past of a guest that came here by a migration, asked for at the virt-handler of the node that it came from, once we
 * have taken the VMI over. Both show the certificate of their node; the other side answers because the API server says
 * that the guest is ours now. Whoever cannot be asked is left alone: the charts begin anew, and nothing waits for it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PeerCertificate } from 'node:tls';
import type { VirtualMachineInstance } from '@podvisor/api';
import { type Clock, messageOf, requireUid, sleep, type UsagePoint } from '@podvisor/base';
import {
  Agent,
  checkHandlerIdentity,
  handlerOrigin,
  identityFields,
  type KubeClient,
  type Log,
  resources,
} from '@podvisor/kube';
import type { UsageKeeper } from './usage-keeper.ts';
import { parseHistory } from './usage-points.ts';

const TIMEOUT_MS = 5_000;
/** Far more than 120 points take. */
const MAX_BYTES = 256 * 1024;
/** The other side may be busy with the end of the migration. */
const RETRY_AFTER_MS = [1_000, 10_000] as const;

export interface PastElsewhereOptions {
  readonly client: Pick<KubeClient, 'get'>;
  /** Where the Leases of the virt-handlers are. */
  readonly namespace: string;
  readonly tlsDir: string;
  readonly keeper: Pick<UsageKeeper, 'inherit'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class PastElsewhere {
  readonly #options: PastElsewhereOptions;

  constructor(options: PastElsewhereOptions) {
    this.#options = options;
  }

  /** Never throws. `vmi`: ours since a moment, with the migration that brought it. */
  async fetch(vmi: VirtualMachineInstance, signal: AbortSignal): Promise<void> {
    const { keeper, clock, log } = this.#options;
    const node = vmi.status?.migrationState?.sourceNode;
    if (node === undefined) return;
    for (const waitMs of [0, ...RETRY_AFTER_MS]) {
      await sleep(clock, waitMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        keeper.inherit(requireUid(vmi.metadata?.uid, 'VMI'), await this.#ask(node, vmi, signal));
        return;
      } catch (error) {
        log.info(
          { ...identityFields(vmi), from: node, error: messageOf(error) },
          'what the guest used before was not told',
        );
      }
    }
  }

  async #ask(
    node: string,
    { metadata }: VirtualMachineInstance,
    signal: AbortSignal,
  ): Promise<readonly UsagePoint[]> {
    const { client, namespace, tlsDir, clock } = this.#options;
    const lease = await client.get(resources.leases, { namespace, name: `virt-handler-${node}` }, signal);
    const origin = handlerOrigin(node, lease);
    const read = (file: string): string => readFileSync(join(tlsDir, file), 'utf8');
    const dispatcher = new Agent({
      connect: {
        cert: read('migration-client.crt'),
        key: read('migration-client.key'),
        ca: read('ca.crt'),
        checkServerIdentity: (host: string, certificate: PeerCertificate) =>
          checkHandlerIdentity(node, host, certificate),
      },
    });
    try {
      const { statusCode, body } = await dispatcher.request({
        origin,
        path: `/v1/namespaces/${metadata?.namespace}/virtualmachineinstances/${metadata?.name}/usagehistory`,
        method: 'GET',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const text = await bounded(body);
      if (statusCode !== 200) throw new Error(`${statusCode}: ${text.slice(0, 256).trim()}`);
      return parseHistory(JSON.parse(text), clock.now());
    } finally {
      await dispatcher.destroy();
    }
  }
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the answer is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
