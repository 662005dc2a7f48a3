/** Puts the parts together and listens. */
import { createServer as createInnerServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { serviceAccountUser } from '@podvisor/api';
import { listenOn } from './listen-on.ts';
import { parseEncryptionConfiguration } from './encryption/configuration.ts';
import { keepReserve, SqliteLog, valueCipher } from '@podvisor/store';
import { objectStore } from './object-store.ts';
import { AdmissionChain } from './admission/chain.ts';
import { claimResize } from './admission/claim-resize.ts';
import { defaultAdmission, parseAdmissionConfiguration } from './admission/configuration.ts';
import { embeddedImage } from './admission/embedded-image/plugin.ts';
import { externalIps } from './admission/external-ips.ts';
import { limitRanges } from './admission/limit-range.ts';
import { namespaceLifecycle } from './admission/namespace-lifecycle.ts';
import { validatingPolicies } from './admission/policies.ts';
import { nodeRestriction } from './admission/node-restriction.ts';
import { certificateRequests } from './admission/certificate-requests.ts';
import { rbacEscalation } from './admission/rbac-escalation.ts';
import { resourceQuotas } from './admission/resource-quota.ts';
import { podDefaults } from './admission/pod-defaults.ts';
import { podSecurity } from './admission/pod-security/plugin.ts';
import { mutatingWebhooks, validatingWebhooks } from './admission/webhooks/plugin.ts';
import { Auditor } from './audit/auditor.ts';
import { AuditLog } from './audit/log.ts';
import { parseAuditPolicy } from './audit/policy.ts';
import { LocalApiServices } from './aggregation/local-services.ts';
import { ApiServices } from './aggregation/services.ts';
import { Authenticator, certificateUser } from './authn/authenticator.ts';
import { TokenIssuer } from './authn/tokens.ts';
import { RoleAggregation } from './authz/role-aggregation.ts';
import { Authorizer } from './authz/authorizer.ts';
import { bootstrapObjects } from './bootstrap/objects.ts';
import { restoreOwnRoles } from './bootstrap/own-roles.ts';
import { withdrawNodeRole } from './bootstrap/node-role.ts';
import type { Core, UserInfo } from './core.ts';
import { ConnectionLimit } from './limits/connection-limit.ts';
import { InFlight } from './limits/in-flight.ts';
import { SERVER_LIMITS, type ServerLimits } from './limits/server-limits.ts';
import { CrdController } from './crd/controller.ts';
import { NonResource } from './discovery/non-resource.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { installSpecial } from './special.ts';
import { MemoryListener } from './memory-listener.ts';
import { LocalClient } from './local-client.ts';
import { ServerMetrics } from './measure/server-metrics.ts';
import { serveMetrics } from './metrics/serve.ts';
import type { ApiServer, ApiServerOptions } from './options.ts';
import { OutboundAgents } from './outbound.ts';
import { setServiceCidrs } from './registry/kinds/service.ts';
import { Registry } from './registry/registry.ts';
import { Router } from './router.ts';
import { PodUpgrades } from './streaming/upgrades.ts';
import { notSupported } from './verbs/dispatch.ts';
import type { ApiRequest, ApiResponse } from './wire/exchange.ts';
import type { JsonObject } from './wire/json.ts';
import { requestInfoOf } from './wire/request-info.ts';
import { answerUnknownMethod } from './wire/unknown-method.ts';

/** How often Node looks for clients that are too slow with their requests. */
const CHECK_MS = 5_000;

/** How long a client may take to say what it wants. An answer, such as a watch, is no part of that. */
function patience({ headersMs, bodyMs, headerBytes, keepAliveMs }: ServerLimits) {
  return {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersMs,
    requestTimeout: bodyMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersMs),
    maxHeaderSize: headerBytes,
  };
}

/** Opens the store, fills in what a cluster must have, and serves. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const stop = new AbortController();
  const limits: ServerLimits = { ...SERVER_LIMITS, ...options.limits };
  const connections = new ConnectionLimit(limits);
  if (options.serviceCidrs !== undefined) setServiceCidrs(options.serviceCidrs);
  const cipher = valueCipher(
    options.encryption === undefined ? [] : parseEncryptionConfiguration(options.encryption),
  );
  const log = new SqliteLog(options.storePath, cipher);
  const store = objectStore(log, options.history);
  store.onBroken = (error) => options.onBroken?.(error);
  const registry = new Registry();
  const agents = new OutboundAgents(options.frontProxy, options.mayUseLoopback ?? (() => false));
  const webhooks = { store, agents, log: options.log };
  const authorizer = new Authorizer(store);
  const settings =
    options.admission === undefined ? defaultAdmission : parseAdmissionConfiguration(options.admission);
  const admission = new AdmissionChain([
    namespaceLifecycle(store),
    podDefaults(store),
    limitRanges(store),
    mutatingWebhooks(webhooks),
    embeddedImage(options.embeddedImageUsers ?? { virtController: '', controllers: [] }),
    rbacEscalation(authorizer),
    certificateRequests(authorizer),
    nodeRestriction(store),
    claimResize(store),
    podSecurity(store, settings.podSecurity),
    externalIps({ allowedCidrs: settings.externalIpCidrs, serviceCidrs: options.serviceCidrs ?? [] }),
    validatingPolicies(store, registry, authorizer),
    validatingWebhooks(webhooks),
    resourceQuotas(store, () => local),
  ]);
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
  const initial = [
    ...bootstrapObjects({ frontProxyCa: options.frontProxy.ca, clientCa: options.tls.clientCa }),
    ...((options.roles ?? []) as unknown as JsonObject[]),
  ];
  for (const object of initial) await local.ensure(object);
  await withdrawNodeRole(store, local);
  await restoreOwnRoles({ store, local, log: options.log }, initial);
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
    isServed: ({ group, version, resource, subresource }) => {
      const definition = registry.find(group, version, resource);
      return definition !== undefined && (subresource === '' || definition.subresources.has(subresource));
    },
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
  const handle = (request: ApiRequest, response: ApiResponse): void => void router.handle(request, response);
  const server = createServer(
    {
      ...patience(limits),
      handshakeTimeout: limits.headersMs,
      ALPNProtocols: ['h2', 'http/1.1'],
      cert: options.tls.cert,
      key: options.tls.key,
      ca: options.tls.clientCa,
      requestCert: true,
      rejectUnauthorized: false,
    },
    handle,
  );
  const http2 = new Http2Sessions({ limits, clock: options.clock, handle });
  http2.takeFrom(server);
  const inner = new MemoryListener(
    createInnerServer({ ...patience(limits), requestTimeout: 0 }, handle),
    (socket, user: UserInfo) => authenticator.vouch(socket, user),
  );
  server.prependListener('connection', (socket) => void connections.admit(socket));
  server.on('upgrade', (request, socket, head) => void router.upgrade(request, socket, head));
  server.on(
    'clientError',
    answerUnknownMethod((path) => {
      const info = requestInfoOf('GET', path);
      const definition = info && registry.find(info.group, info.version, info.resource);
      return definition?.custom === undefined ? undefined : notSupported(definition, '');
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  // A server of Node listens once; further doors hand their guests to it.
  const doors = await Promise.all(
    (options.alsoOn ?? []).map((host) => listenOn(host, port, (socket) => server.emit('connection', socket))),
  );
  options.log.info({ host: options.host, port }, 'API server listens');
  keepReserve(log, options.storeReserveBytes ?? 0, options.clock, stop.signal);
  return {
    url: `https://${options.host}:${port}`,
    port,
    admit: (certificate) => {
      const user = certificateUser(certificate, options.tls.clientCa);
      return () => inner.dial(user);
    },
    admitAccount: (namespace, name) => {
      const groups = [
        'system:serviceaccounts',
        `system:serviceaccounts:${namespace}`,
        'system:authenticated',
      ];
      return () => inner.dial({ username: serviceAccountUser(namespace, name), groups });
    },
    reloadTls: (tls) => {
      server.setSecureContext({ cert: tls.cert, key: tls.key, ca: tls.clientCa });
      cert = tls.cert;
    },
    close: async () => {
      stop.abort();
      agents.close();
      for (const door of doors) door.close();
      inner.close();
      await http2.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await auditor?.close();
      store.close();
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
