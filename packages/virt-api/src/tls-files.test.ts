import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { tlsFiles } from './testing/world.ts';
import { readTlsFiles, type TlsFiles, watchTlsFiles } from './tls-files.ts';

async function write(directory: string, files: TlsFiles): Promise<void> {
  await writeFile(join(directory, 'server.crt'), files.serverCert);
  await writeFile(join(directory, 'server.key'), files.serverKey);
  await writeFile(join(directory, 'client.crt'), files.clientCert);
  await writeFile(join(directory, 'client.key'), files.clientKey);
  await writeFile(join(directory, 'ca.crt'), files.ca);
}

test('a renewed set is told; a broken one keeps the old', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'virt-api-tls-'));
  const stop = new AbortController();
  try {
    await write(directory, tlsFiles());
    const events = new EventTarget();
    const told: TlsFiles[] = [];
    const log = {
      info() {},
      error() {},
      warn: () => events.dispatchEvent(new Event('warning')),
    };
    const onChange = (files: TlsFiles): void => {
      told.push(files);
      events.dispatchEvent(new Event('change'));
    };
    watchTlsFiles(directory, onChange, log, stop.signal);

    const renewed = tlsFiles();
    const change = once(events, 'change');
    await write(directory, renewed);
    await change;
    assert.deepEqual(told, [renewed]);

    const meanwhile = once(events, 'change');
    let isTold = false;
    void meanwhile.then(() => (isTold = true));
    for (let writes = 0; writes < 600 && !isTold; writes += 1) {
      await writeFile(join(directory, 'ca.crt'), renewed.ca);
      await delay(50);
    }
    assert.ok(isTold, 'files that are written without end do not put it off');

    const warning = once(events, 'warning');
    const toldBefore = told.length;
    await writeFile(join(directory, 'server.key'), tlsFiles().serverKey);
    await warning;
    assert.equal(told.length, toldBefore);
    await assert.rejects(readTlsFiles(directory));
  } finally {
    stop.abort();
    await rm(directory, { recursive: true });
  }
});
