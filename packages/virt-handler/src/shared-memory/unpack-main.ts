/** The thread that unpacks one memory: hundreds of megabytes are decrypted, and nothing of the node waits for that. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@podvisor/base';
import { StateDamaged, StreamNotSplit, unpackMemory } from '@podvisor/storage';
import type { UnpackData, UnpackResult } from './unpack.ts';

const { statePath, key, directory, limits } = workerData as UnpackData;

const result: UnpackResult = await unpackMemory(
  statePath,
  key === undefined ? undefined : Buffer.from(key, 'base64'),
  directory,
  limits,
).catch((error: unknown) => ({
  error: messageOf(error),
  isFinal: error instanceof StateDamaged || error instanceof StreamNotSplit,
}));
parentPort?.postMessage(result);
