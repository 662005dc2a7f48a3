/** One more address under which a server is reached. */
import { createServer, type Server, type Socket } from 'node:net';

/** Listens on `host:port`; every connection is given to `onSocket`. Rejects when the address is not ours. */
export async function listenOn(
  host: string,
  port: number,
  onSocket: (socket: Socket) => void,
): Promise<Server> {
  const listener = createServer(onSocket);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, resolve);
  });
  return listener;
}
