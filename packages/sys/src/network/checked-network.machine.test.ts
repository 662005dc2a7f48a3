/** A tool in a network of checked addresses. Needs root. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { openCheckedNetwork } from './checked-network.ts';
import type { Resolve } from './checked-dial.ts';

let server: Server;
let port: number;
before(async () => {
  server = createServer((request, response) => response.end(`hello ${request.url}`)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
after(() => server.close());

/** Every name is this machine: the first time something else is claimed, as by DNS rebinding. */
const resolve: Resolve = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
const ALLOWED = { allow: ['127.0.0.0/8'] };
const CURL = ['--silent', '--max-time', '5', '--write-out', ' %{http_code}'];

test('a tool reaches what may be dialled, by name, plain and in a tunnel', async () => {
  await using network = await openCheckedNetwork(ALLOWED, resolve);
  const url = `http://registry.example.com:${port}/x?y`;
  assert.equal((await network.run('curl', [...CURL, url])).stdout, 'hello /x?y 200');
  assert.equal((await network.run('curl', [...CURL, '--proxytunnel', url])).stdout, 'hello /x?y 200');
  assert.deepEqual(network.refusals, []);
});

test('a name that means the machine is refused, plain and in a tunnel, and the refusal is told', async () => {
  await using network = await openCheckedNetwork({}, resolve);
  const url = `http://registry.example.com:${port}/`;
  assert.match((await network.run('curl', [...CURL, url])).stdout, / 403$/);
  await assert.rejects(network.run('curl', [...CURL, '--proxytunnel', url]));
  assert.match(network.refusals.join('\n'), /^(registry.example.com is not dialled: .*\n?){2}$/);
});

test('past the proxy there is nothing, and the proxy knows its tool', async () => {
  await using network = await openCheckedNetwork(ALLOWED, resolve);
  await assert.rejects(network.run('curl', [...CURL, '--noproxy', '*', `http://127.0.0.1:${port}/`]));
  const script = `curl ${CURL.join(' ')} --proxy "$(echo "$HTTP_PROXY" | sed 's/tool:[^@]*/tool:x/')" http://a:${port}/`;
  assert.match(
    (await network.run('sh', ['-c', script.replace(' %{', "' %{").replace('}', "}'")])).stdout,
    / 407$/,
  );
});

test('a tool can tell why its tunnel was not dug', async () => {
  const unknown: Resolve = (host, _options, done) =>
    done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
  const told = async (name: Resolve, url: string): Promise<string> => {
    await using network = await openCheckedNetwork(ALLOWED, name);
    const { stdout } = await network.run('sh', ['-c', `curl -sv --max-time 5 ${url} 2>&1; true`]);
    return stdout;
  };
  assert.match(await told(unknown, 'https://registry.example.com/v2/'), /HTTP\/1.1 502 no such host/);
  assert.match(await told(resolve, 'https://registry.example.com:1/v2/'), /HTTP\/1.1 502 connection refused/);
});
