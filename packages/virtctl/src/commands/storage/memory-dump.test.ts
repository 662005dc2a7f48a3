import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCa, issueCertificate } from '@podvisor/kube';
import { buildProgram } from '../../program.ts';
import { runProgram } from '../../run-program.ts';
import { startRecordingServer } from '../../testing/recording-server.ts';
import { testShell } from '../../testing/test-shell.ts';

test('the memory of a guest is fetched from the server of its export, and its token shown to no other', async (t) => {
  const now = Date.now();
  const ca = createCa({ commonName: 'export', now });
  const other = createCa({ commonName: 'somebody else', now });
  const pair = issueCertificate(ca, { commonName: 'export', usages: ['server'], names: ['127.0.0.1'], now });
  const tokens: unknown[] = [];
  const exporter = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    tokens.push(request.headers['x-kubevirt-export-token']);
    response.end('memory');
  }).listen(0, '127.0.0.1');
  await once(exporter, 'listening');
  const url = `https://127.0.0.1:${(exporter.address() as AddressInfo).port}/disk.img`;
  const directory = mkdtempSync(join(tmpdir(), 'memory-dump-'));
  t.after(() => {
    exporter.close();
    rmSync(directory, { recursive: true });
  });
  const download = async (cert: string, ...more: readonly string[]): Promise<number> => {
    const links = {
      external: { cert, volumes: [{ name: 'dump', formats: [{ format: 'raw', url }] }] },
    };
    let isMade = false;
    const server = await startRecordingServer(({ method, path }) => {
      if (path.includes('/secrets/')) return { data: { token: Buffer.from('secret').toString('base64') } };
      if (path.includes('/virtualmachines/'))
        return { status: { memoryDumpRequest: { phase: 'Completed', claimName: 'dump' } } };
      if (method === 'POST' && path.endsWith('/virtualmachineexports')) isMade = true;
      if (method !== 'GET') return { metadata: { uid: 'u' } };
      return isMade ? { spec: { tokenSecretRef: 't' }, status: { phase: 'Ready', links } } : undefined;
    });
    const shell = testShell();
    const output = join(directory, 'dump');
    const words = ['memory-dump', 'download', 'web', '--output', output, '--server', server.url, ...more];
    try {
      return await runProgram(buildProgram(shell), words, shell);
    } finally {
      server.close();
    }
  };
  assert.equal(await download(other.certificate), 1);
  assert.deepEqual(tokens, []);
  assert.equal(await download(ca.certificate), 0);
  assert.equal(readFileSync(join(directory, 'dump'), 'utf8'), 'memory');
  assert.equal(await download(other.certificate, '--insecure'), 0);
  assert.deepEqual(tokens, ['secret', 'secret']);
});
