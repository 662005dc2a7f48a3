import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { AddressRefused, checkedHost, checkedLookup, ownAddresses, type Resolve } from './checked-dial.ts';

const server = createServer((socket) => socket.end('here'));
let port = 0;
let reached = 0;
server.on('connection', () => (reached += 1));
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
after(() => server.close());

/** A resolver that tells each time the next of its answers. */
function telling(...answers: readonly (readonly string[])[]): Resolve & { asked: number } {
  const resolve = (_host: string, _options: object, done: Parameters<Resolve>[2]): void => {
    const addresses = answers[Math.min(told.asked, answers.length - 1)] ?? [];
    told.asked += 1;
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  const told = Object.assign(resolve, { asked: 0 });
  return told;
}

async function dial(host: string, resolve?: Resolve): Promise<string> {
  const socket = connect({ ...checkedHost(host, {}, resolve), port });
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString();
}

test('every way to write the loopback address is refused', () => {
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '::ffff:7f00:1',
    '0',
    '0x7f.1',
  ])
    assert.throws(() => checkedHost(host), AddressRefused, host);
});

test('a name that leads to the machine itself is refused after it was resolved', async () => {
  for (const addresses of [
    ['127.0.0.1'],
    ['::1'],
    ['169.254.169.254'],
    ['0.0.0.0'],
    ['::ffff:127.0.0.1'],
    [],
  ])
    await assert.rejects(dial('service.example', telling(addresses)), AddressRefused, addresses[0]);
  await assert.rejects(dial('localhost'), AddressRefused);
  assert.equal(reached, 0);
});

test('a name that changes its meaning is asked for once only', async () => {
  const resolve = telling(['192.0.2.1'], ['127.0.0.1']);
  const found = await new Promise((done) =>
    checkedLookup({}, resolve)('rebinding.example', { all: true }, (_error, list) => done(list)),
  );
  assert.deepEqual(found, [{ address: '192.0.2.1', family: 4 }]);
  assert.equal(resolve.asked, 1);
  await assert.rejects(dial('rebinding.example', resolve), AddressRefused);
  assert.equal(reached, 0);
});

test('of several addresses only those are dialled that may be', async () => {
  const resolve = telling(['127.0.0.1', '192.0.2.7', '::1']);
  const found = await new Promise((done) =>
    checkedLookup({}, resolve)('mixed.example', { all: true }, (_error, list) => done(list)),
  );
  assert.deepEqual(found, [{ address: '192.0.2.7', family: 4 }]);
});

test('what an administrator allows is dialled', async () => {
  const policy = { allow: ['127.0.0.0/8'] };
  const socket = connect({ ...checkedHost('127.1', policy), port });
  const [data] = (await once(socket, 'data')) as [Buffer];
  assert.equal(data.toString(), 'here');
  assert.equal(reached, 1);
});

test("the machine's own addresses are known", () => {
  assert.ok(ownAddresses().includes('127.0.0.1/32'));
});
