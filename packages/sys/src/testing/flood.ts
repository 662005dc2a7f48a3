/** Sends one frame again and again for two seconds: NAMESPACE DEVICE-INDEX FRAME-IN-HEX. Prints how often. */
import { SystemCallError } from '../libc.ts';
import { sendFrames } from '../network/send-frames.ts';

const [nsPath = '', ifindex, hex = ''] = process.argv.slice(2);
const frame = Buffer.from(hex, 'hex');
const end = performance.now() + 2000;
let sent = 0;

function* frames(): Generator<Uint8Array> {
  for (; performance.now() < end; sent += 1) yield frame;
}
while (performance.now() < end) {
  try {
    sendFrames(nsPath, Number(ifindex), frames());
  } catch (error) {
    // The queue is full.
    if (!(error instanceof SystemCallError) || error.code !== 'ENOBUFS') throw error;
  }
}
console.log(sent);
