/** vnc: the guest's screen in a local viewer, on a local port, or as a picture. */
import { accessSync, constants, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { startProcess } from '@podvisor/sys';
import type { Command } from 'commander';
import { openSession } from '../../kube-access.ts';
import { getJson, objectPath } from '../../requests.ts';
import { failure } from '../../run-program.ts';
import { log, say, type Shell } from '../../shell.ts';
import { relaySocket } from '../../streams/relay.ts';
import { subresourcePath } from '../../subresource-path.ts';

interface VncFlags {
  readonly proxyOnly: boolean;
  readonly port: string;
  readonly address: string;
  readonly preserveSession: boolean;
  readonly vncType?: string;
  readonly vncPath?: string;
}

const VIEWER_TIMEOUT_MS = 60_000;

export function addVncCommand(program: Command, shell: Shell): void {
  const vnc = program
    .command('vnc [vmi]')
    .description("Open a guest's screen.")
    .option('--proxy-only', 'only listen, and print the port for a viewer of your own', false)
    .option('--port <port>', 'local port to listen on; 0 takes a free one', '0')
    .option('--address <address>', 'local address to listen on', '127.0.0.1')
    .option('--preserve-session', 'refuse to connect when somebody is connected already', false)
    .option('--vnc-type <type>', 'viewer to start: tiger, chicken, real or remote-viewer')
    .option('--vnc-path <file>', 'program of the viewer; needs --vnc-type')
    .action(async (name: string | undefined, flags: VncFlags, self: Command) => {
      if (name === undefined) throw new Error('accepts 1 arg(s), received 0: virtctl vnc VMI');
      await show(name, flags, self, shell);
    });
  vnc
    .command('screenshot <vmi>')
    .description("Take a picture (PNG) of a guest's screen.")
    .requiredOption('-f, --file <file>', 'file to write; "-" is standard output')
    .option('-m, --move-cursor', 'move the pointer first, to wake a screen saver', false)
    .action(async (name: string, flags: { file: string; moveCursor: boolean }, self: Command) => {
      const { client, namespace } = openSession(self, shell);
      const { body } = await client.raw({
        method: 'GET',
        path: subresourcePath('virtualmachineinstances', namespace, name, 'vnc/screenshot'),
        query: { moveCursor: flags.moveCursor },
        headers: { accept: '*/*' },
      });
      if (flags.file === '-') shell.stdout.write(body);
      else writeFileSync(flags.file, body);
    });
}

async function show(name: string, flags: VncFlags, self: Command, shell: Shell): Promise<void> {
  const { client, namespace } = openSession(self, shell);
  const viewer = flags.proxyOnly ? undefined : viewerOf(flags, shell);
  const path = subresourcePath('virtualmachineinstances', namespace, name, 'vnc');
  const query = { preserveSession: flags.preserveSession };
  const socket = await client
    .dial(path, { protocols: ['plain.kubevirt.io'], query })
    .catch((error: unknown) => {
      throw failure(`Can't access VMI ${name}:`, error);
    });
  // The server speaks first: its words wait in the paused socket until a viewer is there.
  await getJson(client, objectPath('kubevirt.io/v1', namespace, 'virtualmachineinstances', name));
  const server = await listen(flags);
  try {
    const bound = server.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : Number(flags.port);
    if (viewer === undefined) say(shell, JSON.stringify({ port }));
    const started = shell.now();
    log(shell, 'info', 'connection timeout: 1m0s');
    const connected = firstConnection(server, viewer === undefined ? undefined : VIEWER_TIMEOUT_MS);
    const running =
      viewer === undefined
        ? undefined
        : await startProcess(viewer.program, viewer.words(flags.address, port));
    const ended = Promise.withResolvers<void>();
    socket.on('close', () => ended.resolve());
    socket.on('error', ended.reject);
    shell.interrupted().addEventListener('abort', () => ended.resolve(), { once: true });
    const relayed = connected.then((local) => {
      log(shell, 'info', `VNC Client connected in ${((shell.now() - started) / 1000).toFixed(3)}s`);
      return relaySocket(socket, local);
    });
    await Promise.race([relayed, ended.promise, ...(running === undefined ? [] : [running.exited])]);
  } finally {
    server.close();
    socket.terminate();
  }
}

function listen({ address, port }: VncFlags): Promise<Server> {
  const server = createServer({ noDelay: true });
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`Can't listen on ${address}:${port}`, { cause: error })),
    );
    server.listen(Number(port), address, () => resolve(server));
  });
}

function firstConnection(server: Server, timeoutMs: number | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    server.once('connection', resolve);
    if (timeoutMs === undefined) return;
    const timer = setTimeout(() => reject(new Error('no viewer connected within a minute')), timeoutMs);
    server.once('connection', () => clearTimeout(timer));
  });
}

interface Viewer {
  readonly program: string;
  words(address: string, port: number): readonly string[];
}

const plain = (address: string, port: number): readonly string[] => [`${address}:${port}`];

const VIEWERS: Readonly<Record<string, Viewer>> = {
  'remote-viewer': { program: 'remote-viewer', words: (address, port) => [`vnc://${address}:${port}`] },
  tiger: { program: 'vncviewer', words: plain },
  real: {
    program: 'vncviewer',
    words: (address, port) => [...plain(address, port), '-WarnUnencrypted=0', '-Shared=0', '-ShareFiles=0'],
  },
  chicken: { program: '/Applications/Chicken.app/Contents/MacOS/Chicken', words: plain },
};

/** The viewer asked for, else the first that is installed. */
function viewerOf({ vncType, vncPath }: VncFlags, shell: Shell): Viewer {
  if (vncPath !== undefined && vncType === undefined) throw new Error('--vnc-path needs --vnc-type');
  if (vncType !== undefined) {
    const viewer = VIEWERS[vncType];
    if (viewer === undefined)
      throw new Error(`--vnc-type must be one of ${Object.keys(VIEWERS).join(', ')}, not "${vncType}"`);
    return vncPath === undefined ? viewer : { ...viewer, program: vncPath };
  }
  const found = ['remote-viewer', 'tiger']
    .map((type) => VIEWERS[type])
    .find((v) => v !== undefined && isInPath(v.program, shell));
  if (found === undefined)
    throw new Error(
      'could not find remote-viewer or vncviewer binary in $PATH; use --proxy-only with a viewer of your own',
    );
  return found;
}

export function isInPath(program: string, shell: Shell): boolean {
  return (shell.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
