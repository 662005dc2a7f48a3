/**
 * Who is answered by the real Prometheus and Alertmanager of a home: the viewer with the password, and Prometheus at
 * Alertmanager. A token of the home, which opens every metrics page, opens neither of them.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { instancePaths } from '@podvisor/sys';
import { planInstance } from '../home/instance-plan.ts';
import { bcrypt } from './bcrypt.ts';
import {
  alertmanagerArgs,
  alertmanagerConfig,
  alertmanagerPort,
  monitoringPort,
  prometheusArgs,
  prometheusConfig,
  ruleFile,
  SENDER,
  VIEWER,
  webConfig,
} from './plan.ts';
import { PROGRAMS } from './processes.ts';

const home = mkdtempSync(join(tmpdir(), 'pv-listeners-'));
const paths = instancePaths(home);
const running: ChildProcess[] = [];
const PASSWORDS: Readonly<Record<string, string>> = { [VIEWER]: 'the viewer’s', [SENDER]: 'the sender’s' };
const TOKEN = 'a token of the home';
let ports: { prometheus: number; alertmanager: number };

before(async () => {
  const config = planInstance(home, { apiPort: await freeApiPort(), podCidr: '10.117.0.0/16', nodes: 1 });
  ports = { prometheus: monitoringPort(config), alertmanager: alertmanagerPort(config) };
  for (const directory of ['data', 'alerts', 'runbooks'])
    mkdirSync(join(paths.monitoring, directory), { recursive: true });
  mkdirSync(paths.pki, { recursive: true });
  const hash = { [VIEWER]: await bcrypt(PASSWORDS[VIEWER] ?? '') };
  const files = {
    [join(paths.monitoring, 'prometheus.yml')]: prometheusConfig(config, paths),
    [join(paths.monitoring, 'rules.yaml')]: ruleFile('http://127.0.0.1/%s.html'),
    [join(paths.monitoring, 'web.yml')]: webConfig(hash),
    [join(paths.monitoring, 'alertmanager-web.yml')]: webConfig({
      ...hash,
      [SENDER]: await bcrypt(PASSWORDS[SENDER] ?? ''),
    }),
    [join(paths.monitoring, 'alertmanager.yml')]: alertmanagerConfig(),
    [join(paths.monitoring, 'sender-password')]: PASSWORDS[SENDER] ?? '',
    [join(paths.monitoring, 'token')]: TOKEN,
    [join(paths.pki, 'ca.crt')]: '',
    [join(paths.pki, 'kubevirt-ca.crt')]: '',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
  running.push(
    spawn(PROGRAMS.prometheus, prometheusArgs(config, paths), { stdio: 'ignore' }),
    spawn(PROGRAMS.alertmanager, alertmanagerArgs(config, paths), { stdio: 'ignore' }),
  );
  for (const port of Object.values(ports)) await answers(port);
});
after(async () => {
  for (const child of running) {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  }
  rmSync(home, { recursive: true });
});

/** Such that the ports of monitoring, which are beside it, are free. */
async function freeApiPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port - 10;
}

async function answers(port: number): Promise<void> {
  const until = Date.now() + 60_000;
  while (Date.now() < until) {
    if ((await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined)) !== undefined) return;
    await delay(100);
  }
  assert.fail(`nothing answers at ${port}`);
}

const basic = (user: string, password = PASSWORDS[user] ?? ''): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const PATHS = {
  prometheus: ['/', '/metrics', '/api/v1/targets', '/api/v1/status/config', '/consoles/x.html', '/-/ready'],
  alertmanager: ['/', '/metrics', '/api/v2/alerts', '/api/v2/status', '/-/ready'],
};

test('without the password nothing is answered, whatever else somebody has', async () => {
  const strangers: Readonly<Record<string, string | undefined>> = {
    nobody: undefined,
    'a token of the home': `Bearer ${TOKEN}`,
    'the viewer with no password': basic(VIEWER, ''),
    'the viewer with another password': basic(VIEWER, PASSWORDS[SENDER]),
    'somebody else': basic('admin', PASSWORDS[VIEWER]),
  };
  for (const [name, paths] of Object.entries(PATHS) as ['prometheus' | 'alertmanager', string[]][])
    for (const [who, authorization] of Object.entries(strangers))
      for (const path of paths) {
        const headers = authorization === undefined ? {} : { authorization };
        const { status } = await fetch(`http://127.0.0.1:${ports[name]}${path}`, { headers });
        assert.equal(status, 401, `${name} ${path}: ${who}`);
      }
});

test('the viewer reads both, and the sender’s password is for Alertmanager alone', async () => {
  const ask = async (port: number, path: string, user: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: basic(user) } })).status;
  assert.equal(await ask(ports.prometheus, '/api/v1/targets', VIEWER), 200);
  assert.equal(await ask(ports.alertmanager, '/api/v2/status', VIEWER), 200);
  assert.equal(await ask(ports.alertmanager, '/api/v2/status', SENDER), 200);
  assert.equal(await ask(ports.prometheus, '/api/v1/targets', SENDER), 401);
});

test('each listens on the loopback, at one port', () => {
  const listening = ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/net/${file}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '0A')
      .map(([, local = '']) => local),
  );
  for (const port of Object.values(ports)) {
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    assert.deepEqual(
      listening.filter((local) => local.endsWith(`:${hex}`)),
      [`0100007F:${hex}`],
    );
  }
});
