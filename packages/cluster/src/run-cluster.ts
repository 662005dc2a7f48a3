/**
 * The parts of the embedded cluster in one process, in an order in which nothing waits needlessly: the API
 * server first, then objects, controllers, scheduler and kubelets side by side. Ending it touches no Pod.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Clock } from '@podvisor/base';
import { EventRecorder, type KubeClient, type Log, readFileIfThere } from '@podvisor/kube';
import { type InstanceConfig, type InstancePaths, nodeAddresses } from '@podvisor/sys';
import { AddressKeeper } from './addresses/keeper.ts';
import { type ApiServer, startApiServer } from './apiserver/index.ts';
import { DEFAULT_AUDIT_POLICY } from './apiserver/audit/default-policy.ts';
import { bootstrapObjects } from './bootstrap-objects/bootstrap-objects.ts';
import { readBootstrapFacts } from './bootstrap-objects/facts.ts';
import { installObjects } from './bootstrap-objects/install.ts';
import { startUploads } from './data-volumes/upload/start.ts';
import { ClusterDns } from './dns/cluster-dns.ts';
import { SharedInformers } from './controllers/shared-informers.ts';
import { startControllers } from './controllers/start.ts';
import { innerClient } from './inner-client.ts';
import { ImageStore, setUpMachineNetwork } from './kubelet/index.ts';
import { NodeProxies } from './node-proxies.ts';
import { NodeSet } from './nodes/node-set.ts';
import { ensurePki, type Pki } from './pki-bootstrap/ensure-pki.ts';
import { componentUsers, CONTROLLERS_USER } from './pki-bootstrap/identities.ts';
import { PolicyEnforcer } from './policies/enforcer.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { homeEncryption } from './store/encryption/home-keys.ts';
import { setUpServiceAddresses } from './services/machine.ts';
import { serviceObjects } from './services/objects.ts';
import { ServiceProxy } from './services/proxy.ts';
import { serviceRanges } from './services/service-range.ts';

export interface ClusterOptions {
  readonly paths: InstancePaths;
  readonly config: InstanceConfig;
  readonly clock: Clock;
  readonly log: Log;
  /** The store is broken: the process must end, so that the next one reads what is really there. */
  readonly onBroken: (error: Error) => void;
}

const DAY_MS = 86_400_000;

/** Resolves when everything works. `close` ends it; Pods go on. */
export async function runCluster(options: ClusterOptions): Promise<{ close(): Promise<void> }> {
  const { paths, config, clock, log } = options;
  const startedAt = clock.now();
  await setUpMachineNetwork(config, paths);
  await setUpServiceAddresses(config);
  const { pki } = ensurePki(paths, config, startedAt);
  tellNodesReady(options);
  const ending = new AbortController();
  const nodeProxy = new NodeProxies();
  const server = await startServer(options, pki, nodeProxy);
  log.info({ url: server.url, ms: clock.now() - startedAt }, 'API server listens');

  const clients: KubeClient[] = [];
  const clientOf = (name: string): KubeClient => {
    const client = innerClient(server, pki.kubeconfig(name), `podvisor-${name}`);
    clients.push(client);
    return client;
  };
  const controllersClient = clientOf('controllers');
  const informers = new SharedInformers({ client: controllersClient, clock, log });
  const uploads = await startUploads({ paths, pki, informers, nodeProxy, clock, log });
  const events = new EventRecorder({ client: controllersClient, component: 'service-proxy', clock, log });
  const proxy = new ServiceProxy({ config, informers, events, clock, log });
  const addresses = new AddressKeeper({ config, informers, clock, log });
  const policies = new PolicyEnforcer({ config, informers, clock, log });
  const clusterDns = new ClusterDns({
    informers,
    addresses: serviceRanges(config).map(({ dns }) => dns),
    log,
  });
  const scheduler = new Scheduler({ client: clientOf('scheduler'), informers, clock, log });

  const nodes = new NodeSet({
    paths,
    config,
    images: new ImageStore(paths.images),
    proxies: nodeProxy,
    kubeconfig: (name) => pki.kubeconfig(`kubelet-${name}`),
    server,
    clock,
    log,
  });
  const proxying = Promise.all([proxy, addresses, policies].map((keeper) => keeper.run(ending.signal)));
  const [dns, controllers] = await Promise.all([
    clusterDns.start(),
    startControllers(
      {
        client: controllersClient,
        informers,
        clusterCa: readFileSync(pki.ca, 'utf8'),
        directories: paths,
        instance: config.name,
        clock,
        log,
      },
      ending.signal,
    ),
    nodes.start(),
    scheduler.start(),
    installObjects(
      clientOf('admin'),
      [...bootstrapObjects(config, readBootstrapFacts(paths)), ...serviceObjects(config), ...uploads.objects],
      clock,
      ending.signal,
    ),
  ]);
  await uploads.announce(controllersClient, ending.signal);
  const stopRenewal = renewDaily(options, () => server.reloadTls(servingTls(pki)));
  log.info({ ms: clock.now() - startedAt }, 'cluster is ready');

  return {
    close: async () => {
      stopRenewal();
      ending.abort();
      await Promise.all([controllers.done, nodes.close(), proxying, dns?.close(), uploads.close()]);
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
    },
  };
}

/** The supervisor starts what needs the network between the nodes when it sees the node's file. */
function tellNodesReady({ paths, config }: ClusterOptions): void {
  mkdirSync(paths.run, { recursive: true });
  if (config.nodeNetwork === undefined) return;
  for (const { name } of config.nodes) writeFileSync(`${paths.run}/${name}.network`, '', { mode: 0o600 });
}

function startServer(
  { paths, config, clock, log, onBroken }: ClusterOptions,
  pki: Pki,
  nodeProxy: NodeProxies,
): Promise<ApiServer> {
  const read = (path: string): string => readFileSync(path, 'utf8');
  return startApiServer({
    storePath: paths.store,
    encryption: homeEncryption(pki.encryption, paths.store),
    host: '127.0.0.1',
    // Nodes in network namespaces of their own reach the server over their bridge.
    alsoOn: [
      ...serviceRanges(config).map(({ apiServer }) => apiServer),
      ...(config.nodeNetwork === undefined ? [] : nodeAddresses(config.nodeNetwork)),
    ],
    serviceCidrs: serviceRanges(config).map(({ cidr }) => cidr),
    port: config.apiPort,
    tls: servingTls(pki),
    frontProxy: {
      clientCert: read(pki.frontProxyClient.certificate),
      clientKey: read(pki.frontProxyClient.key),
      ca: read(pki.frontProxyCa),
    },
    serviceAccountKeys: {
      privateKey: read(pki.serviceAccountKey),
      publicKeys: [read(pki.serviceAccountPublicKey)],
    },
    nodeProxy,
    onBroken,
    audit: auditOptions(paths),
    embeddedImageUsers: { virtController: componentUsers['virt-controller'], controllers: CONTROLLERS_USER },
    admission: readFileIfThere(`${paths.home}/admission.yaml`),
    clock,
    log,
  });
}

/** Size of one of the two files of the audit log. */
const AUDIT_BYTES = 64 * 1024 * 1024;

/** Requests are noted as the home's own policy says, or as ours does. */
function auditOptions(paths: InstancePaths): NonNullable<Parameters<typeof startApiServer>[0]['audit']> {
  return {
    policy: readFileIfThere(`${paths.home}/audit-policy.yaml`) ?? DEFAULT_AUDIT_POLICY,
    path: `${paths.logs}/audit.log`,
    maxBytes: AUDIT_BYTES,
  };
}

function servingTls(pki: Pki): { readonly cert: string; readonly key: string; readonly clientCa: string } {
  const read = (path: string): string => readFileSync(path, 'utf8');
  return { cert: read(pki.apiServer.certificate), key: read(pki.apiServer.key), clientCa: read(pki.ca) };
}

/** Certificates live a year and are renewed when a fifth of it is left; who uses them reads them again. */
function renewDaily({ paths, config, clock, log }: ClusterOptions, onRenewed: () => void): () => void {
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = clock.after(DAY_MS, () => {
      const { written } = ensurePki(paths, config, clock.now());
      if (written.length > 0) {
        log.info({ written }, 'certificates renewed');
        onRenewed();
      }
      arm();
    });
  };
  arm();
  return () => cancel();
}
