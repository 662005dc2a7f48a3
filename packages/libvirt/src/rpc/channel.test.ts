import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LibvirtDisconnected, LibvirtError } from '../libvirt-error.ts';
import { PROGRAM } from '../protocol/procedures.ts';
import { XdrWriter } from '../xdr/writer.ts';
import { RpcChannel } from './channel.ts';
import { encodeMessage, type Message, MESSAGE_TYPE, MessageDecoder, STATUS } from './message.ts';

/** A peer that speaks the frame format and answers as the test says. */
async function withPeer(
  answer: (message: Message, socket: Socket) => void,
  body: (channel: RpcChannel) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'libvirt-channel-'));
  const server = createServer((socket) => {
    const decoder = new MessageDecoder();
    socket.on('data', (chunk: Buffer) => {
      for (const message of decoder.push(chunk)) answer(message, socket);
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(join(directory, 's'), resolve));
  const channel = await RpcChannel.connect(join(directory, 's'));
  try {
    await body(channel);
  } finally {
    await channel.close();
    server.close();
    rmSync(directory, { recursive: true });
  }
}

function reply(
  message: Message,
  payload: Buffer,
  status: number = STATUS.ok,
  type: number = MESSAGE_TYPE.reply,
): Buffer {
  return encodeMessage({ ...message.header, type, status }, payload);
}

const asInt = (value: number): Buffer => new XdrWriter().int(value).bytes();
const call = (channel: RpcChannel, value: number, signal?: AbortSignal): Promise<number> =>
  channel.call(
    PROGRAM.remote,
    1,
    (out) => void out.int(value),
    (input) => input.int(),
    signal,
  );

test('replies find their calls, also out of order', async () => {
  const held: { message: Message; socket: Socket }[] = [];
  await withPeer(
    (message, socket) => {
      held.push({ message, socket });
      if (held.length < 3) return;
      for (const each of held.toReversed()) each.socket.write(reply(each.message, each.message.payload));
    },
    async (channel) => {
      assert.deepEqual(await Promise.all([call(channel, 1), call(channel, 2), call(channel, 3)]), [1, 2, 3]);
    },
  );
});

test('an error reply becomes a LibvirtError with its code', async () => {
  const error = new XdrWriter().int(42).int(10).optionalString('Domain not found').int(2).bool(false);
  for (let i = 0; i < 3; i++) error.optionalString(undefined);
  error.int(0).int(0).bool(false);
  await withPeer(
    (message, socket) => socket.write(reply(message, error.bytes(), STATUS.error)),
    async (channel) => {
      await assert.rejects(call(channel, 1), (failure) => {
        assert.ok(failure instanceof LibvirtError);
        assert.deepEqual([failure.code, failure.domain, failure.message], [42, 10, 'Domain not found']);
        return true;
      });
    },
  );
});

test('calls under way and later ones fail when the peer goes', async () => {
  await withPeer(
    (_message, socket) => socket.destroy(),
    async (channel) => {
      await assert.rejects(call(channel, 1), LibvirtDisconnected);
      await assert.rejects(call(channel, 2), LibvirtDisconnected);
    },
  );
});

test('a reply with bytes left over fails its call and no other', async () => {
  await withPeer(
    (message, socket) => {
      const odd = message.payload.readInt32BE(0) === 1;
      socket.write(reply(message, odd ? Buffer.alloc(8) : message.payload));
    },
    async (channel) => {
      await assert.rejects(call(channel, 1), /too many/);
      assert.equal(await call(channel, 2), 2);
    },
  );
});

test('an abort stops the waiting; the late reply is dropped', async () => {
  const held: (() => void)[] = [];
  await withPeer(
    (message, socket) => {
      if (message.payload.readInt32BE(0) === 1) held.push(() => socket.write(reply(message, asInt(1))));
      else socket.write(reply(message, asInt(2)));
    },
    async (channel) => {
      const abort = new AbortController();
      const waiting = call(channel, 1, abort.signal);
      abort.abort(new Error('enough'));
      await assert.rejects(waiting, /enough/);
      held.forEach((send) => send());
      assert.equal(await call(channel, 2), 2);
    },
  );
});

test('a stream is collected to its end, and refused beyond its limit', async () => {
  const send = (message: Message, socket: Socket): void => {
    if (message.header.type === MESSAGE_TYPE.call) {
      socket.write(reply(message, asInt(7)));
      socket.write(reply(message, Buffer.from('abc'), STATUS.continue, MESSAGE_TYPE.stream));
      socket.write(reply(message, Buffer.from('de'), STATUS.continue, MESSAGE_TYPE.stream));
      socket.write(reply(message, Buffer.alloc(0), STATUS.continue, MESSAGE_TYPE.stream));
    } else if (message.header.status === STATUS.ok) {
      socket.write(reply(message, Buffer.alloc(0), STATUS.ok, MESSAGE_TYPE.stream));
    }
  };
  await withPeer(send, async (channel) => {
    const stream = (max: number): Promise<{ reply: number; data: Buffer }> =>
      channel.callForStream(
        211,
        () => {},
        (input) => input.int(),
        max,
      );
    const { reply: answer, data } = await stream(5);
    assert.deepEqual([answer, data.toString()], [7, 'abcde']);
    await assert.rejects(stream(4), /longer than 4 bytes/);
  });
});

test('a reply that comes after the whole stream is not waited for in vain', async () => {
  let call: Message | undefined;
  await withPeer(
    (message, socket) => {
      if (message.header.type === MESSAGE_TYPE.call) {
        call = message;
        socket.write(reply(message, Buffer.from('abc'), STATUS.continue, MESSAGE_TYPE.stream));
        socket.write(reply(message, Buffer.alloc(0), STATUS.continue, MESSAGE_TYPE.stream));
      } else {
        socket.write(reply(message, Buffer.alloc(0), STATUS.ok, MESSAGE_TYPE.stream));
        if (call !== undefined) socket.write(reply(call, asInt(7)));
      }
    },
    async (channel) => {
      const answer = await channel.callForStream(
        211,
        () => {},
        (input) => input.int(),
        10,
      );
      assert.deepEqual([answer.reply, answer.data.toString()], [7, 'abc']);
    },
  );
});

test('pings are answered', async () => {
  const pong = Promise.withResolvers<number>();
  await withPeer(
    (message, socket) => {
      if (message.header.program === PROGRAM.keepAlive) pong.resolve(message.header.procedure);
      else
        socket.write(
          encodeMessage(
            { ...message.header, program: PROGRAM.keepAlive, procedure: 1, type: MESSAGE_TYPE.message },
            Buffer.alloc(0),
          ),
        );
    },
    async (channel) => {
      call(channel, 1).catch(() => {}); // never answered here
      assert.equal(await pong.promise, 2);
    },
  );
});
