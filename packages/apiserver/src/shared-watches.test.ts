/** Informers of one client over the one connection that their watches share, while the server is ended and begins anew. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { KubernetesObject } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { type ClusterAccess, Informer, KubeClient, type Resource } from '@podvisor/kube';
import { startTestServer, type TestServer } from './testing/test-server.ts';

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps: Resource<ConfigMap> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};
const INFORMERS = 30;
const OBJECTS = 60;

test('thirty informers over one connection miss nothing, also when the server goes and comes back', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'podvisor-shared-watches-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  let home: TestServer = await startTestServer({ directory });
  t.after(() => home[Symbol.asyncDispose]());
  const { port } = home.server;
  const accessOf = ({ ca, admin }: TestServer): ClusterAccess => ({
    server: `https://127.0.0.1:${port}`,
    ...{ ca: ca.certificate, certificate: admin.certificate, key: admin.key },
  });
  // The next server has other certificates: the client takes them as renewed ones.
  let access = accessOf(home);
  const client = new KubeClient({ credentials: { current: () => access }, userAgent: 'test' });
  t.after(() => client.close());
  const stop = new AbortController();
  t.after(() => stop.abort());
  const informers = Array.from(
    { length: INFORMERS },
    () => new Informer<ConfigMap>({ client, resource: configMaps, namespace: 'default' }),
  );
  for (const informer of informers) informer.start(stop.signal);
  await Promise.all(informers.map((informer) => informer.synced()));

  const write = async (value: string): Promise<void> => {
    for (let i = 0; i < OBJECTS; i += 1) {
      const key = { namespace: 'default', name: `map-${i}` };
      const patch = { type: 'merge', body: { data: { value } } } as const;
      await client.patch(configMaps, key, patch).catch(async (error: unknown) => {
        if (!(error instanceof StatusError) || error.code !== 404) throw error;
        await client.create(configMaps, { metadata: key, data: { value } });
      });
    }
  };
  const seen = (informer: Informer<ConfigMap>): string =>
    informer
      .list()
      .filter(({ metadata }) => metadata?.name?.startsWith('map-'))
      .map(({ metadata, data }) => `${metadata?.name}=${data?.['value']}`)
      .toSorted()
      .join();
  const allSee = async (names: readonly number[], value: string): Promise<void> => {
    const expected = names.map((i) => `map-${i}=${value}`).toSorted();
    while (!informers.every((informer) => seen(informer) === expected.join())) await pause(20);
  };
  const all = Array.from({ length: OBJECTS }, (_, i) => i);

  await write('first');
  await allSee(all, 'first');
  await home[Symbol.asyncDispose]();
  home = await startTestServer({ directory, port });
  access = accessOf(home);
  await write('second');
  for (const i of all.slice(0, 20))
    await client.delete(configMaps, { namespace: 'default', name: `map-${i}` });
  await allSee(all.slice(20), 'second');
  assert.equal(informers.length, INFORMERS);
});
