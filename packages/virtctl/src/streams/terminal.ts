/**
 * Somebody else's terminal in this one. Ctrl+] (0x1d) leaves, everything else goes to the other side; the terminal
 * is put back whatever happens. Without a terminal (a pipe) it copies bytes both ways.
 */
import type WebSocket from 'ws';
import type { Shell } from '../shell.ts';

const ESCAPE = 0x1d;
const KEEP_ALIVE_MS = 20_000;
/** Closed on purpose, with or without a code (RFC 6455, section 7.4.1); everything else is an accident. */
const ON_PURPOSE: ReadonlySet<number> = new Set([1000, 1005]);

/** How bytes of a terminal travel in the messages of a websocket. */
export interface Framing {
  wrap(bytes: Buffer): Buffer;
  /** What of a message is to be shown. */
  unwrap(message: Buffer): Buffer;
}

const PLAIN: Framing = { wrap: (bytes) => bytes, unwrap: (message) => message };

/** The user left, the server closed the connection, or it broke. */
export type End = 'left' | 'ended' | 'dropped';

/** Copies bytes until either side ends or the user leaves. */
export async function relayTerminal(
  socket: WebSocket,
  { stdin, stdout, stderr }: Shell,
  { wrap, unwrap }: Framing = PLAIN,
): Promise<End> {
  const ended = Promise.withResolvers<End>();
  let answered = true;
  const keepAlive = setInterval(() => {
    // Who does not read does not hear the answer either.
    if (!answered && !socket.isPaused) socket.terminate();
    answered = false;
    socket.ping();
  }, KEEP_ALIVE_MS);
  const heard = (): void => {
    answered = true;
  };
  // The answer to a ping stands behind all that the guest has said: any of that shows as well that the peer is there.
  socket.on('pong', heard).on('message', heard);
  const onData = (chunk: Buffer): void => {
    const escape = stdin.isTTY === true ? chunk.indexOf(ESCAPE) : -1;
    if (escape < 0) socket.send(wrap(chunk));
    else {
      if (escape > 0) socket.send(wrap(chunk.subarray(0, escape)));
      ended.resolve('left');
      socket.close();
    }
  };
  socket.on('message', (data: Buffer) => {
    if (stdout.write(unwrap(data))) return;
    // A slow terminal slows the guest's output down; nothing piles up here.
    socket.pause();
    stdout.once('drain', () => socket.resume());
  });
  socket.on('close', (code: number) => ended.resolve(ON_PURPOSE.has(code) ? 'ended' : 'dropped'));
  socket.on('error', () => ended.resolve('dropped'));
  stdin.on('data', onData);
  socket.resume();
  if (stdin.isTTY === true) stdin.setRawMode?.(true);
  try {
    return await ended.promise;
  } finally {
    clearInterval(keepAlive);
    if (stdin.isTTY === true) stdin.setRawMode?.(false);
    stdin.off('data', onData);
    stdin.pause();
    stderr.write('\n');
  }
}
