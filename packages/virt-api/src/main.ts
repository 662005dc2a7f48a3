/** virt-api: parses flags, reads what it needs to know, serves, exits. */
import { systemClock } from '@podvisor/base';
import { API_VERSION, logLevel, serviceAccounts, serviceAccountUser } from '@podvisor/api';
import { ComponentHealth, KubeClient, MetricsAccess, SpanExporter } from '@podvisor/kube';
import { pino } from 'pino';
import { publicDocuments } from './discovery.ts';
import { type Flags, parseFlags } from './flags.ts';
import { HandlerClient } from './handler-client.ts';
import { LiveSettings } from './live-settings.ts';
import { readMasterKey } from './master-key.ts';
import { Metrics } from './metrics.ts';
import { ApiServer } from './server.ts';
import { Subresources } from './subresources/serve.ts';
import { readTlsFiles, type TlsFiles, watchTlsFiles } from './tls-files.ts';
import { admissionSpans } from './webhooks/admission-spans.ts';
import { withFirstFinalizer } from './webhooks/first-finalizer.ts';
import { Webhooks } from './webhooks/serve.ts';
import { webhookTable } from './webhooks/table.ts';
import { webhookContext } from './webhooks/live-context.ts';

const log = pino({ base: { component: 'virt-api' } });

async function main({
  kubeconfig,
  tlsDir,
  listen,
  namespace,
  webhooksNeedCertificate,
  stateKeyFile,
  leaveMs,
}: Flags): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(name)));
  let ready = false;
  const metrics = new Metrics(
    systemClock,
    () => ready,
    () => ({ 'virt-api': tls.serverCert }),
  );
  const client = KubeClient.fromKubeconfig(kubeconfig, 'virt-api', metrics.client.observe);
  let tls = await readTlsFiles(tlsDir);
  const live = new LiveSettings({
    client,
    namespace,
    log,
    onConfig: (config) => (log.level = logLevel(config, 'virtAPI')),
    onFrontProxy: () => server.reload(tls),
  });
  const spans = SpanExporter.fromEnvironment(process.env, log);
  const context = webhookContext({ client, live, namespace });
  const handlers = new HandlerClient({ client, namespace, tls: () => tls });
  const server = new ApiServer(tls, {
    documents: publicDocuments(API_VERSION),
    webhooks: new Webhooks(
      withFirstFinalizer(webhookTable),
      context,
      spans &&
        ((request, { kind }, beganMs) =>
          kind === 'validated' && spans.send(admissionSpans(request, beganMs, systemClock.now()))),
    ),
    subresources: new Subresources({
      client,
      handlers,
      config: () => live.config,
      stateKeys: () => ({
        handler: serviceAccountUser(namespace, serviceAccounts.handler),
        masterKey: readMasterKey(stateKeyFile),
      }),
      onStreamRequest: (subresource, result) => metrics.requested(subresource, result),
      onStream: (subresource, vmi) => metrics.opened(subresource, vmi),
    }),
    metrics: { access: new MetricsAccess(client, systemClock), families: () => metrics.families() },
    health: new ComponentHealth({
      client,
      clock: systemClock,
      configVersion: () => live.config.resourceVersion,
    }),
    frontProxy: () => live.frontProxy,
    isReady: () => ready && live.frontProxy !== undefined,
    webhooksNeedCertificate,
    log,
  });
  const follow = (files: TlsFiles): void => {
    server.reload((tls = files));
    log.info({ authorities: files.ca.split('BEGIN CERTIFICATE').length - 1 }, 'certificates were read anew');
  };
  watchTlsFiles(tlsDir, follow, log, stop.signal);
  // Webhooks are served from the first moment, with the default configuration: the API server may need
  // them to create the very objects that we wait for.
  const port = await server.listen(listen.host, listen.port);
  log.info({ host: listen.host, port }, 'listening');
  await live.start(stop.signal);
  ready = true;
  await new Promise<void>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  server.leave();
  await new Promise((resolve) => setTimeout(resolve, leaveMs));
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
