/** One more address under which a server is reached. */
import { createServer, type Server, type Socket } from 'node:net';

/** Listens on `host:port`; every connection is given to `onSocket`. Rejects when the address is not ours. */
export async function listenOn(
  host: string,
  port: number,
  onSocket: (socket: Socket) => void,
): Promise<Server> {
  const door = createServer(onSocket);
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject);
    door.listen(port, host, resolve);
  });
  return door;
}
