/** Byte streams over gRPC: the serial console through the hub, VNC and USB straight to QEMU's sockets. */
import { createConnection } from 'node:net';
import type { ConsoleHub } from '../console/hub.ts';

/** A bidirectional gRPC stream of bytes, as we use it. */
export interface ByteStream {
  /** False: stop until `onDrain`. */
  write(data: Buffer): boolean;
  queuedBytes(): number;
  onDrain(fn: () => void): void;
  onData(fn: (data: Buffer) => void): void;
  onEnd(fn: () => void): void;
  pause(): void;
  resume(): void;
  end(): void;
  fail(message: string): void;
}

/** What the client of a stream asks for. */
export interface StreamRequest {
  readonly target: string;
  /** The last output of the console comes first. */
  readonly scrollback: boolean;
}

export interface StreamTargets {
  readonly console: ConsoleHub;
  /** Socket of the serial port or of VNC of the running domain. */
  serialSocket(): string | undefined;
  vncSocket(): string | undefined;
  /** Socket of a slot for a USB device of the client. */
  usbSocket(slot: number): string | undefined;
}

const USB_SLOT = /^usbredir([0-3])$/;

/** Connects `stream` to `target`: `serial0`, `vnc`, or `usbredir0` to `usbredir3`. */
export async function openStream(
  request: StreamRequest,
  stream: ByteStream,
  targets: StreamTargets,
): Promise<void> {
  const { target, scrollback } = request;
  const slot = USB_SLOT.exec(target)?.[1];
  if (target === 'serial0') await openConsole(stream, scrollback, targets);
  else if (target === 'vnc') openSocket(stream, targets.vncSocket(), 'VNC display', 'graphics device');
  else if (slot !== undefined)
    openSocket(stream, targets.usbSocket(Number(slot)), 'USB redirection', 'clientPassthrough');
  else
    stream.fail(
      `streams to "${target}" are not built yet; "serial0", "vnc" and "usbredir0" to "usbredir3" are`,
    );
}

async function openConsole(
  stream: ByteStream,
  scrollback: boolean,
  { console: hub, serialSocket }: StreamTargets,
): Promise<void> {
  const path = serialSocket();
  if (path === undefined) {
    stream.fail(
      'the virtual machine has no serial console at the moment: it is not running, or has no serial port',
    );
    return;
  }
  await hub.connect(path);
  const detach = hub.attach(
    {
      write: (data) => void stream.write(data),
      queuedBytes: () => stream.queuedBytes(),
      onDrain: (fn) => stream.onDrain(fn),
      end: (reason) => (reason === '' ? stream.end() : stream.fail(reason)),
    },
    scrollback,
  );
  stream.onEnd(detach);
  stream.onData((data) => {
    if (data.length === 0 || hub.write(data)) return;
    stream.pause();
    hub.onWritable(() => stream.resume());
  });
}

function openSocket(stream: ByteStream, path: string | undefined, what: string, device: string): void {
  if (path === undefined) {
    stream.fail(`the virtual machine has no ${what} at the moment: it is not running, or has no ${device}`);
    return;
  }
  const socket = createConnection({ path });
  socket.on('data', (chunk: Buffer) => {
    if (stream.write(chunk)) return;
    socket.pause();
    stream.onDrain(() => socket.resume());
  });
  socket.on('error', (error) => stream.fail(`the connection to QEMU's ${what} broke: ${error.message}`));
  socket.on('close', () => stream.end());
  stream.onData((data) => {
    if (socket.write(data)) return;
    stream.pause();
    socket.once('drain', () => stream.resume());
  });
  stream.onEnd(() => socket.destroy());
}
