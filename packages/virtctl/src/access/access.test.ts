import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command } from 'commander';
import { normalizeSwitches } from '../arguments.ts';
import { toYaml } from '../output/yaml.ts';
import { startRecordingServer } from '../testing/recording-server.ts';
import { CommandClient, durationMs } from './command-client.ts';
import { accessFlags, accessWords, addGlobalFlags } from './flags.ts';
import { clusterAccess } from './kubeconfig.ts';

const work = mkdtempSync(join(tmpdir(), 'virtctl-access-'));
after(() => rmSync(work, { recursive: true }));

function kubeconfig(name: string, content: unknown): string {
  const path = join(work, name);
  writeFileSync(path, toYaml(content));
  return path;
}

const one = kubeconfig('one', {
  clusters: [{ name: 'c', cluster: { server: 'https://one:1' } }],
  users: [{ name: 'u', user: { token: 'first' } }],
  contexts: [
    { name: 'x', context: { cluster: 'c', user: 'u', namespace: 'blue' } },
    { name: 'bare', context: { cluster: 'c' } },
  ],
  'current-context': 'x',
});
const two = kubeconfig('two', {
  clusters: [
    { name: 'c', cluster: { server: 'https://two:2' } },
    { name: 'd', cluster: { server: 'https://three:3/' } },
  ],
  users: [{ name: 'v', user: { token: 'second' } }],
  contexts: [{ name: 'y', context: { cluster: 'd', user: 'v' } }],
  'current-context': 'y',
});

const ACCESS: readonly (readonly [
  string,
  Parameters<typeof clusterAccess>[0],
  string,
  Partial<ReturnType<typeof clusterAccess>>,
])[] = [
  ['the current context', {}, one, { server: 'https://one:1', token: 'first', namespace: 'blue' }],
  [
    'another context',
    { context: 'bare' },
    one,
    { server: 'https://one:1', token: undefined, namespace: undefined },
  ],
  ['a namespace of the command line', { namespace: 'red' }, one, { namespace: 'red' }],
  ['the first of two files wins', {}, `${one}:${two}`, { server: 'https://one:1', namespace: 'blue' }],
  [
    'a context of the second file',
    { context: 'y' },
    `${one}:${two}`,
    { server: 'https://three:3', token: 'second' },
  ],
  [
    'another cluster and user',
    { cluster: 'd', user: 'v' },
    `${one}:${two}`,
    { server: 'https://three:3', token: 'second' },
  ],
  [
    'a server and a token of the command line',
    { server: 'https://other', token: 't' },
    one,
    { server: 'https://other', token: 't' },
  ],
  ['files that are not there are passed over', {}, `/no/such/file:${two}`, { server: 'https://three:3' }],
];

for (const [name, flags, KUBECONFIG, expected] of ACCESS)
  test(`access: ${name}`, () => {
    const found = clusterAccess(flags, { KUBECONFIG });
    for (const [key, value] of Object.entries(expected))
      assert.equal(Object.entries(found).find(([known]) => known === key)?.[1], value, key);
  });

test('a context that does not exist is named in the error', () => {
  assert.throws(
    () => clusterAccess({ context: 'nowhere' }, { KUBECONFIG: one }),
    /no context named "nowhere"/,
  );
});

test('a kubeconfig that is not there, or is none, is named in the error', (t) => {
  const { HOME, PODVISOR_HOME } = process.env;
  t.after(() => {
    Object.assign(process.env, { HOME, PODVISOR_HOME });
    if (PODVISOR_HOME === undefined) delete process.env['PODVISOR_HOME'];
  });
  Object.assign(process.env, { HOME: '/nothere', PODVISOR_HOME: '/nothere' });
  assert.throws(
    () => clusterAccess({}, { KUBECONFIG: '/nothere/kubeconfig' }),
    /\$KUBECONFIG names \/nothere\/kubeconfig, which is not there/,
  );
  assert.throws(() => clusterAccess({}, { KUBECONFIG: '/etc/hostname' }), /hostname names no cluster/);
});

test("a command's own flag hides the global one of the same name, and globals work on both sides", () => {
  let seen: unknown;
  const program = new Command().enablePositionalOptions();
  program
    .command('act')
    .option('-u, --user <name>')
    .action((_flags: unknown, self: Command) => {
      seen = accessFlags(self);
    });
  addGlobalFlags(program);
  program.parse(['--context', 'c', 'act', '--user', 'guest', '-n', 'blue'], { from: 'user' });
  assert.deepEqual(seen, { context: 'c', namespace: 'blue' });
});

test('switches take =true and =false', () => {
  const program = new Command();
  program.command('go').option('--force').option('--no-create').option('--size <size>');
  assert.deepEqual(
    normalizeSwitches(['go', '--force=true', '--create=false', '--size=1', '--', '--force=false'], program),
    ['go', '--force', '--no-create', '--size=1', '--', '--force=false'],
  );
  assert.deepEqual(normalizeSwitches(['go', '--force=false', '--create=true', '--no-create=true'], program), [
    'go',
    '--no-create',
  ]);
});

test('flags are passed on as words', () => {
  assert.deepEqual(
    accessWords({ kubeconfig: '/a b', asGroup: ['g'], insecureSkipTlsVerify: true, namespace: 'n' }),
    ['--kubeconfig=/a b', '--as-group=g', '--insecure-skip-tls-verify'],
  );
});

test('times', () => {
  assert.deepEqual(
    ['0', '30', '90s', '1m30s', '250ms'].map((text) => durationMs(text, '-')),
    [0, 30_000, 90_000, 90_000, 250],
  );
  assert.throws(() => durationMs('soon', '--request-timeout'), /--request-timeout must be a time/);
});

test('--as reaches requests and websockets, and the first words of a server are not lost', async () => {
  const server = await startRecordingServer(() => ({}), 'first words');
  try {
    const client = new CommandClient({ server: server.url, token: 't' }, { as: 'jane', asGroup: ['dev'] });
    await client.request({ method: 'GET', path: '/api' });
    const socket = await client.dial('/stream', { query: { a: true } });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const heard = new Promise<string>((resolve) =>
      socket.on('message', (data: Buffer) => resolve(data.toString())),
    );
    socket.resume();
    assert.equal(await heard, 'first words');
    for (const { headers } of server.seen) {
      assert.equal(headers['impersonate-user'], 'jane');
      assert.equal(headers['impersonate-group'], 'dev');
      assert.equal(headers.authorization, 'Bearer t');
    }
    assert.equal(server.seen[1]?.path, '/stream?a=true');
    await client.close();
  } finally {
    server.close();
  }
});
