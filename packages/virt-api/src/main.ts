/** virt-api: parses flags, reads what it needs to know, serves, exits. */
import { randomUUID } from 'node:crypto';
import { rfc3339 } from '@podvisor/base';
import { KubeClient, resources } from '@podvisor/kube';
import { labels } from '@podvisor/api';
import { pino } from 'pino';
import { publicDocuments } from './discovery.ts';
import { type Flags, parseFlags } from './flags.ts';
import { randomSuffix } from './generated-name.ts';
import { HandlerClient } from './handler-client.ts';
import { LiveConfig } from './live-config.ts';
import { ApiServer } from './server.ts';
import { Subresources } from './subresources/serve.ts';
import { readTlsFiles, watchTlsFiles } from './tls-files.ts';
import { VERSION } from './version.ts';
import type { WebhookContext } from './webhooks/context.ts';
import { Webhooks } from './webhooks/serve.ts';
import { webhookTable } from './webhooks/table.ts';

const log = pino({ name: 'virt-api' });

async function main({ kubeconfig, tlsDir, listen, namespace }: Flags): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(name)));
  const client = KubeClient.fromKubeconfig(kubeconfig, 'virt-api');
  let tls = await readTlsFiles(tlsDir);
  let ready = false;
  const live = new LiveConfig({ client, namespace, log, onFrontProxy: () => server.reload(tls) });
  const context = (): WebhookContext => ({
    config: live.config,
    namespace,
    now: rfc3339(Date.now()),
    newUuid: randomUUID,
    newSuffix: randomSuffix,
    presets: (where) => live.presets(where),
    findPod: (where, name) => client.find(resources.pods, { namespace: where, name }),
    findVmi: (where, name) => client.find(resources.virtualMachineInstances, { namespace: where, name }),
    migrationsOf: async (where, vmiName) => {
      const select = { namespace: where, labelSelector: `${labels.vmiName}=${vmiName}` };
      return (await client.list(resources.virtualMachineInstanceMigrations, select)).items;
    },
  });
  const handlers = new HandlerClient({ client, namespace, tls: () => tls });
  const server = new ApiServer(tls, {
    documents: publicDocuments(VERSION),
    webhooks: new Webhooks(webhookTable, context),
    subresources: new Subresources({ client, handlers, config: () => live.config }),
    frontProxy: () => live.frontProxy,
    isReady: () => ready && live.frontProxy !== undefined,
    log,
  });
  watchTlsFiles(tlsDir, (files) => server.reload((tls = files)), log, stop.signal);
  // Webhooks are served from the first moment, with the default configuration: the API server may need
  // them to create the very objects that we wait for.
  const port = await server.listen(listen.host, listen.port);
  log.info({ host: listen.host, port }, 'listening');
  await live.start(stop.signal);
  ready = true;
  await new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve(), { once: true }));
  await server.close();
  await client.close();
}

try {
  await main(parseFlags(process.argv.slice(2)));
  process.exit(0);
} catch (error) {
  log.fatal({ error: error instanceof Error ? error.message : String(error) }, 'virt-api cannot run');
  process.exit(1);
}
