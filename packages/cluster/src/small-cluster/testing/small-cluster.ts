/** A real API server with controllers and scheduler, on a free port, without kubelets: tests play the nodes. */
import { systemClock } from '@podvisor/base';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod, PodSpec } from '@podvisor/api';
import {
  KubeClient,
  loadKubeconfig,
  type Log,
  QueueMetrics,
  resources,
  SharedInformers,
  stderrLog,
} from '@podvisor/kube';
import { type InstanceConfig, type InstancePaths, instancePaths, unmountBelow } from '@podvisor/sys';
import { endRecording, recordingAudit } from '../../bootstrap-objects/testing/record-rights.ts';
import { controllerClient, innerClient } from '../../inner-client.ts';
import { startApiServer } from '@podvisor/apiserver';
import { embeddedDataVolumes } from '../../data-volumes/controllers.ts';
import { LocalVolumeData } from '../../local-volumes/local-volume-data.ts';
import { PodFreezer } from '../../local-volumes/pod-freezer.ts';
import { MACHINE_LABEL } from '@podvisor/home-contract';
import { ensurePki } from '../../pki-bootstrap/ensure-pki.ts';
import { Scheduler } from '@podvisor/scheduler';
import { type ControllerAccount, controllerRoles, startControllers } from '@podvisor/workload-controllers';

export interface SmallCluster {
  /** The administrator. */
  readonly client: KubeClient;
  /** Who reads for the controllers. */
  readonly controllers: KubeClient;
  /** One of them, as the server knows it. */
  controllerClient(account: ControllerAccount): KubeClient;
  readonly scheduler: KubeClient;
  readonly url: string;
  readonly paths: InstancePaths;
  readonly config: InstanceConfig;
  close(): Promise<void>;
}

/** Silent unless asked for: `PODVISOR_TEST_LOG=1`. */
const log: Log =
  process.env['PODVISOR_TEST_LOG'] === undefined
    ? { info: () => undefined, warn: () => undefined, error: () => undefined }
    : stderrLog;

/** `dataVolumes: false`: nobody fills them, as in a bare home. */
export async function startSmallCluster({ dataVolumes: filled = true } = {}): Promise<SmallCluster> {
  const paths = instancePaths(mkdtempSync(join(tmpdir(), 'podvisor-cluster-')));
  const nodes = [{ name: 'node1', address: '10.99.0.1', podCidr: '10.88.0.0/24', handlerPort: 8186 }];
  const config = {
    name: 'test',
    apiPort: 0,
    virtApiPort: 1,
    podCidr: '10.88.0.0/16',
    bridge: 'pv-test',
    nodes,
  };
  const { pki } = ensurePki(paths, config);
  mkdirSync(paths.controlPlane);
  const read = (path: string): string => readFileSync(path, 'utf8');
  const queues = new QueueMetrics();
  const server = await startApiServer({
    storePath: paths.store,
    host: '127.0.0.1',
    port: 0,
    tls: { cert: read(pki.apiServer.certificate), key: read(pki.apiServer.key), clientCa: read(pki.ca) },
    frontProxy: {
      clientCert: read(pki.frontProxyClient.certificate),
      clientKey: read(pki.frontProxyClient.key),
      ca: read(pki.frontProxyCa),
    },
    serviceAccountKeys: { privateKey: read(pki.serviceAccountKey) },
    metrics: () => queues.families(),
    roles: controllerRoles(),
    audit: recordingAudit(paths.controlPlane),
    clock: systemClock,
    log,
  });
  const client = KubeClient.fromAccess({ ...loadKubeconfig(pki.adminKubeconfig), server: server.url });
  const ending = new AbortController();
  const made: KubeClient[] = [];
  const clientOf = (account: ControllerAccount): KubeClient => {
    const one = controllerClient(server, account);
    made.push(one);
    return one;
  };
  // As in a home: with their own certificates and accounts, so that every test of theirs is one of their roles.
  const partOf = (name: string): KubeClient =>
    innerClient(server, read(join(paths.pki, `clients/${name}.crt`)), name);
  const [own, schedulerClient] = [partOf('controllers'), partOf('scheduler')];
  const dataVolumes = partOf('data-volumes');
  const common = { client: own, clock: systemClock, log };
  const informers = new SharedInformers(common);
  const scheduler = new Scheduler({ ...common, client: schedulerClient, informers });
  const [controllers] = await Promise.all([
    startControllers(
      {
        ...common,
        clientOf,
        informers,
        clusterCa: read(pki.ca),
        data: new LocalVolumeData(
          paths,
          new PodFreezer({ noteFile: join(paths.run, 'still.json'), instance: config.name, ...common }),
        ),
        loadBalancerRanges: [],
        instance: config.name,
        queues,
        further: filled ? embeddedDataVolumes(dataVolumes, ending.signal) : () => [],
      },
      ending.signal,
    ),
    scheduler.start(),
  ]);
  return {
    client,
    controllers: own,
    controllerClient: clientOf,
    scheduler: schedulerClient,
    url: server.url,
    paths,
    config,
    close: async () => {
      ending.abort();
      await controllers.done;
      await Promise.all([client, own, schedulerClient, dataVolumes, ...made].map((each) => each.close()));
      await server.close();
      endRecording(paths.home);
      // Claims are file systems of their own, mounted below.
      await unmountBelow(paths.home);
      rmSync(paths.home, { recursive: true });
    },
  };
}

/** Registers a ready node. */
export async function addNode(client: KubeClient, name: string): Promise<void> {
  await client.create(resources.nodes, {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, [MACHINE_LABEL]: 'test' } },
  });
  const offers = { cpu: '2', memory: '4Gi', pods: '110' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
  const body = { status: { allocatable: offers, capacity: offers, conditions } };
  await client.patch(resources.nodes, { name }, { type: 'merge', subresource: 'status', body });
}

export function podOf(namespace: string, name: string, spec: Partial<PodSpec> = {}): Pod {
  return { metadata: { namespace, name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

/** The first value of `look` that is neither undefined nor false; fails after half a minute, unless told. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
