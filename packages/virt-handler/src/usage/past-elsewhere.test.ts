import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { annotations, certificateNames, nodeUnit } from '@podvisor/api';
import { type Clock, requireUid, type UsagePoint } from '@podvisor/base';
import { issueCertificate, type KeyPair } from '@podvisor/kube';
import { makeMigrationTls } from '../testing/migration-tls.ts';
import { vmiOf } from '../testing/objects.ts';
import { PastElsewhere } from './past-elsewhere.ts';
import { historyOf } from './usage-points.ts';

const UID = requireUid('0d4e8a76-8a12-4f0c-9d0b-0123456789ab', 'VMI');
const log = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} };
/** Waits take no time. */
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (_ms, fn) => {
    setImmediate(fn);
    return () => {};
  },
};

describe('the past of a guest at the node that it came from', () => {
  let directory = '';
  let server: Server | undefined;
  let ca: KeyPair;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'pvp-'));
    ({ ca } = makeMigrationTls(directory, 'node-2'));
  });
  afterEach(() => void server?.close());
  after(() => rmSync(directory, { recursive: true, force: true }));

  /** Answers with `text` as the virt-handler of `node`, and tells who asked for what. */
  async function answering(node: string, text: () => string): Promise<{ endpoint: string; asked: string[] }> {
    const asked: string[] = [];
    const { certificate: cert, key } = issueCertificate(ca, {
      commonName: certificateNames.handlerServer,
      organizationalUnits: [nodeUnit(node)],
      names: ['127.0.0.1'],
      usages: ['server'],
      now: Date.now(),
    });
    server = createServer({ cert, key, ca: ca.certificate, requestCert: true }, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      asked.push(`${subject.CN} ${String(subject.OU)} ${request.url}`);
      response.end(text());
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return { endpoint: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  async function inherited(endpoint: string): Promise<readonly UsagePoint[] | undefined> {
    let points: readonly UsagePoint[] | undefined;
    const lease = {
      metadata: { name: 'virt-handler-node-1', annotations: { [annotations.handlerEndpoint]: endpoint } },
    };
    const past = new PastElsewhere({
      client: { get: (async () => lease) as never },
      namespace: 'kubevirt',
      tlsDir: directory,
      keeper: { inherit: (_uid, told) => void (points = told) },
      clock,
      log,
    });
    const vmi = vmiOf({ phase: 'Running', migrationState: { sourceNode: 'node-1' } });
    await past.fetch(
      { ...vmi, metadata: { namespace: 'shop', name: 'web', uid: UID } },
      new AbortController().signal,
    );
    return points;
  }

  const counters = { cpuNs: 1, diskReadBytes: 2, diskWrittenBytes: 3, receivedBytes: 4, sentBytes: 5 };

  test('is asked for with the certificate of this node', async () => {
    const told = historyOf([{ atMs: Date.now() - 90_000, ...counters }], Date.now());
    const { endpoint, asked } = await answering('node-1', () => JSON.stringify(told));
    const points = await inherited(endpoint);
    assert.deepEqual(
      points?.map(({ cpuNs, sentBytes }) => [cpuNs, sentBytes]),
      [[1, 5]],
    );
    assert.deepEqual(asked, [
      'kubevirt.io:system:client:migration node:node-2 /v1/namespaces/shop/virtualmachineinstances/web/usagehistory',
    ]);
  });

  test('is not taken from another node', async () => {
    const { endpoint, asked } = await answering('node-3', () => '{"nowMs":1,"points":[]}');
    assert.equal(await inherited(endpoint), undefined);
    assert.deepEqual(asked, []);
  });

  test('without end, or with nobody there, is none', async () => {
    const { endpoint, asked } = await answering('node-1', () => 'x'.repeat(300_000));
    assert.equal(await inherited(endpoint), undefined);
    assert.equal(asked.length, 3, 'and it is given up');
    assert.equal(await inherited('https://127.0.0.1:1'), undefined);
  });
});
