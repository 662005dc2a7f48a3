import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { LogOptions } from '@podvisor/home-contract';
import { processLogs } from './process-logs.ts';

const STARTED = Date.parse('2026-01-01T00:00:00Z');
const line = (afterMs: number, msg: string): string =>
  `${JSON.stringify({ level: 30, time: STARTED + afterMs, msg })}\n`;
const ALL: LogOptions = { follow: false, previous: false, timestamps: false };
let directory: string;
let path: string;

before(() => {
  directory = mkdtempSync(join(tmpdir(), 'process-logs-'));
  path = join(directory, 'virt-api.log');
  writeFileSync(
    path,
    `${line(-60_000, 'old')}  at a stack of the old one\n${line(5, 'first')}  at a stack\n${line(5_000, 'second')}`,
  );
});
after(() => rmSync(directory, { recursive: true, force: true }));

function open(options: LogOptions, signal = new AbortController().signal): AsyncGenerator<Uint8Array> {
  const log = { path, runDirectory: directory, startedAtMs: STARTED, clock: systemClock };
  return processLogs(log, options, signal);
}

async function read(options: Partial<LogOptions>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of open({ ...ALL, ...options })) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('one file for all runs is shown by run', async () => {
  assert.equal(await read({}), `${line(5, 'first')}  at a stack\n${line(5_000, 'second')}`);
  assert.equal(await read({ previous: true }), `${line(-60_000, 'old')}  at a stack of the old one\n`);
  assert.equal(await read({ previous: true, tailLines: 1 }), '  at a stack of the old one\n');
  assert.equal(await read({ tailLines: 1 }), line(5_000, 'second'));
  assert.equal(await read({ sinceTime: '2026-01-01T00:00:03Z' }), line(5_000, 'second'));
  assert.match(await read({ timestamps: true, tailLines: 1 }), /^2026-01-01T00:00:05.000Z \{"level"/);
  assert.equal((await read({ limitBytes: 10 })).length, 10);
});

test('what comes later is followed', async () => {
  const stop = new AbortController();
  const lines = open({ ...ALL, follow: true, tailLines: 0 }, stop.signal);
  const next = lines.next();
  setTimeout(() => appendFileSync(path, line(9_000, 'third')), 20);
  assert.equal(Buffer.from((await next).value as Uint8Array).toString(), line(9_000, 'third'));
  stop.abort();
  assert.equal((await lines.next()).done, true);
});
