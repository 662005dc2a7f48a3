/** Mirror Pods of processes at a real API server, made by a kubelet's certificate; and the workloads above them. */
import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Pod } from '@podvisor/api';
import {
  controllerTable,
  createCa,
  defineResource,
  fixedCredentials,
  issueCertificate,
  type KeyPair,
  KubeClient,
  resources,
  SharedInformers,
  stderrLog,
} from '@podvisor/kube';
import { type InstanceConfig, instancePaths, removePidFile, writePidFile } from '@podvisor/sys';
import { startTestServer, type TestServer } from '../../../apiserver/src/testing/test-server.ts';
import { daemonSetController } from '../../../workload-controllers/src/daemon-set/controller.ts';
import { deploymentController } from '../../../workload-controllers/src/deployment/controller.ts';
import { homeComponentController } from '../../../workload-controllers/src/home-component/controller.ts';
import { workloads } from '../../../workload-controllers/src/workloads/resources.ts';
import { COMPONENT_NAMESPACE, componentWorkloads } from '@podvisor/home-contract';
import { kubeletContext } from '../../../kubelet/src/context.ts';
import { ComponentPods } from '../../../kubelet/src/components/component-pods.ts';

const log = { ...stderrLog, info: () => undefined };
const common = { clock: systemClock, log };
const HANDLER = 'virt-handler-node-1';
const GONE_MS = 500;
let home: TestServer;
let admin: KubeClient;
let kubelet: KubeClient;
let directory: string;
let process1: Server;
let components: ComponentPods;
let pidFile: string;
let answer = 200;
/** Bad answers in a row. */
let asked = 0;
const stop = new AbortController();

function clientOf({ certificate, key }: Pick<KeyPair, 'certificate' | 'key'>): KubeClient {
  const access = { server: home.server.url, ca: home.ca.certificate, certificate, key };
  return new KubeClient({ credentials: fixedCredentials(access), userAgent: 'test' });
}

before(async () => {
  home = await startTestServer();
  directory = mkdtempSync(join(tmpdir(), 'component-pods-'));
  const { certificate, key } = createCa({ commonName: 'component', now: Date.now() });
  process1 = createServer({ cert: certificate, key }, (_, response) => {
    asked = answer === 200 ? 0 : asked + 1;
    response.writeHead(answer).end();
  });
  process1.listen(0, '127.0.0.1');
  await once(process1, 'listening');
  const node = {
    name: 'node-1',
    address: '10.1.0.1',
    podCidr: '10.2.0.0/24',
    handlerPort: (process1.address() as AddressInfo).port,
  };
  const config: InstanceConfig = {
    name: 'test',
    apiPort: home.server.port,
    virtApiPort: 1,
    podCidr: '10.2.0.0/16',
    bridge: 'br',
    nodes: [node],
  };
  const paths = instancePaths(directory);
  mkdirSync(paths.run);
  pidFile = `${paths.run}/${HANDLER}.pid`;
  admin = clientOf(home.admin);
  kubelet = clientOf(
    issueCertificate(home.ca, {
      commonName: 'system:node:node-1',
      organizations: ['system:nodes'],
      usages: ['client'],
      now: Date.now(),
    }),
  );
  await admin.create(resources.namespaces, { metadata: { name: COMPONENT_NAMESPACE } });
  await admin.create(resources.nodes, { metadata: { name: 'node-1' } });
  await admin.create(resources.serviceAccounts, {
    metadata: { name: 'default', namespace: COMPONENT_NAMESPACE },
  });
  for (const object of componentWorkloads()) {
    const plural = object.kind === 'Deployment' ? 'deployments' : 'daemonsets';
    await admin.create(defineResource(object.kind ?? '', plural, 'apps/v1'), object);
  }
  components = new ComponentPods(kubeletContext({ config, paths, node, ...common }), kubelet, {
    steadyMs: 200,
    againMs: 50,
    goneMs: GONE_MS,
  });
  const informers = new SharedInformers({ client: admin, ...common });
  const pods = informers.of(resources.pods);
  pods.on({
    add: (pod) => components.podChanged(pod),
    update: (pod) => components.podChanged(pod),
    delete: (pod) => components.podGone(pod),
  });
  const [deployments, daemonSets] = [informers.of(workloads.deployments), informers.of(workloads.daemonSets)];
  const [replicaSets, revisions] = [informers.of(workloads.replicaSets), informers.of(workloads.revisions)];
  const nodes = informers.of(resources.nodes);
  informers.start(stop.signal);
  await informers.synced();
  const parts = { client: admin, ...common, pods };
  void controllerTable(
    [
      homeComponentController({ ...parts, deployments, daemonSets }),
      deploymentController({ ...parts, deployments, replicaSets }),
      daemonSetController({ ...parts, daemonSets, revisions, nodes }),
    ],
    common,
  )(stop.signal);
  components.start();
});
after(async () => {
  stop.abort();
  await components.close();
  await Promise.all([admin.close(), kubelet.close()]);
  process1.closeAllConnections();
  process1.close();
  await home[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 400; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not happen`);
}

const handler = (fits: (pod: Pod) => boolean): Promise<Pod> =>
  until('the state of the Pod', async () => {
    const pod = await admin.find(resources.pods, { namespace: COMPONENT_NAMESPACE, name: HANDLER });
    return pod !== undefined && fits(pod) ? pod : undefined;
  });
const restarts = (pod: Pod): number => pod.status?.containerStatuses?.[0]?.restartCount ?? -1;
const isReady = (pod: Pod): boolean => pod.status?.containerStatuses?.[0]?.ready === true;

test('a Pod is there before its process, and follows it', async () => {
  await handler(({ status }) => status?.phase === 'Pending');
  writePidFile(pidFile, process.pid);
  const pod = await handler(isReady);
  assert.equal(restarts(pod), 0);
  assert.equal(pod.status?.podIP, '10.1.0.1');
  const reference = { namespace: COMPONENT_NAMESPACE, name: HANDLER, nodeName: 'node-1' };
  assert.equal(components.componentOf({ ...reference, uid: pod.metadata.uid ?? '' })?.process, HANDLER);
  assert.equal(components.componentOf({ ...reference, uid: 'of another Pod' }), undefined);
});

test('the workload says how many are ready', async () => {
  const set = await until('the DaemonSet is ready', async () => {
    const found = await admin.get(workloads.daemonSets, {
      namespace: COMPONENT_NAMESPACE,
      name: 'virt-handler',
    });
    return found.status?.numberReady === 1 ? found : undefined;
  });
  assert.equal(set.status?.observedGeneration, set.metadata.generation);
  const { status } = await admin.get(workloads.deployments, {
    namespace: COMPONENT_NAMESPACE,
    name: 'virt-api',
  });
  assert.equal(status?.unavailableReplicas, 1, 'no process stands behind it here');
  const namespace = { namespace: COMPONENT_NAMESPACE };
  assert.equal((await admin.list(workloads.replicaSets, namespace)).items.length, 0);
  assert.equal(
    (await admin.list(resources.pods, namespace)).items.length,
    4,
    'nobody made Pods for workloads',
  );
});

test('a process that ends is seen at once, and its successor counts as a restart', async () => {
  removePidFile(pidFile);
  await handler((pod) => pod.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff');
  answer = 503;
  writePidFile(pidFile, process.pid);
  const pod = await handler((seen) => restarts(seen) === 1);
  assert.equal(isReady(pod), false);
  answer = 200;
  await handler(isReady);
});

test('one bad answer is no news, three are', async () => {
  const before = await handler(isReady);
  answer = 503;
  const after = await handler((pod) => !isReady(pod));
  assert.ok(asked >= 3, `${asked} answers`);
  assert.equal(restarts(after), restarts(before));
  answer = 200;
  await handler(isReady);
});

test('one that somebody deletes is gone for a moment, which those who wait for it see, and comes back', async () => {
  const { metadata } = await handler(isReady);
  const key = { namespace: COMPONENT_NAMESPACE, name: HANDLER };
  const before = performance.now();
  await admin.delete(resources.pods, key);
  const isAnother = (pod: Pod): boolean => pod.metadata.uid !== metadata.uid;
  await handler(isAnother);
  // It was deleted after `before`, and however slow all of this is, it cannot be back earlier than it waits.
  assert.ok(performance.now() - before >= GONE_MS, 'nobody would have seen that it was gone');
  const again = await handler((pod) => isAnother(pod) && isReady(pod));
  assert.equal(restarts(again), 0);
});
