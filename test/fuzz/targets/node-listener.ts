/** Calls of the control plane, which has no privileges, to the node agent, which is root. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type {
  ContainerProcess,
  NodeProxy,
} from '../../../packages/home-contract/src/node-listener/node-proxy.ts';
import { startNodeListener } from '../../../packages/home-contract/src/node-listener/server.ts';
import type { VolumeData } from '../../../packages/home-contract/src/node-listener/volume-data.ts';
import { bytes, expect, type FuzzTarget } from '../frame/target.ts';
import { scratchDirectory } from './scratch.ts';

const uid = '01234567-89ab-4def-8123-456789abcdef';
const pod = { namespace: 'default', name: 'p', uid, nodeName: 'node-1' };
const options = { stdin: true, stdout: true, stderr: true, tty: true };

/** A process that ends with its input. */
function echo(): ContainerProcess {
  const stream = new PassThrough();
  const exit = new Promise<number>((resolve) => stream.once('close', () => resolve(0)));
  return { stdin: stream, stdout: stream, stderr: undefined, resize: () => undefined, exit };
}

const nodes: NodeProxy = {
  async *logs(_pod, container) {
    expect(/^[a-z0-9-]+$/.test(container), 'a container has the name of one');
    yield bytes('one\n');
  },
  exec: async () => echo(),
  attach: async () => echo(),
  portForward: async () => new PassThrough(),
  usage: async () => [],
};
const volumes: VolumeData = {
  make: async (name, { bytes: size }) => {
    expect(
      /^(pvc|snapshot)-[0-9a-f-]{36}$/.test(name) && Number.isSafeInteger(size),
      'a volume has a name and a size',
    );
    return name;
  },
  grow: async () => undefined,
  remove: async () => undefined,
  takeSnapshot: async () => undefined,
  removeSnapshot: async () => undefined,
  hasSnapshot: async () => true,
};

const path = join(scratchDirectory('node-listener'), 's');
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
await startNodeListener({ path, user: process.getuid?.() ?? 0, nodes, volumes, log });

const frame = (kind: number, body: string): Uint8Array => {
  const head = Buffer.alloc(5);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, bytes(body)]);
};
const call = (value: object): Uint8Array => frame(0, JSON.stringify(value));
const volume = { name: `pvc-${uid}`, mode: 'Block', bytes: 1024 };

export const target: FuzzTarget = {
  seeds: [
    Buffer.concat([
      call({ method: 'exec', pod, container: 'c', command: ['sh'], options }),
      frame(1, 'hi'),
      frame(3, '{"columns":80,"rows":24}'),
      frame(2, ''),
    ]),
    call({ method: 'makeVolume', ...volume, content: { kind: 'snapshot', name: `snapshot-${uid}` } }),
    call({
      method: 'logs',
      pod,
      container: 'c',
      options: { follow: false, previous: false, timestamps: true, tailLines: 5 },
    }),
    Buffer.concat([call({ method: 'portForward', pod, port: 80 }), frame(1, 'x'), frame(2, '')]),
    call({ method: 'takeSnapshot', name: `snapshot-${uid}`, volumeName: `pvc-${uid}`, writers: [uid] }),
  ],
  words: [
    frame(3, '{}'),
    frame(3, 'x'),
    frame(1, 'x'),
    frame(2, ''),
    '"method":"exec"',
    '"method":"attach"',
    '"method":"removeVolume"',
    '"../../x"',
    '-1',
    'null',
    '[]',
    '"__proto__":{}',
  ],
  refuses: () => false,
  feed: (input) =>
    new Promise<void>((resolve) => {
      const socket = connect(path, () => socket.end(Buffer.from(input)));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
      socket.resume();
    }),
};
