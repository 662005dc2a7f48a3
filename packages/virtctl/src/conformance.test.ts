/** The requests and words of the real virtctl, as recorded, against ours. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createSocket } from 'node:dgram';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildProgram } from './program.ts';
import { runProgram } from './run-program.ts';
import { type SeenRequest, startRecordingServer } from './testing/recording-server.ts';
import { type TestShell, testShell } from './testing/test-shell.ts';

interface Recorded {
  readonly command: string;
  readonly exit: number;
  readonly output: string;
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly upgrade: string | null;
    readonly wsProtocol: string | null;
    readonly body: unknown;
  }[];
}

/** The client's version is ours. */
const OTHER_OUTPUT: ReadonlySet<string> = new Set(['virtctl version']);

const directory = process.env['PODVISOR_CONFORMANCE'];
const file = directory === undefined ? undefined : join(directory, 'virtctl/trace.json');

const VM = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'testvm', namespace: 'default', uid: 'u0', resourceVersion: '1' },
  spec: {
    runStrategy: 'Always',
    template: {
      metadata: { labels: { 'kubevirt.io/vm': 'testvm' } },
      spec: {
        accessCredentials: [
          {
            sshPublicKey: { source: { secret: { secretName: 'keys' } }, propagationMethod: { noCloud: {} } },
          },
        ],
        domain: { devices: { disks: [{ name: 'd0', disk: { bus: 'virtio' } }] }, resources: {} },
        volumes: [{ name: 'd0', containerDisk: { image: 'x' } }],
      },
    },
  },
};
const VMI = {
  metadata: { name: 'testvm', namespace: 'default', uid: 'u1' },
  spec: { domain: { memory: { guest: '64Mi' } } },
  status: { evacuationNodeName: 'node01' },
};
const KUBEVIRT = {
  metadata: { name: 'kubevirt', namespace: 'kubevirt' },
  spec: { configuration: { developerConfiguration: {} } },
};
const SERVER = { gitVersion: 'v1.9.0', gitCommit: 'x', gitTreeState: 'clean' };
const EXISTING: readonly (readonly [RegExp, unknown])[] = [
  [/\/virtualmachines\/testvm\/expand-spec$|\/expand-vm-spec$/, VM],
  [/\/virtualmachines\/testvm$/, VM],
  [/\/virtualmachineinstances\/testvm$/, VMI],
  [/replicasets\/testrs$/, { metadata: { name: 'testrs' }, spec: { selector: { matchLabels: { a: 'b' } } } }],
  [/migrations\?labelSelector/, { items: [{ metadata: { name: 'mig1' } }] }],
  [/\/namespaces\/default\/kubevirts$/, { items: [] }],
  [/\/v1\/kubevirts$/, { items: [KUBEVIRT] }],
  [/\/kubevirts\/kubevirt$/, KUBEVIRT],
  [/claims\/pvc1$/, { metadata: { name: 'pvc1' } }],
  [/\/guestfs$/, { registry: 'quay.io/kubevirt', tag: 'v1.9.0' }],
  [/cdiconfigs\/config$/, { status: { filesystemOverhead: { global: '0.055' } } }],
  [/filesystemlist|userlist/, { metadata: {}, items: [] }],
  [/guestosinfo/, { os: {}, fsInfo: { disks: null } }],
  [/objectgraph$/, { objectReference: { apiGroup: null, kind: '', name: '' } }],
  [/^\/apis\/subresources.kubevirt.io$/, { preferredVersion: { version: 'v1' } }],
  [/\/version$/, SERVER],
  [/screenshot/, {}],
];

function answer({ method, path }: SeenRequest): unknown {
  if (path.includes('templates/')) return undefined;
  const known = EXISTING.find(([pattern]) => pattern.test(path))?.[1];
  return method === 'GET' ? known : (known ?? {});
}

if (file === undefined) test('virtctl trace', { skip: 'PODVISOR_CONFORMANCE is not set' }, () => undefined);
else run(JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[]);

function run(trace: readonly Recorded[]): void {
  const work = mkdtempSync(join(tmpdir(), 'virtctl-trace-'));
  after(() => rmSync(work, { recursive: true }));
  const vm =
    'apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: testvm}\nspec: {runStrategy: Always, template: {spec: {}}}\n';
  writeFileSync(join(work, 'vm.yaml'), vm);
  writeFileSync(join(work, 'img.raw'), 'x');
  for (const recorded of trace) {
    test(recorded.command, async () => {
      const greeting = recorded.command.includes('port-forward') ? 'hello from guest\r\n' : '';
      const server = await startRecordingServer(answer, greeting);
      const config = join(work, 'kubeconfig');
      writeFileSync(config, JSON.stringify(kubeconfig(server.url)));
      const shell = testShell({ KUBECONFIG: config, USER: 'root', PATH: '' });
      try {
        await compare(recorded, shell, server.seen, work);
      } finally {
        server.close();
      }
    });
  }
}

const kubeconfig = (server: string): unknown => ({
  clusters: [{ name: 'c', cluster: { server } }],
  contexts: [{ name: 'c', context: { cluster: 'c' } }],
  'current-context': 'c',
});

async function compare(
  recorded: Recorded,
  shell: TestShell,
  seen: readonly SeenRequest[],
  work: string,
): Promise<void> {
  const words = wordsOf(recorded.command).map((word) =>
    word.replace(
      /^(--\w[\w-]*=)?(vm\.yaml|img\.raw|s\.png|o\.gz)$/,
      (_, flag: string | undefined, name: string) => `${flag ?? ''}${join(work, name)}`,
    ),
  );
  const running = runProgram(buildProgram(shell), words.slice(1), shell);
  const code =
    recorded.exit === -9
      ? await interrupted(
          running,
          words,
          shell,
          () =>
            unrepeated(seen.filter((request) => !isOwnLook(words, request)).map(normalized)).length >=
            unrepeated(recorded.requests).length,
        )
      : await finished(running, words, shell);
  // ssh and scp end in the local client, whose tunnel is a virtctl of its own.
  const tunnel = shell.became() === undefined;
  if (tunnel) {
    const theirs = seen.filter((request) => !isOwnLook(words, request));
    const requests = recorded.exit === -9 ? unrepeated(recorded.requests) : recorded.requests;
    assert.deepEqual(
      unrepeatedIf(recorded.exit === -9, theirs.map(normalized)),
      requests.map(({ method, path, upgrade, body }) => ({
        method,
        path,
        websocket: upgrade !== null,
        body: withoutChance(body),
      })),
    );
  }
  if (recorded.exit >= 0) assert.equal(code, recorded.exit, shell.errors());
  if (!OTHER_OUTPUT.has(recorded.command) && recorded.exit >= 0) {
    const said = `${shell.output()}${shell.errors()}`;
    const expected = spoken(recorded.output);
    assert.ok(
      namesMasked(spoken(said)).startsWith(namesMasked(expected)),
      `${said}\n--- is not ---\n${expected}`,
    );
  }
}

/** Ours looks whether there is a guest before it opens a port; the recorded one opens it for any name. */
function isOwnLook(words: readonly string[], { method, websocket }: SeenRequest): boolean {
  return words[1] === 'port-forward' && method === 'GET' && !websocket;
}

/** A command that the recorder had to kill: it waits for something that never comes. */
async function interrupted(
  running: Promise<number>,
  words: readonly string[],
  shell: TestShell,
  isDone: () => boolean,
): Promise<number> {
  // Whoever forwards does so when somebody comes; it may not be listening yet.
  for (let tries = 0; tries < 100 && !isDone(); tries += 1) {
    if (words[1] === 'port-forward') await knock(words.some((word) => word.startsWith('udp/')));
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  if (words[1] !== 'port-forward') return -9;
  shell.interrupt();
  return running;
}

async function knock(udp: boolean): Promise<void> {
  if (!udp) {
    connect(18022, '127.0.0.1').on('error', () => undefined);
    return;
  }
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.send('x', 18053, '127.0.0.1', () => resolve()));
  socket.close();
}

async function finished(
  running: Promise<number>,
  words: readonly string[],
  shell: TestShell,
): Promise<number> {
  if (!words.includes('--proxy-only')) return running;
  for (let tries = 0; !shell.output().includes('port') && tries < 50; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  connect(15901, '127.0.0.1').on('error', () => undefined);
  return running;
}

function normalized({ method, path, websocket, body }: SeenRequest): unknown {
  return { method, path, websocket, body: withoutChance(body) };
}

function unrepeatedIf(wanted: boolean, list: readonly unknown[]): readonly unknown[] {
  return wanted ? unrepeated(list) : list;
}

/** Polling repeats itself: the same request again says nothing new. */
function unrepeated<T>(list: readonly T[]): readonly T[] {
  return list.filter((item, index) => JSON.stringify(item) !== JSON.stringify(list[index - 1]));
}

function withoutChance(body: unknown): unknown {
  const text = JSON.stringify(body)
    .replace(/"ssh-key-\w+"/, '"ssh-key"')
    .replace(/"token":"[^"]+"/, '"token":"…"');
  return JSON.parse(text);
}

/** What is said, without log lines and the notes of the recorded build about its own version. */
function spoken(text: string): string {
  return text
    .split('\n')
    .filter(
      (line) =>
        !line.startsWith('{"component"') &&
        !line.startsWith('failed to validate metadata') &&
        !line.includes('by remote host') &&
        !line.includes('onnection closed'),
    )
    .join('\n')
    .trimEnd();
}

function namesMasked(text: string): string {
  return text
    .replace(/(imported-volume|clusterinstancetype|clusterpreference|clone)-\w+$/gm, '$1-…')
    .replace(/imported-volume-h$/, 'imported-volume-…');
}

function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:"([^"]*)"|(\S+))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}
