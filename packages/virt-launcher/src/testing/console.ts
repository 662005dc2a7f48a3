/** A viewer of the serial console, for tests. */
import type { launcherProto } from '@podvisor/api';
import type { TestLauncher } from './launcher-process.ts';

export interface TestConsole {
  /** Everything so far. */
  text(): string;
  type(keys: string): void;
  close(): void;
  error(): string;
}

export function openConsole(launcher: TestLauncher): TestConsole {
  const stream = launcher.client.openStream();
  let text = '';
  let error = '';
  stream.on('data', (chunk: launcherProto.StreamChunk) => {
    text += chunk.data.toString('latin1');
  });
  stream.on('error', (failure) => {
    error = failure.message;
  });
  stream.write({ target: 'serial0', data: Buffer.alloc(0), scrollback: true });
  return {
    text: () => text,
    type: (keys) => void stream.write({ target: '', data: Buffer.from(keys), scrollback: false }),
    close: () => stream.end(),
    error: () => error,
  };
}
