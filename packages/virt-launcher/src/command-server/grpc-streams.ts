/** Our narrow stream interfaces on gRPC's calls. */
import { launcherMessages } from '@podvisor/api';
import { type GrpcCall, STATUS } from '../grpc/call.ts';
import type { ByteStream, StreamRequest } from './open-stream.ts';
import type { EventSink } from './watch-domain.ts';

const { DomainEvent, StreamChunk } = launcherMessages;

export function eventSink(call: GrpcCall): EventSink {
  return {
    write: (message, flushed) => call.write(DomainEvent.encode(message).finish(), flushed),
    onDrain: (fn) => call.onDrain(fn),
    onEnd: (fn) => call.onEnd(fn),
  };
}

/** The first message opens the stream; what comes while the target is being opened waits for `onData`. */
export function byteStream(
  call: GrpcCall,
  opened: (request: StreamRequest, stream: ByteStream) => void,
): void {
  let queued = 0;
  let isOpen = false;
  let onData: ((data: Buffer) => void) | undefined;
  call.onMessage((bytes) => {
    const { data, ...request } = StreamChunk.decode(bytes);
    if (isOpen) {
      onData?.(data);
      return;
    }
    isOpen = true;
    call.pause();
    opened(request, stream);
  });
  call.onInputEnd(() => call.end());
  const stream: ByteStream = {
    write: (data) => {
      queued += data.length;
      return call.write(StreamChunk.encode({ target: '', data, scrollback: false }).finish(), () => {
        queued -= data.length;
      });
    },
    queuedBytes: () => queued,
    onDrain: (fn) => call.onDrain(fn),
    onData: (fn) => {
      onData = fn;
      call.resume();
    },
    onEnd: (fn) => call.onEnd(fn),
    pause: () => call.pause(),
    resume: () => call.resume(),
    end: () => call.end(),
    fail: (message) => call.end(STATUS.failedPrecondition, message),
  };
}
