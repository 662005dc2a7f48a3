/** A fresh API server on a free port, with the controllers that deletion needs and nothing else. */
import { KubeClient, type Log, resources, systemClock } from '@podvisor/kube';
import { startTestServer } from '../../../packages/cluster/src/apiserver/testing/test-server.ts';
import { runGarbageCollector } from '../../../packages/cluster/src/controllers/garbage-collector/controller.ts';
import { runNamespaceController } from '../../../packages/cluster/src/controllers/namespace/controller.ts';
import { ServedResources } from '../../../packages/cluster/src/controllers/served-resources.ts';
import { SharedInformers } from '../../../packages/cluster/src/controllers/shared-informers.ts';

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

/** Resolves when the server answers and the controllers have full caches. */
export async function startPrivateServer(): Promise<PrivateServer> {
  const home = await startTestServer({ overrides: { log: silent } });
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
    runGarbageCollector({ ...common, served }, ending.signal),
    runNamespaceController({ ...common, namespaces, served }, ending.signal),
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
