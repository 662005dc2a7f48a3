import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { instancePaths } from '@podvisor/sys';
import { planInstance } from '../home/instance-plan.ts';
import { passwordFile, prometheusApi, untilReady } from './prometheus-api.ts';

test('a program of somebody else that has the port of Prometheus is not sent the password', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'monitoring-'));
  const paths = instancePaths(home);
  mkdirSync(paths.monitoring);
  writeFileSync(passwordFile(paths), 'secret');
  const sent: unknown[] = [];
  const stranger = createServer(({ headers }, response) => {
    sent.push(headers.authorization);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  t.after(() => {
    stranger.close();
    rmSync(home, { recursive: true });
  });
  const apiPort = (stranger.address() as AddressInfo).port - 10;
  const config = planInstance(home, { apiPort, podCidr: '10.244.0.0/16', nodes: 1 });
  const signal = AbortSignal.timeout(5_000);
  await assert.rejects(untilReady(paths, config, 'prometheus', signal), /is not prometheus's: user \d+/);
  await assert.rejects(prometheusApi(paths, config).value('up'), /is not prometheus's/);
  await assert.rejects(prometheusApi(paths, config).alerts(), /is not prometheus's/);
  assert.deepEqual(sent, []);
});
