/** Puts the parts together and listens. */
import { serviceAccountGroups, serviceAccountUser } from '@podvisor/api';
import { parseEncryptionConfiguration } from './encryption/configuration.ts';
import { keepReserve, SqliteLog, valueCipher } from '@podvisor/store';
import { objectStore } from './object-store.ts';
import { AdmissionChain } from './admission/chain.ts';
import { admissionPlugins } from './admission/plugins.ts';
import { Auditor } from './audit/auditor.ts';
import { AuditLog } from './audit/log.ts';
import { parseAuditPolicy } from './audit/policy.ts';
import { LocalApiServices } from './aggregation/local-services.ts';
import { ApiServices } from './aggregation/services.ts';
import { Authenticator, certificateUser } from './authn/authenticator.ts';
import { TokenIssuer } from './authn/tokens.ts';
import { RoleAggregation } from './authz/role-aggregation.ts';
import { Authorizer } from './authz/authorizer.ts';
import { ensureFirstObjects } from './bootstrap/first-objects.ts';
import type { Core } from './core.ts';
import { InFlight } from './limits/in-flight.ts';
import { SERVER_LIMITS, type ServerLimits } from './limits/server-limits.ts';
import { CrdController } from './crd/controller.ts';
import { NonResource } from './discovery/non-resource.ts';
import { installSpecial } from './special.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { LocalClient } from './local-client.ts';
import { ServerMetrics } from './measure/server-metrics.ts';
import { serveMetrics } from './metrics/serve.ts';
import type { ApiServer, ApiServerOptions, InsideApi } from './options.ts';
import { OutboundAgents } from './outbound.ts';
import { setServiceCidrs } from './registry/kinds/service-addresses.ts';
import { Registry } from './registry/registry.ts';
import { Router } from './router.ts';
import { PodUpgrades } from './streaming/upgrades.ts';

/** Opens the store, fills in what a cluster must have, and serves. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const stop = new AbortController();
  const limits: ServerLimits = { ...SERVER_LIMITS, ...options.limits };
  if (options.serviceCidrs !== undefined) setServiceCidrs(options.serviceCidrs);
  const cipher = valueCipher(
    options.encryption === undefined ? [] : parseEncryptionConfiguration(options.encryption),
  );
  const log = new SqliteLog(options.storePath, cipher);
  const store = objectStore(log, options.history);
  store.onBroken = (error) => options.onBroken?.(error);
  const registry = new Registry();
  const agents = new OutboundAgents(options.frontProxy, options.mayUseLoopback ?? (() => false));
  const authorizer = new Authorizer(store);
  const admission = new AdmissionChain(
    admissionPlugins({ options, store, registry, authorizer, agents, local: () => local }),
  );
  const core: Core = {
    store,
    registry,
    clock: options.clock,
    log: options.log,
    admission,
    authorizer,
    special: new Map(),
    virtual: new Map(),
    onCreated: options.onCreated,
  };
  const tokens = new TokenIssuer(store, options.clock, options.serviceAccountKeys);
  const local: LocalClient = new LocalClient(core, stop.signal);
  installSpecial(core, local, tokens, options.nodeProxy);
  if (options.nodeProxy !== undefined) serveMetrics(core, options.nodeProxy);
  await ensureFirstObjects(core, local, options);
  await new RoleAggregation(core, local).start();
  await new CrdController(core, local, agents).start();
  const aggregator = new ApiServices({ core, local, agents, signal: stop.signal });
  aggregator.start();
  new LocalApiServices(core, local).start();
  let { cert } = options.tls;
  const metrics = new ServerMetrics({
    clock: options.clock,
    storePath: options.storePath,
    revision: () => store.revision,
    isServed: (info) => registry.serves(info),
    isAggregated: (info) => aggregator.serves(info),
    certificate: () => cert,
    more: () => options.metrics?.() ?? [],
  });
  const nonResource = new NonResource(
    core,
    aggregator,
    metrics,
    `${options.host}:${options.port}`,
    tokens.issuer,
    () => tokens.jwks(),
  );
  const auditor = openAudit(options);
  const authenticator = new Authenticator(tokens);
  const router = new Router({
    core,
    authenticator,
    nonResource,
    aggregator,
    podUpgrades: new PodUpgrades(core, options.nodeProxy, stop.signal),
    auditor,
    inFlight: new InFlight(limits),
    metrics,
    requestMs: limits.requestMs,
    signal: stop.signal,
  });
  const listeners = createListeners({ options, limits, registry, router, authenticator });
  const inside = insideOf(listeners, options);
  await options.beforeListening?.(inside);
  const port = await listeners.listen();
  options.log.info({ host: options.host, port }, 'API server listens');
  keepReserve(log, options.storeReserveBytes ?? 0, options.clock, stop.signal);
  return {
    url: `https://${options.host}:${port}`,
    port,
    ...inside,
    reloadTls: (tls) => {
      listeners.reloadTls(tls);
      cert = tls.cert;
    },
    close: async () => {
      stop.abort();
      agents.close();
      await listeners.close();
      await auditor?.close();
      store.close();
    },
  };
}

function insideOf({ inner }: Listeners, { tls }: ApiServerOptions): InsideApi {
  return {
    admit: (certificate) => {
      const user = certificateUser(certificate, tls.clientCa);
      return () => inner.dial(user);
    },
    admitAccount: (namespace, name) => {
      const groups = [...serviceAccountGroups(namespace), 'system:authenticated'];
      return () => inner.dial({ username: serviceAccountUser(namespace, name), groups });
    },
  };
}

function openAudit({ audit, clock, log }: ApiServerOptions): Auditor | undefined {
  if (audit === undefined) return undefined;
  const { policy, path, maxBytes } = audit;
  const file = new AuditLog({
    path,
    maxBytes,
    onError: (error) => log.error({ err: error.message, path }, 'the audit log cannot be written'),
  });
  return new Auditor(parseAuditPolicy(policy), file, clock);
}
