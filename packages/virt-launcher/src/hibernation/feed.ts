/** Gives a state to the QEMU that waits for it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** Resolves when QEMU has all of it; throws when QEMU ended before. */
export async function feed(path: string, memory: AsyncIterable<Buffer>): Promise<void> {
  // QEMU closes its side as soon as it has read the end of the guest, which may be before `memory` has said that it is
  // at its end. A socket that is not half open would end itself then, and the pipeline waits for an end that it missed.
  const socket = connect({ path, allowHalfOpen: true });
  try {
    await once(socket, 'connect');
    socket.resume(); // what QEMU says is not needed, but must not stop it
    await pipeline(memory, socket);
  } finally {
    socket.destroy();
  }
}
