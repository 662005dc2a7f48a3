/** A fresh API server on a free port, with the controllers that deletion needs and nothing else. */
import { systemClock } from '@podvisor/base';
import { setInterval } from 'node:timers/promises';
import { controllerTable, KubeClient, type Log, resources } from '@podvisor/kube';
import { startTestServer } from '../../../packages/apiserver/src/testing/test-server.ts';
import { garbageCollector } from '../../../packages/workload-controllers/src/garbage-collector/controller.ts';
import { namespaceController } from '../../../packages/workload-controllers/src/namespace/controller.ts';
import { ServedResources } from '../../../packages/workload-controllers/src/served-resources.ts';
import { SharedInformers } from '../../../packages/kube/src/informer/shared-informers.ts';

/** How an administrator reaches the server. PEM. */
export interface AdminAccess {
  readonly server: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface PrivateServer {
  readonly admin: AdminAccess;
  close(): Promise<void>;
}

/** Refused requests are part of what is compared: they are no news. */
const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The recorded server had a controller manager beside it, which renews its lease this often. */
const LEASE_MS = 1000;

/** Keeps a lease as a controller manager does: revisions move on even when nobody else writes. */
async function keepLease(client: KubeClient, signal: AbortSignal): Promise<void> {
  const key = { namespace: 'kube-system', name: 'kube-controller-manager' };
  await client.create(resources.leases, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: key,
    spec: { holderIdentity: 'recorder', leaseDurationSeconds: 15 },
  });
  for await (const _ of setInterval(LEASE_MS, undefined, { signal, ref: false })) {
    const spec = { renewTime: new Date().toISOString().replace('Z', '000Z') };
    await client.patch(resources.leases, key, { type: 'merge', body: { spec } }, signal);
  }
}

/** Resolves when the server answers and the controllers have full caches. */
export async function startPrivateServer(): Promise<PrivateServer> {
  const home = await startTestServer({ overrides: { log: silent, mayUseLoopback: () => true } });
  const { server, ca, admin } = home;
  const client = KubeClient.fromAccess({
    server: server.url,
    ca: ca.certificate,
    certificate: admin.certificate,
    key: admin.key,
  });
  const ending = new AbortController();
  const common = { client, clock: systemClock, log: silent };
  const informers = new SharedInformers(common);
  const namespaces = informers.of(resources.namespaces);
  const served = new ServedResources({ ...common, informers });
  informers.start(ending.signal);
  await informers.synced();
  const running = Promise.all([
    keepLease(client, ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
    }),
    controllerTable(
      [garbageCollector({ ...common, served }), namespaceController({ ...common, namespaces, served })],
      common,
    )(ending.signal),
  ]);
  await served.start(ending.signal);
  return {
    admin: { server: server.url, ca: ca.certificate, cert: admin.certificate, key: admin.key },
    close: async () => {
      ending.abort();
      await running;
      await client.close();
      await home[Symbol.asyncDispose]();
    },
  };
}
