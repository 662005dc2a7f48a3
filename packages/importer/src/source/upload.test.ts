import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { beforeEach, test } from 'node:test';
import { awaitUpload } from './upload.ts';

const { signal } = new AbortController();
let port: number;

beforeEach(async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  ({ port } = probe.address() as AddressInfo);
  probe.close();
  await once(probe, 'close');
});

async function send(
  path: string,
  body: string,
  method = 'POST',
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; offset: string | null }> {
  for (;;)
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers,
        body: method === 'HEAD' ? null : body,
      });
      const offset = response.headers.get('upload-offset');
      return { status: response.status, text: await response.text(), offset };
    } catch (error) {
      // The listener is on its way.
      if (!String((error as Error).cause).includes('ECONNREFUSED')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
}

test('an upload arrives whole', async () => {
  let heard = '';
  const done = awaitUpload(
    {
      ...{ port, keptBytes: () => 0 },
      receive: async (source, received) => {
        for await (const chunk of source.read(0, signal)) heard += Buffer.from(chunk).toString();
        received();
      },
    },
    signal,
  );
  assert.equal((await send('/v1beta1/upload-async', '', 'HEAD')).status, 200);
  assert.equal((await send('/elsewhere', '')).status, 404);
  assert.equal((await send('/v1beta1/upload-async', 'all of it')).status, 200);
  await done;
  assert.equal(heard, 'all of it');
});

test('an image that is refused after its first bytes is told, however long the rest', async () => {
  const done = awaitUpload(
    {
      ...{ port, keptBytes: () => 0 },
      receive: async (source) => {
        for await (const _ of source.read(0, signal)) throw new Error('names a backing file');
      },
    },
    signal,
  );
  const refused = assert.rejects(done, /names a backing file/);
  const { status, text } = await send('/v1beta1/upload', 'x'.repeat(4 << 20));
  assert.deepEqual([status, text], [400, 'names a backing file']);
  await refused;
});

test('a client that goes away may come again', async () => {
  let heard = '';
  const done = awaitUpload(
    {
      ...{ port, keptBytes: () => 0 },
      receive: async (source) => {
        heard = '';
        for await (const chunk of source.read(0, signal)) heard += Buffer.from(chunk).toString();
      },
    },
    signal,
  );
  await send('/v1beta1/upload', '', 'HEAD');
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /v1beta1/upload HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf');
  while (heard !== 'half') await new Promise((resolve) => setTimeout(resolve, 5));
  socket.destroy();
  let answer = await send('/v1beta1/upload', 'whole');
  while (answer.status === 503) answer = await send('/v1beta1/upload', 'whole');
  assert.equal(answer.status, 200);
  await done;
  assert.equal(heard, 'whole');
});

test('content that has a name goes on where it was, and what is known is passed over', async () => {
  let kept = 4;
  const heard: string[] = [];
  const done = awaitUpload(
    {
      port,
      keptBytes: (version) => (version === 'a:1' ? kept : 0),
      receive: async (source, received) => {
        assert.deepEqual([source.version, source.totalBytes], ['a:1', 9]);
        for await (const chunk of source.read(kept, signal)) heard.push(Buffer.from(chunk).toString());
        received();
      },
    },
    signal,
  );
  const version = { 'podvisor-upload-version': 'a:1' };
  const asked = (headers: Record<string, string>): Promise<string | null> =>
    send('/v1beta1/upload', '', 'HEAD', headers).then(({ offset }) => offset);
  assert.equal(await asked(version), '4');
  assert.equal(await asked({ 'podvisor-upload-version': 'b:2' }), '0');
  assert.equal(await asked({}), null, 'who names nothing is told nothing');
  assert.equal(await asked({ 'podvisor-upload-version': '../x' }), null);
  const late = await send('/v1beta1/upload', '6789', 'POST', { ...version, 'upload-offset': '5' });
  assert.equal(late.status, 409, 'a hole is no disk');
  kept = 6;
  const rest = await send('/v1beta1/upload', '45678', 'POST', { ...version, 'upload-offset': '4' });
  assert.equal(rest.status, 200);
  await done;
  assert.equal(heard.join(''), '678');
});
