/**
 * What needs root on this machine, in one process: keys, the machine's network, kubelets, service rules,
 * network policies, addresses, data of volumes. It reaches the API server as everybody does, over TLS with
 * certificates of its own, and answers the control plane on a unix socket. Ending it touches no Pod.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, sleep } from '@podvisor/base';
import {
  EventRecorder,
  type KeyPair,
  KubeClient,
  type Log,
  readKeyPair,
  SharedInformers,
} from '@podvisor/kube';
import { uploadKey } from '@podvisor/data-volumes';
import { componentUser, type InstanceConfig, type InstancePaths } from '@podvisor/sys';
import {
  AddressKeeper,
  PolicyEnforcer,
  ServiceProxy,
  setUpServiceAddresses,
} from '@podvisor/service-network';
import { runCertificateSigner } from './certificate-signing/signer.ts';
import { giveToControlPlane, moveFormerStore } from './control-plane-directory.ts';
import { ImageStore, readDialPolicy, setUpMachineNetwork } from '@podvisor/kubelet';
import { LocalVolumeData } from './local-volumes/local-volume-data.ts';
import { PodFreezer } from './local-volumes/pod-freezer.ts';
import { nodeListenerSocket, writeMachineFacts } from './machine-facts.ts';
import { startNodeListener } from '@podvisor/home-contract';
import { NodeProxies } from './nodes/node-proxies.ts';
import { NodeSet } from './nodes/node-set.ts';
import { ensurePki, type Pki } from './pki-bootstrap/ensure-pki.ts';
import { directoryFor, handOutKeys } from './pki-bootstrap/hand-out.ts';
import { homeEncryption } from '@podvisor/apiserver';

export interface NodeAgentOptions {
  readonly paths: InstancePaths;
  readonly config: InstanceConfig;
  readonly clock: Clock;
  readonly log: Log;
}

const DAY_MS = 86_400_000;
const ASK_AGAIN_MS = 25;
/** Name of the file that stands for the machine itself; no node is called so. */
const MACHINE = 'machine';

/** Resolves when the nodes are ready. `close` ends it; Pods go on. */
export async function runNodeAgent(options: NodeAgentOptions): Promise<{ close(): Promise<void> }> {
  const { paths, config, clock, log } = options;
  const startedAt = clock.now();
  const ending = new AbortController();
  await setUpMachineNetwork(config, paths);
  await setUpServiceAddresses(config);
  const pki = ensureKeys(options);
  const proxies = new NodeProxies();
  const listener = await listenOn(options, proxies);
  writeMachineFacts(paths, config);
  tellReady(options);
  log.info({ ms: clock.now() - startedAt }, 'machine is ready');

  const client = KubeClient.fromKubeconfig(pki.kubeconfig('kube-proxy'), 'podvisor-node-agent');
  const informers = new SharedInformers({ client, trimsPods: true, clock, log });
  const events = new EventRecorder({ client, component: 'service-proxy', clock, log });
  const keepers = [
    new ServiceProxy({ config, informers, events, clock, log }),
    new AddressKeeper({ config, informers, clock, log }),
    new PolicyEnforcer({ config, informers, clock, log }),
  ];
  const nodes = new NodeSet({
    paths,
    config,
    images: new ImageStore(paths.images, readDialPolicy(paths.home)),
    proxies,
    kubeconfig: (name) => pki.kubeconfig(`kubelet-${name}`),
    clock,
    log,
  });
  await untilServed(client, clock, ending.signal);
  informers.start(ending.signal);
  const signerClient = KubeClient.fromKubeconfig(pki.kubeconfig('certificate-signer'), 'podvisor-node-agent');
  runCertificateSigner({ client: signerClient, ca: () => caOf(paths), clock, log }, ending.signal);
  const keeping = Promise.all(keepers.map((keeper) => keeper.run(ending.signal)));
  await nodes.start();
  const stopRenewal = renewDaily(options);
  log.info({ ms: clock.now() - startedAt }, 'nodes are ready');

  return {
    close: async () => {
      stopRenewal();
      ending.abort();
      await Promise.all([nodes.close(), keeping, listener.close()]);
      await Promise.all([client.close(), signerClient.close()]);
    },
  };
}

function caOf({ pki }: InstancePaths): KeyPair {
  const ca = readKeyPair(join(pki, 'ca'));
  if (ca === undefined) throw new Error(`${pki}/ca.crt and its key do not belong together`);
  return ca;
}

async function listenOn(
  { paths, config, clock, log }: NodeAgentOptions,
  nodes: NodeProxies,
): ReturnType<typeof startNodeListener> {
  const freezer = new PodFreezer({
    noteFile: join(paths.run, 'still.json'),
    instance: config.name,
    clock,
    log,
  });
  await freezer.thawLeftovers();
  const user = componentUser(config.name, 'control-plane');
  directoryFor(user, paths.machine, paths.home);
  return startNodeListener({
    path: nodeListenerSocket(paths),
    user,
    nodes,
    volumes: new LocalVolumeData(paths, freezer),
    log,
  });
}

function ensureKeys({ paths, config, clock, log }: NodeAgentOptions): Pki {
  const { pki, written } = ensurePki(paths, config, clock.now());
  uploadKey(pki.uploadKey);
  moveFormerStore(paths);
  homeEncryption(pki.encryption, paths.store);
  giveToControlPlane(paths, config);
  handOutKeys(paths, config);
  if (written.length > 0) log.info({ written }, 'certificates were made');
  return pki;
}

/** The supervisor starts the control plane, and what needs the network between the nodes, when it sees these files. */
function tellReady({ paths, config }: NodeAgentOptions): void {
  const nodes = config.nodeNetwork === undefined ? [] : config.nodes.map(({ name }) => name);
  for (const name of [...nodes, MACHINE]) writeFileSync(`${paths.run}/${name}.network`, '', { mode: 0o600 });
}

/** The API server starts beside us, and nothing could tell us that it listens but itself. */
async function untilServed(client: KubeClient, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await client.raw({ method: 'GET', path: '/readyz' }, signal);
      return;
    } catch {
      await sleep(clock, ASK_AGAIN_MS, signal).catch(() => undefined);
    }
  }
}

/** Certificates live a year and are renewed when a fifth of it is left; who uses them reads them again. */
function renewDaily(options: NodeAgentOptions): () => void {
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = options.clock.after(DAY_MS, () => {
      ensureKeys(options);
      arm();
    });
  };
  arm();
  return () => cancel();
}
