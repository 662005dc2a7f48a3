import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { instancePaths } from '@podvisor/sys';
import { planInstance } from '../home/instance-plan.ts';
import { logs } from './logs.ts';
import { containerText, parseLine } from './record.ts';
import { humanLine, jsonLine } from './render.ts';
import { isSelected, sinceOf } from './select.ts';

const pinoLine = JSON.stringify({
  level: 40,
  time: 1_767_225_600_123,
  pid: 7,
  hostname: 'h',
  name: 'a',
  namespace: 'n',
  uid: 'u',
  error: 'no room',
  msg: 'domain failed',
});

test('every kind of line becomes one form', () => {
  const record = parseLine(pinoLine, 'virt-handler-node-1', 0);
  assert.equal(
    jsonLine(record),
    '{"time":"2026-01-01T00:00:00.123Z","level":"warn","component":"virt-handler-node-1","name":"a","namespace":"n","uid":"u","error":"no room","msg":"domain failed"}',
  );
  assert.equal(
    // Colours are a matter of where it is read.
    stripVTControlCharacters(humanLine(record)),
    '2026-01-01T00:00:00.123Z WARN  virt-handler-node-1  domain failed name=a namespace=n uid=u error="no room"',
  );
  assert.deepEqual(parseLine('{"name":"virt-api","level":30,"time":5,"msg":"listening"}', 'virt-api', 0), {
    atMs: 5,
    level: 'info',
    component: 'virt-api',
    message: 'listening',
    fields: {},
  });
  const supervised = '{"time":"2026-01-01T00:00:00Z","process":"virt-api","msg":"process ended"}';
  assert.equal(parseLine(supervised, 'supervisor', 0).atMs, 1_767_225_600_000);
  const prometheus = '{"ts":"2026-01-01T00:00:00Z","level":"error","msg":"x"}';
  assert.equal(parseLine(prometheus, 'prometheus', 0).level, 'error');
  const crash = parseLine('Error: \u001b[31mred', 'virt-api', 42);
  assert.deepEqual([crash.atMs, crash.level], [42, 'error']);
  assert.ok(!humanLine(crash).includes('\u001b[31mred'), 'what a process wrote does not colour the terminal');
  const wrapped = `2026-01-01T00:00:00.000000000+00:00 stdout F {"level":30,"time":9,"component":"virt-launcher","msg":"x"}`;
  assert.equal(parseLine(containerText(wrapped), 'virt-launcher', 0).atMs, 9);
});

test('lines are chosen by component, time and VM', () => {
  const record = parseLine(pinoLine, 'virt-handler-node-1', 0);
  const vm = (name: string, ...uids: string[]) => ({ namespace: 'n', name, uids: new Set(uids) });
  for (const [selection, wanted] of [
    [{}, true],
    [{ component: 'virt-handler' }, true],
    [{ component: 'virt' }, true],
    [{ component: 'virt-api' }, false],
    [{ sinceMs: record.atMs }, true],
    [{ sinceMs: record.atMs + 1 }, false],
    [{ vm: vm('a') }, true],
    [{ vm: vm('b') }, false],
    [{ vm: vm('b', 'u') }, true],
  ] as const)
    assert.equal(isSelected(record, selection), wanted, JSON.stringify(selection));
  assert.equal(sinceOf('10m', 1_000_000), 400_000);
  assert.equal(sinceOf('2026-01-01T00:00:00Z', 0), 1_767_225_600_000);
  assert.throws(() => sinceOf('yesterday', 0), /--since "yesterday": expected/);
});

test('files are merged in the order of time, and followed', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'logs-'));
  const paths = instancePaths(home);
  const before = process.env['PODVISOR_HOME'];
  process.env['PODVISOR_HOME'] = home;
  t.after(() => {
    if (before === undefined) delete process.env['PODVISOR_HOME'];
    else process.env['PODVISOR_HOME'] = before;
  });
  const line = (time: number, msg: string, more = {}): string =>
    `${JSON.stringify({ level: 30, time, ...more, msg })}\n`;
  const container = join(paths.containers('node-1'), 'pod', 'compute', '0');
  for (const directory of [paths.logs, container]) mkdirSync(directory, { recursive: true });
  const config = planInstance(home, { apiPort: 6443, podCidr: '10.244.0.0/16', nodes: 1 });
  writeFileSync(paths.config, JSON.stringify(config));
  writeFileSync(join(paths.logs, 'virt-api.log'), line(1, 'first') + line(3, 'third'));
  writeFileSync(join(paths.logs, 'virt-controller.log'), line(2, 'second'));
  const launcher = line(4, 'fourth', { component: 'virt-launcher', namespace: 'n', name: 'a' });
  writeFileSync(join(container, 'log'), `2026-01-01T00:00:00.0+00:00 stdout F ${launcher}`);

  const seen: string[] = [];
  const stop = new AbortController();
  const said = (text: string): void => void seen.push((JSON.parse(text) as { msg: string }).msg);
  const following = logs(undefined, { follow: true, output: 'json' }, stop.signal, said);
  while (seen.length < 4) await delay(10);
  appendFileSync(join(paths.logs, 'virt-api.log'), line(5, 'fifth'));
  while (seen.length < 5) await delay(10);
  writeFileSync(join(paths.logs, 'new.log'), line(6, 'sixth'));
  while (seen.length < 6) await delay(10);
  stop.abort();
  await following;
  assert.deepEqual(seen, ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']);
  await assert.rejects(
    logs('virt-nothing', { follow: false, output: 'json' }, stop.signal, said),
    /there is no log of virt-nothing; there are: .*virt-api/,
  );
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  await logs(undefined, { follow: false, output: 'json', vm: 'helo' }, stop.signal, said, note);
  await logs(undefined, { follow: false, output: 'json', vm: 'n/a' }, stop.signal, said, note);
  assert.match(
    notes.join('\n'),
    /^nothing was logged about default\/helo; is that its name\? kubectl get vm -A$/,
  );
});
