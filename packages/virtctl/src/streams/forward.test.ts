import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { testShell } from '../testing/test-shell.ts';
import { startForwarding } from './forward.ts';

/** The part of a tunnel that the relay of datagrams uses. */
class FakeTunnel extends EventEmitter {
  isEnded = false;
  resume(): void {}
  send(): void {}
  terminate(): void {
    this.isEnded = true;
  }
}

test('a datagram tunnel that opens after forwarding has ended is ended, and its words reach nobody', async () => {
  const shell = testShell();
  const asked = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<WebSocket>();
  const open = (): Promise<WebSocket> => {
    asked.resolve();
    return opened.promise;
  };
  const stop = await startForwarding('127.0.0.1', { protocol: 'udp', local: 0, remote: 53 }, open, shell);
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(shell.errors() + shell.output())?.[1]);
  const client = createSocket('udp4');
  client.send('x', port, '127.0.0.1');
  await asked.promise;
  client.close();
  stop();
  const tunnel = new FakeTunnel();
  opened.resolve(tunnel as unknown as WebSocket);
  await opened.promise;
  tunnel.emit('message', Buffer.from('late'));
  assert.equal(tunnel.isEnded, true);
});
