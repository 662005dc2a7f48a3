import assert from 'node:assert/strict';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { sendEvents } from './watch-parcel.ts';

let server: Server;
let answer: (response: ServerResponse) => void;

before(async () => {
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

after(() => void server.close());

const port = (): number => (server.address() as AddressInfo).port;

async function read(): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port: port(), host: '127.0.0.1' }, resolve).on('error', reject);
  });
  return text(response);
}

const [a, b, c] = ['a\n', 'bé\n', 'c\n'].map((line) => Buffer.from(line)) as [Buffer, Buffer, Buffer];

test('events come whole and in order, between what the response itself is told to say', async () => {
  answer = (response) => {
    response.flushHeaders();
    response.write('begin\n');
    sendEvents(response, [a, b]);
    response.write('bookmark\n');
    sendEvents(response, [c]);
    setImmediate(() => {
      sendEvents(response, [a]);
      sendEvents(response, []);
      response.end('end\n');
      sendEvents(response, [b]);
    });
  };
  assert.equal(await read(), 'begin\na\nbé\nbookmark\nc\na\nend\n');
});

test('what a corked response holds back goes first', async () => {
  answer = (response) => {
    response.flushHeaders();
    response.cork();
    response.write('held\n');
    sendEvents(response, [a]);
    response.uncork();
    response.end();
  };
  assert.equal(await read(), 'held\na\n');
});

test('watchers that are sent the same events share their bytes, others do not', async () => {
  answer = (response) => {
    response.flushHeaders();
    sendEvents(response, [a, b]);
    sendEvents(response, [a, b]);
    sendEvents(response, [a, c]);
    response.end();
  };
  assert.equal(await read(), 'a\nbé\na\nbé\na\nc\n');
});

test('an answer without chunks, to a client of HTTP/1.0, has none', async () => {
  answer = (response) => {
    response.flushHeaders();
    sendEvents(response, [a, b]);
    response.end();
  };
  const socket = connect(port(), '127.0.0.1');
  socket.write('GET / HTTP/1.0\r\n\r\n');
  const [, body] = (await text(socket)).split('\r\n\r\n');
  assert.equal(body, 'a\nbé\n');
});
