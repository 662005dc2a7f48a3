/**
 * The control plane of the embedded home in one process without privileges: API server, controllers,
 * scheduler, DNS. It touches no container and no disk but its store: what must be done on a machine it asks
 * of the node agent, through a unix socket. Ending it touches no Pod.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceAccountUser } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { type KubeClient, type Log, QueueMetrics, SharedInformers, SpanExporter } from '@podvisor/kube';
import { type InstancePaths, nodeAddresses } from '@podvisor/sys';
import { type ApiServer, DEFAULT_AUDIT_POLICY, startApiServer } from '@podvisor/apiserver';
import { bootstrapObjects } from './bootstrap-objects/bootstrap-objects.ts';
import { installFoundations } from './bootstrap-objects/foundations.ts';
import { keepKubeVirtStatus } from './bootstrap-objects/keep-status.ts';
import {
  type ControllerAccount,
  controllerRoles,
  CONTROLLERS_NAMESPACE,
  startControllers,
  TEMPLATE_CONTROLLERS,
} from '@podvisor/workload-controllers';
import { vmiCreatedSpans } from './created-spans.ts';
import { embeddedDataVolumes } from './data-volumes/controllers.ts';
import { startUploads } from './data-volumes/uploads.ts';
import {
  ClusterDns,
  DNS_PORT,
  loadBalancerRanges,
  serviceObjects,
  serviceRanges,
} from '@podvisor/service-network';
import { installHome } from './bootstrap-objects/install-home.ts';
import { STORE_RESERVE_BYTES } from '@podvisor/store';
import { componentWorkloads, RemoteNodeProxy, RemoteVolumeData } from '@podvisor/home-contract';
import { controllerClient, innerClient } from './inner-client.ts';
import { nodeListenerSocket, type MachineFacts } from './machine-facts.ts';
import { type Pki, pkiPaths } from './pki-bootstrap/ensure-pki.ts';
import { componentUsers, NAMESPACE } from './pki-bootstrap/identities.ts';
import { Scheduler } from '@podvisor/scheduler';
import type { Manifest } from '@podvisor/virt-operator';

export interface ControlPlaneOptions {
  readonly paths: InstancePaths;
  readonly facts: MachineFacts;
  readonly clock: Clock;
  readonly log: Log;
  /** The store is broken: the process must end, so that the next one reads what is really there. */
  readonly onBroken: (error: Error) => void;
}

const HOUR_MS = 3_600_000;

/** Resolves when everything works. `close` ends it; Pods go on. */
export async function runControlPlane(options: ControlPlaneOptions): Promise<{ close(): Promise<void> }> {
  const { paths, facts, clock, log } = options;
  const { config } = facts;
  const startedAt = clock.now();
  const pki = pkiPaths(paths);
  const ending = new AbortController();
  const nodeProxy = new RemoteNodeProxy(nodeListenerSocket(paths));
  const queues = new QueueMetrics();
  const objects = [
    ...bootstrapObjects(config, { kubevirtCa: read(pki.kubevirtCa), kvmUsable: facts.kvmUsable }),
    ...serviceObjects(config),
  ];
  const { server, left } = await startServer(options, { pki, nodeProxy, queues, objects });

  const clients: KubeClient[] = [];
  const clientOf = (name: string): KubeClient => {
    const client = innerClient(server, read(join(paths.pki, `clients/${name}.crt`)), `podvisor-${name}`);
    clients.push(client);
    return client;
  };
  const clientOfController = (account: ControllerAccount): KubeClient => {
    const client = controllerClient(server, account);
    clients.push(client);
    return client;
  };
  const controllersClient = clientOf('controllers');
  const dataVolumes = config.bare === true ? undefined : clientOf('data-volumes');
  const informers = new SharedInformers({ client: controllersClient, trimsPods: true, clock, log });
  const uploads = await startUploads({ paths, pki, informers, nodeProxy, clock, log });
  const clusterDns = new ClusterDns({
    informers,
    addresses: serviceRanges(config).map(({ dns }) => dns),
    port: DNS_PORT,
    log,
  });
  const scheduler = new Scheduler({ client: clientOf('scheduler'), informers, clock, log });
  // They are in the namespace of an installation.
  const more = config.bare === true ? [] : [...uploads.objects, ...componentWorkloads()];
  const [dns, controllers] = await Promise.all([
    clusterDns.start(),
    startControllers(
      {
        client: controllersClient,
        clientOf: clientOfController,
        informers,
        clusterCa: read(pki.ca),
        data: new RemoteVolumeData(nodeListenerSocket(paths)),
        loadBalancerRanges: loadBalancerRanges(config),
        instance: config.name,
        queues,
        further: dataVolumes === undefined ? () => [] : embeddedDataVolumes(dataVolumes, ending.signal),
        clock,
        log,
      },
      ending.signal,
    ),
    scheduler.start(),
    installHome(
      { client: clientOf('admin'), hasCatalogue: config.bare !== true, clock, log },
      [...left, ...more],
      ending.signal,
    ),
  ]);
  if (dataVolumes !== undefined) {
    const statusClient = clientOfController('home-component-controller');
    await keepKubeVirtStatus({ client: statusClient, clock, log }, ending.signal);
    await uploads.announce(dataVolumes, ending.signal);
  }
  const stopReading = readTlsHourly(options, pki, server);
  log.info({ ms: clock.now() - startedAt }, 'control plane is ready');

  return {
    close: async () => {
      stopReading();
      ending.abort();
      await Promise.all([controllers.done, dns?.close(), uploads.close()]);
      await Promise.all(clients.map((client) => client.close()));
      await server.close();
    },
  };
}

interface ServerParts {
  readonly pki: Pki;
  readonly nodeProxy: RemoteNodeProxy;
  readonly queues: QueueMetrics;
  /** What the home installs; kinds and rights of it are there before anybody is answered. */
  readonly objects: readonly Manifest[];
}

/** `left`: what is still to be installed. */
async function startServer(
  { paths, facts, clock, log, onBroken }: ControlPlaneOptions,
  { pki, nodeProxy, queues, objects }: ServerParts,
): Promise<{ readonly server: ApiServer; readonly left: readonly Manifest[] }> {
  const { config, auditPolicy, admission } = facts;
  const spans = SpanExporter.fromEnvironment(process.env, log);
  let left = objects;
  const server = await startApiServer({
    storePath: paths.store,
    storeReserveBytes: STORE_RESERVE_BYTES,
    encryption: read(pki.encryption),
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
    // virt-api and the upload proxy listen on the machine's loopback; only administrators write in that namespace.
    mayUseLoopback: ({ namespace }) => namespace === NAMESPACE && config.bare !== true,
    nodeProxy,
    metrics: () => queues.families(),
    onCreated: spans && ((object, beganMs) => spans.send(vmiCreatedSpans(object, beganMs, clock.now()))),
    onBroken,
    audit: {
      policy: auditPolicy ?? DEFAULT_AUDIT_POLICY,
      path: `${paths.controlPlane}/audit.log`,
      maxBytes: AUDIT_BYTES,
    },
    embeddedImageUsers: {
      virtController: componentUsers['virt-controller'],
      virtOperator: componentUsers['virt-operator'],
      dataVolumes: componentUsers['data-volumes'],
      controllers: TEMPLATE_CONTROLLERS.map((account) => serviceAccountUser(CONTROLLERS_NAMESPACE, account)),
    },
    roles: controllerRoles(),
    beforeListening: async (inside) => {
      const client = innerClient(inside, read(join(paths.pki, 'clients/admin.crt')), 'podvisor-admin');
      left = await installFoundations({ client, clock, log }, objects);
      await client.close();
    },
    admission,
    clock,
    log,
  });
  return { server, left };
}

/** Size of one of the two files of the audit log. */
const AUDIT_BYTES = 64 * 1024 * 1024;

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function servingTls(pki: Pki): { readonly cert: string; readonly key: string; readonly clientCa: string } {
  return { cert: read(pki.apiServer.certificate), key: read(pki.apiServer.key), clientCa: read(pki.ca) };
}

/** The node agent renews certificates long before their end; whoever uses them reads them again. */
function readTlsHourly({ clock, log }: ControlPlaneOptions, pki: Pki, server: ApiServer): () => void {
  let cancel = (): void => undefined;
  let used = read(pki.apiServer.certificate);
  const arm = (): void => {
    cancel = clock.after(HOUR_MS, () => {
      const now = read(pki.apiServer.certificate);
      if (now !== used) {
        server.reloadTls(servingTls(pki));
        used = now;
        log.info({}, 'the serving certificate was renewed');
      }
      arm();
    });
  };
  arm();
  return () => cancel();
}
