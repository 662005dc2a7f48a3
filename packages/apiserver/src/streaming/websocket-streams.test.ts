import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { websocketStreams } from './websocket-streams.ts';

const options = { stdin: true, stdout: false, stderr: false, tty: false, command: [] };

/** As much of a websocket as the streams use. */
class Client extends EventEmitter {
  isPaused = false;
  send(): void {}
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
    this.emit('resumed');
  }
  say(channel: number, body: Uint8Array): void {
    this.emit('message', Buffer.concat([Uint8Array.of(channel), body]));
  }
}

function streams(): { readonly client: Client; readonly stdin: NodeJS.ReadableStream } {
  const client = new Client();
  const { stdin } = websocketStreams(client as unknown as WebSocket, options);
  assert.ok(stdin);
  return { client, stdin };
}

test('input after its end is dropped, and ends nothing else', async () => {
  const { client, stdin } = streams();
  client.say(0, Buffer.from('one'));
  client.say(255, Uint8Array.of(0));
  client.say(0, Buffer.from('two'));
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Buffer);
  assert.equal(Buffer.concat(chunks).toString(), 'one');
});

test('a process that does not read makes the client wait', async () => {
  const { client, stdin } = streams();
  client.say(0, Buffer.alloc(1024 * 1024));
  assert.equal(client.isPaused, true);
  const resumed = new Promise((resolve) => client.once('resumed', resolve));
  stdin.resume();
  await resumed;
});
