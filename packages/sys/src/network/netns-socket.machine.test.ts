/** Connections that begin in another network namespace. Needs root. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { ipBatch } from './ip.ts';
import { createNetns, netnsPath, removeNetns } from './netns.ts';
import { connectFromNetns } from './netns-socket.ts';
import { run } from '../processes/run.ts';

const NAME = 'pvsockettest';
const HERE = '10.251.250.1';

before(async () => {
  await createNetns(NAME);
  await ipBatch(undefined, [
    `link add name ${NAME} type veth peer name eth0 netns ${NAME}`,
    `addr add ${HERE}/30 dev ${NAME}`,
    `link set dev ${NAME} up`,
  ]);
  await ipBatch(netnsPath(NAME), ['addr add 10.251.250.2/30 dev eth0', 'link set dev eth0 up']);
});
after(async () => {
  await run('ip', ['link', 'del', 'dev', NAME], { okCodes: [0, 1] });
  await removeNetns(NAME);
});

test('a server sees the address of the namespace, and a cut cable is an error of the socket', async () => {
  const server = createServer((peer) => peer.end(peer.remoteAddress ?? ''));
  server.listen(0, HERE);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const socket = connectFromNetns(netnsPath(NAME), HERE, port);
    await once(socket, 'connect');
    const [said] = (await once(socket, 'data')) as [Buffer];
    assert.equal(said.toString(), '10.251.250.2');
    socket.destroy();

    const own = connectFromNetns(undefined, HERE, port);
    assert.equal(String((await once(own, 'data'))[0]), HERE);
    own.destroy();

    await ipBatch(netnsPath(NAME), ['link set dev eth0 down']);
    const [error] = (await once(connectFromNetns(netnsPath(NAME), HERE, port), 'error')) as [
      NodeJS.ErrnoException,
    ];
    assert.equal(error.code, 'ENETUNREACH');
  } finally {
    server.close();
  }
});

test('a name is refused: there is no resolver in a namespace', () => {
  assert.throws(() => connectFromNetns(netnsPath(NAME), 'localhost', 1), /is no IP address/);
});
