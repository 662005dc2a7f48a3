/** Our narrow stream interfaces on gRPC's calls. */
import type { launcherProto } from '@podvisor/api';
import { type ServerDuplexStream, type ServerWritableStream, status } from '@grpc/grpc-js';
import type { ByteStream } from './open-stream.ts';
import type { EventSink } from './watch-domain.ts';

type Chunk = launcherProto.StreamChunk;

export function eventSink(
  call: ServerWritableStream<launcherProto.Empty, launcherProto.DomainEvent>,
): EventSink {
  return {
    write: (message, flushed) => call.write(message, flushed),
    onDrain: (fn) => call.once('drain', fn),
    onEnd: (fn) => {
      call.once('cancelled', fn);
      call.once('close', fn);
      // The peer went away; `close` follows and cleans up.
      call.on('error', () => {});
    },
  };
}

/** Paused until `onData`: nothing that comes while the target is being opened is lost. */
export function byteStream(call: ServerDuplexStream<Chunk, Chunk>): ByteStream {
  let queued = 0;
  let ended = false;
  const end = (): void => {
    if (!ended) call.end();
    ended = true;
  };
  call.pause();
  call.on('end', end);
  call.on('error', () => {
    ended = true;
  });
  return {
    write: (data) => {
      if (ended) return true;
      queued += data.length;
      return call.write({ target: '', data }, () => {
        queued -= data.length;
      });
    },
    queuedBytes: () => queued,
    onDrain: (fn) => call.once('drain', fn),
    onData: (fn) => {
      call.on('data', (chunk: Chunk) => fn(chunk.data));
      call.resume();
    },
    onEnd: (fn) => {
      for (const event of ['end', 'cancelled', 'close', 'error']) call.once(event, fn);
    },
    pause: () => call.pause(),
    resume: () => call.resume(),
    end,
    fail: (message) => {
      if (!ended) call.emit('error', { code: status.FAILED_PRECONDITION, details: message });
      ended = true;
    },
  };
}
