/**
 * A watch as a websocket. Browsers give all tabs of a page six connections for requests together, and a watch holds its
 * own for ever: a third tab would get no answer to anything. Websockets are not counted among them.
 */
import { connectionText } from '../texts/common.ts';

/** The pieces of text in which a watch arrives, until the server ends it. Throws when the connection breaks. */
export async function* watchPieces(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}/watch${path}`);
  socket.binaryType = 'arraybuffer';
  const stop = (): void => socket.close();
  signal.addEventListener('abort', stop, { once: true });
  const arrived: ArrayBuffer[] = [];
  let end: CloseEvent | undefined;
  let wake = (): void => undefined;
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    arrived.push(data);
    wake();
  };
  socket.onclose = (event) => {
    end = event;
    wake();
  };
  const decoder = new TextDecoder();
  try {
    for (;;) {
      for (let data = arrived.shift(); data !== undefined; data = arrived.shift())
        yield decoder.decode(data, { stream: true });
      if (end !== undefined) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal.removeEventListener('abort', stop);
    socket.close();
  }
  if (!end.wasClean) throw new Error(connectionText.brokeOff);
}
