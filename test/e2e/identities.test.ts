/**
 * Who may do what on a home with two nodes: every credential that it has given out against every port that it
 * listens on, nodes that reach for what is not theirs, and what other users of the machine can read of it.
 * One home for all of it.
 */
import assert from 'node:assert/strict';
import { randomUUID, X509Certificate } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request } from 'node:https';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { isStatus, messageOf } from '@podvisor/base';
import {
  fixedCredentials,
  issueCertificate,
  type KeyPair,
  KubeClient,
  loadKubeconfig,
  readKeyPair,
  resources,
  writeKeyPair,
} from '@podvisor/kube';
import { instancePaths, isAlive, readInstanceConfig } from '@podvisor/sys';
import { certificatesOf, type Credential, storageTokensOf, tokensOf } from '../support/credentials.ts';
import { claimWith } from '../support/disk-claim.ts';
import { eventually } from '../support/eventually.ts';
import { helloVm } from '../support/guests/hello-vm.ts';
import {
  CREDENTIALS,
  datagramKind,
  LISTENERS,
  listenerKind,
  type Probe,
} from '../support/identity-matrix.ts';
import { command, type CommandResult, Instance } from '../support/instance.ts';
import { datagramPortsOf, type Listener, listenersOf, unixListenersOf } from '../support/listeners.ts';
import { whoGetsThrough } from '../support/migration-matrix.ts';
import { instanceProcesses } from '../support/traces.ts';

/** Status code, or `tls` when there is no answer at all. */
function answerOf(
  listener: Listener,
  probe: Probe,
  { certificate, token, headers }: Credential,
): Promise<number | 'tls'> {
  return new Promise((resolve) => {
    const sent = request(
      {
        host: listener.address,
        port: listener.port,
        method: probe.method,
        path: probe.path,
        headers: {
          ...probe.headers,
          ...headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...certificate,
        rejectUnauthorized: false, // who answers is not the question here
        agent: false,
        timeout: 10_000,
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve('tls'));
    sent.end(probe.body);
  });
}

/** Whether the listener answers without TLS. */
function speaksPlainly({ address, port }: Listener): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = httpRequest({ host: address, port, path: '/', agent: false, timeout: 5_000 }, (response) => {
      response.resume();
      resolve(true);
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(false));
    sent.end();
  });
}

describe('identities', { concurrency: 1 }, () => {
  let instance: Instance;
  let listeners: readonly (Listener & { readonly kind: string })[];

  const post = (path: string, body: object): Promise<unknown> =>
    instance.client.request({ method: 'POST', path, body: JSON.stringify(body) });

  before(async () => {
    instance = await Instance.prepare();
    const { code, stdout, stderr } = await instance.up('--nodes', '2');
    assert.equal(code, 0, stdout + stderr);
  });
  after(() => instance?.purge());

  test('it is used like any home: a VM with a Secret on node-2, an export, an upload', async () => {
    await instance.client.create(resources.secrets, {
      metadata: { name: 'guest-data', namespace: 'default' },
      stringData: { userdata: USER_DATA },
    });
    const manifest = `${instance.home}.json`;
    writeFileSync(manifest, JSON.stringify(guestOnNode('node-2')));
    const { code, stdout, stderr } = await instance.up(manifest);
    rmSync(manifest);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /guest is Running on node-2/);
    await claimWith(instance, 'exported', (directory) => writeFileSync(`${directory}/disk.img`, ''));
    await instance.client.create(resources.secrets, {
      metadata: { name: 'export-token', namespace: 'default' },
      stringData: { token: EXPORT_TOKEN },
    });
    const source = { apiGroup: '', kind: 'PersistentVolumeClaim', name: 'exported' };
    await post('/apis/export.kubevirt.io/v1/namespaces/default/virtualmachineexports', {
      apiVersion: 'export.kubevirt.io/v1',
      kind: 'VirtualMachineExport',
      metadata: { name: 'exported', namespace: 'default' },
      spec: { tokenSecretRef: 'export-token', source },
    });
    await post('/apis/cdi.kubevirt.io/v1beta1/namespaces/default/datavolumes', {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: { name: 'incoming', namespace: 'default' },
      spec: { source: { upload: {} }, storage: { resources: { requests: { storage: '16Mi' } } } },
    });
    await eventually('the export and the upload are served', 120_000, () => {
      const programs = listenersOf(instance.home, instance.name).map((listener) => listener.process);
      return ['/virt-export.mjs', '/importer.mjs'].every((name) => programs.some((p) => p.includes(name)))
        ? true
        : undefined;
    });
  });

  test('every listener is known, and each speaks TLS', async () => {
    const config = readInstanceConfig(instance.home);
    const uploadPort = Number(
      readFileSync(`${instancePaths(instance.home).controlPlane}/upload-proxy.port`, 'utf8'),
    );
    const found = listenersOf(instance.home, instance.name).map((listener) => ({
      ...listener,
      kind: listenerKind(listener, config, uploadPort) ?? '',
    }));
    const unknown = found.filter(({ kind }) => kind === '');
    assert.deepEqual(unknown, [], 'listeners that the matrix does not have');
    assert.deepEqual(
      [...new Set(found.map(({ kind }) => kind))].sort(),
      Object.keys(LISTENERS).sort(),
      'listeners of the matrix that are not there',
    );
    const handlers = found.filter(({ kind }) => kind === 'virt-handler');
    assert.equal(handlers.length, 2, readFileSync(`${instance.home}/logs/supervisor.log`, 'utf8'));
    listeners = found;
    for (const listener of found)
      if ((LISTENERS[listener.kind] ?? []).length > 0)
        assert.equal(await speaksPlainly(listener), false, JSON.stringify(listener));
  });

  test('every credential gets from every listener what the matrix says, and no credential is missing in it', async () => {
    const credentials: readonly Credential[] = [
      { kind: 'none', name: 'none' },
      { kind: 'token forged', name: 'forged', token: 'eyJhbGciOiJub25lIn0.e30.' },
      ...certificatesOf(instance.home),
      ...(await tokensOf(instance.client)),
      ...(await storageTokensOf(instance.client, EXPORT_TOKEN, 'incoming')),
    ];
    assert.deepEqual(
      [...new Set(credentials.map(({ kind }) => kind))].sort(),
      [...CREDENTIALS].sort(),
      'kinds of credentials',
    );
    const wrong: string[] = [];
    for (const listener of listeners)
      for (const probe of LISTENERS[listener.kind] ?? [])
        for (const credential of credentials) {
          const expected = probe.answers[credential.kind] ?? probe.others;
          const answer = await answerOf(listener, probe, credential);
          if (answer !== expected)
            wrong.push(
              `${credential.kind} (${credential.name}) at ${listener.kind} ${listener.address}:${listener.port}, ${probe.what}: ${answer}, expected ${expected}`,
            );
        }
    assert.deepEqual(wrong, []);
  });

  test('of all certificates only that of the source node’s virt-handler gets through to a migration', async () => {
    const through = await whoGetsThrough(`${instance.home}/pki/virt-handler-node-2`, 'node-1', [
      { kind: 'none', name: 'none' },
      ...certificatesOf(instance.home),
    ]);
    assert.ok(through.length > 0);
    assert.deepEqual(
      through.filter((name) => !name.endsWith('/virt-handler-node-1/migration-client.crt')),
      [],
    );
  });

  test('UDP is spoken by name servers and to guests alone', () => {
    const ports = datagramPortsOf(instance.home, instance.name);
    const unknown = ports.filter((port) => datagramKind(port) === undefined);
    assert.deepEqual(unknown, []);
    assert.ok(ports.some((port) => datagramKind(port) === 'cluster DNS'));
  });

  test('no unix socket of the home takes a connection from another user of the machine', async () => {
    const sockets = unixListenersOf(instance.home, instance.name);
    assert.ok(
      sockets.some(({ path }) => path.includes('/sockets/launcher-')),
      JSON.stringify(sockets),
    );
    assert.deepEqual(
      sockets.filter(({ path, isOfMachine }) => isOfMachine && path.startsWith('@')),
      [],
      'names that everybody may connect to',
    );
    const paths = [...new Set(sockets.map(({ path }) => path).filter((path) => path.startsWith('/')))];
    const script =
      'for path; do curl -s -m 2 --unix-socket "$path" http://x/; [ $? = 7 ] || echo "$path"; done';
    const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', 'sh', '-c', script, 'sh'];
    assert.equal((await command('setpriv', [...nobody, ...paths], process.env)).stdout, '');
  });

  /** Tries a change without making it; the message of the refusal. */
  const refusalOf = async (client: KubeClient, path: string, body: object): Promise<string> => {
    try {
      await client.request({
        method: 'PATCH',
        path: `${path}?dryRun=All`,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      return 'it was allowed';
    } catch (error) {
      if (!isStatus(error, 'Forbidden') && !isStatus(error, 'Invalid')) throw error;
      return messageOf(error);
    }
  };
  const kubeconfigOf = (name: string): KubeClient =>
    KubeClient.fromKubeconfig(`${instance.home}/pki/${name}.kubeconfig`, 'test');
  /** virt-handler of node-1: by its certificate, by a token of a Pod there, and by one that names no node. */
  const handlers = async (): Promise<readonly (readonly [string, KubeClient])[]> => {
    const tokenOf = async (spec: object): Promise<KubeClient> => {
      const { status } = await instance.client.request<{ readonly status: { readonly token: string } }>({
        method: 'POST',
        path: '/api/v1/namespaces/kubevirt/serviceaccounts/kubevirt-handler/token',
        body: JSON.stringify({ spec }),
      });
      const { server, ca } = loadKubeconfig(`${instance.home}/kubeconfig`);
      const credentials = fixedCredentials({
        server,
        ...(ca === undefined ? {} : { ca }),
        token: status.token,
      });
      return new KubeClient({ credentials, userAgent: 'test' });
    };
    const node = await instance.client.get(resources.nodes, { name: 'node-1' });
    return [
      ['certificate', kubeconfigOf('virt-handler-node-1')],
      [
        'token of node-1',
        await tokenOf({ boundObjectRef: { kind: 'Node', name: 'node-1', uid: node.metadata.uid } }),
      ],
      ['token without a node', await tokenOf({})],
    ];
  };
  const VMI = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances/guest';

  /** The same by a whole object, as virt-handler writes. */
  const updateRefusalOf = async (client: KubeClient, change: object): Promise<string> => {
    const found = await instance.client.request<Record<string, unknown>>({ method: 'GET', path: VMI });
    try {
      const body = JSON.stringify(merged(found, change));
      await client.request({ method: 'PUT', path: `${VMI}?dryRun=All`, body });
      return 'it was allowed';
    } catch (error) {
      if (!isStatus(error, 'Forbidden') && !isStatus(error, 'Invalid')) throw error;
      return messageOf(error);
    }
  };

  test('CVE-2025-64436: virt-handler of another node does not move a guest, nor change anything of it', async () => {
    const changes: readonly object[] = [
      { status: { nodeName: 'node-1' } },
      { status: { migrationState: { targetNode: 'node-1' } } },
      { status: { evacuationNodeName: 'node-2' } },
      { status: { phase: 'Failed' } },
      { spec: { domain: { cpu: { sockets: 2 } } } },
      { metadata: { labels: { 'kubevirt.io/nodeName': 'node-1' } } },
    ];
    for (const [who, client] of await handlers()) {
      for (const change of changes) {
        const what = `${who}: ${JSON.stringify(change)}`;
        assert.match(await refusalOf(client, VMI, change), /denied|forbidden/i, what);
        // Its role lets it update VMIs: only the policy of nodes is in the way.
        assert.match(
          await updateRefusalOf(client, change),
          /ValidatingAdmissionPolicy|admission webhook/,
          what,
        );
      }
      const migration = {
        metadata: { generateName: 'm-', namespace: 'default' },
        spec: { vmiName: 'guest' },
      };
      await assert.rejects(
        client.request({
          method: 'POST',
          path: '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstancemigrations',
          body: JSON.stringify(migration),
        }),
        /forbidden/,
        who,
      );
      await client.close();
    }
    // The same words of the node that has the guest are heard: it is not that nobody may say anything.
    const own = kubeconfigOf('virt-handler-node-2');
    const tried = await updateRefusalOf(own, { status: { guestOSInfo: { name: 'tried' } } });
    assert.equal(tried, 'it was allowed');
    await own.close();
  });

  test('CVE-2023-26484: virt-handler changes no other Node and no taints, and takes no Lease', async () => {
    const lease = '/apis/coordination.k8s.io/v1/namespaces/kubevirt/leases/virt-controller';
    for (const [who, client] of await handlers()) {
      const attempts: readonly (readonly [string, object])[] = [
        ['/api/v1/nodes/node-2', { metadata: { labels: { 'kubevirt.io/schedulable': 'false' } } }],
        ['/api/v1/nodes/node-2', { spec: { unschedulable: true } }],
        ['/api/v1/nodes/node-1', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }],
        [lease, { spec: { holderIdentity: 'somebody' } }],
        [lease.replace('virt-controller', 'virt-handler-node-2'), { spec: { holderIdentity: 'somebody' } }],
      ];
      for (const [path, body] of attempts)
        assert.match(await refusalOf(client, path, body), /denied|forbidden/i, `${who}: ${path}`);
      await client.close();
    }
  });

  test('CVE-2024-33394: credentials of a node open no Secrets but those of its Pods', async () => {
    const secret = { namespace: 'default', name: 'guest-data' };
    const isRefused = (client: KubeClient): Promise<boolean> =>
      client.get(resources.secrets, secret).then(
        () => false,
        (error: unknown) => isStatus(error, 'Forbidden'),
      );
    for (const [who, client] of await handlers()) {
      assert.equal(await isRefused(client), true, who);
      await assert.rejects(client.list(resources.secrets, {}), /forbidden/, who);
      await client.close();
    }
    const [one, two] = [kubeconfigOf('kubelet-node-1'), kubeconfigOf('kubelet-node-2')];
    assert.equal(await isRefused(one), true, 'kubelet of the other node');
    assert.equal(await isRefused(two), false, 'kubelet whose Pod shows it');
    await assert.rejects(two.list(resources.secrets, {}), /forbidden/);
    await Promise.all([one.close(), two.close()]);
  });

  test('CVE-2025-64434: no certificate of a virt-handler, nor of an older home, is taken for virt-api’s', async () => {
    const ca = readKeyPair(`${instance.home}/pki/kubevirt-ca`);
    assert.ok(ca !== undefined);
    const old = issueCertificate(ca, {
      commonName: 'kubevirt.io:system:client:virt-handler',
      usages: ['client'],
      now: Date.now(),
    });
    const own = certificatesOf(instance.home).filter(({ name }) =>
      name.startsWith('pki/virt-handler-node-1/'),
    );
    assert.equal(own.length, 3);
    const all = [...own, { kind: 'old', name: 'old', certificate: { cert: old.certificate, key: old.key } }];
    for (const listener of listeners.filter(({ kind }) => kind === 'virt-handler'))
      for (const probe of (LISTENERS['virt-handler'] ?? []).filter(({ what }) => what !== 'metrics'))
        for (const credential of all)
          assert.equal(await answerOf(listener, probe, credential), 403, `${credential.name}: ${probe.what}`);
  });

  /** A node that asks libvirt what QEMU can do does so as `nobody`, and takes the directory away with the answer. */
  const isLeftByProbe = (path: string): boolean => {
    const asker = /\/podvisor-probe-(\d+)-/.exec(path)?.[1];
    return asker !== undefined && !isAlive(Number(asker));
  };

  test('another user of the machine reads nothing of a used home, nor of what it has elsewhere', async () => {
    const asNobody = (...args: string[]): Promise<CommandResult> =>
      command('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', ...args], process.env);
    assert.equal(statSync(instance.home).mode & 0o777, 0o700);
    // Not even the names: `find` says of each place below that it may not look into it.
    const { stdout } = await asNobody('find', instance.home, '-mindepth', '1');
    assert.equal(stdout, '');
    const { store, kubeconfig, config, pki, controlPlane, lib } = instancePaths(instance.home);
    for (const file of [
      store,
      kubeconfig,
      config,
      `${pki}/ca.key`,
      `${controlPlane}/audit.log`,
      `${lib}/node`,
    ])
      assert.notEqual((await asNobody('cat', file)).code, 0, file);
    const elsewhere = await asNobody(
      'find',
      '/run/podvisor',
      '/tmp',
      '/var/tmp',
      '/run/netns',
      '-readable',
      '-type',
      'f',
    );
    const ours = elsewhere.stdout
      .split('\n')
      .filter((path) => path.includes(instance.name) || isLeftByProbe(path));
    // A network namespace is a name to enter by, which needs CAP_SYS_ADMIN.
    assert.deepEqual(
      ours.filter((path) => !path.startsWith('/run/netns/')),
      [],
    );
    // Modes within hold by themselves, should the home be moved elsewhere.
    const open = await command(
      'find',
      [instance.home, '-maxdepth', '1', '-type', 'f', '-perm', '/077'],
      process.env,
    );
    assert.equal(open.stdout, '');
  });

  test('a Secret is in no file of the home in plain text; who read it is in the audit log', async () => {
    const { home } = instance;
    for (const file of [...storeFiles(home), ...logsOf(home)]) {
      const bytes = readFileSync(file, 'latin1');
      for (const text of [PASSWORD, ENCODED]) assert.ok(!bytes.includes(text), `${file} has the Secret`);
    }
    await instance.client.get(resources.secrets, { namespace: 'default', name: 'guest-data' });
    const noted = await eventually('the audit log notes the read', 10_000, () => {
      const lines = readFileSync(`${instancePaths(home).controlPlane}/audit.log`, 'utf8')
        .trim()
        .split('\n');
      return lines.find(
        (line) =>
          line.includes('"kubernetes-admin"') && line.includes('guest-data') && line.includes('"get"'),
      );
    });
    assert.ok(!noted.includes(ENCODED));
  });

  test('doctor finds nothing weak; what somebody weakens it names, and up mends and says so', async () => {
    const weak = ['home files', 'encryption', 'node identity', 'certificates', 'audit', 'access'];
    const before = (await instance.podvisor(['doctor'])).stdout;
    for (const what of weak) assert.match(before, new RegExp(`PASS +${what}`), what);
    chmodSync(instance.home, 0o711);
    chmodSync(`${instance.home}/config.json`, 0o644);
    mkdirSync(`${instance.home}/pki/virt-handler`);
    const named = (await instance.podvisor(['doctor'])).stdout;
    assert.match(named, /WARN +home files .*config\.json is 0644/s);
    assert.match(named, /WARN +node identity .*pki\/virt-handler/s);
    const { stdout, code } = await instance.up();
    assert.equal(code, 0);
    assert.match(stdout, /mended: .*0711 → 0700, config\.json 0644 → 0600/);
    assert.equal(statSync(instance.home).mode & 0o777, 0o700);
    assert.equal(statSync(`${instance.home}/config.json`).mode & 0o777, 0o600);
    rmSync(`${instance.home}/pki/virt-handler`, { recursive: true });
  });

  /** Ends the processes of the home; its guest goes on. */
  const endProcesses = async (): Promise<void> => {
    process.kill(await instance.pidOf('supervisor'), 'SIGTERM');
    await eventually('all processes have ended', 30_000, () =>
      existsSync(`${instance.home}/run/supervisor.pid`) ? undefined : true,
    );
  };

  test('a home of an older version gets identities and encryption at the next up; its VM does not notice', async () => {
    const { home } = instance;
    const { pki, store } = instancePaths(home);
    const qemu = (): readonly number[] =>
      instanceProcesses(home, instance.name)
        .filter(({ command: line }) => line.includes('qemu-system'))
        .map(({ pid }) => pid);
    const before = qemu();
    assert.equal(before.length, 1);
    await endProcesses();
    makeOld(home, pki, store);
    assert.ok(readFileSync(`${home}/store.db`, 'latin1').includes(ENCODED), 'it is old');
    const { stdout, stderr, code } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /mended: .*0711 → 0700, store\.db 0644 → 0600/);
    assert.ok(!existsSync(`${home}/store.db`) && storeFiles(home).length > 0);
    for (const file of storeFiles(home)) assert.ok(!readFileSync(file, 'latin1').includes(ENCODED), file);
    assert.ok(!existsSync(`${pki}/virt-handler`) && !existsSync(`${pki}/virt-handler.kubeconfig`));
    const { subject } = new X509Certificate(readFileSync(`${pki}/clients/kubelet-node-2.crt`));
    assert.equal(subject, 'O=system:nodes\nCN=system:node:node-2');
    assert.match((await instance.podvisor(['doctor'])).stdout, /PASS +node identity/);
    const secret = await instance.client.get(resources.secrets, { namespace: 'default', name: 'guest-data' });
    assert.equal(secret.data?.['userdata'], ENCODED);
    assert.deepEqual(qemu(), before);
    const vmi = await instance.client.get(resources.virtualMachineInstances, {
      namespace: 'default',
      name: 'guest',
    });
    assert.equal(vmi.status?.phase, 'Running');
  });

  test('without the keys of the store up says at once what is missing; with them everything is there again', async () => {
    const { home } = instance;
    const { pki } = instancePaths(home);
    await endProcesses();
    renameSync(`${pki}/encryption.yaml`, `${home}/kept.yaml`);
    const { stdout, stderr, code } = await instance.up();
    assert.notEqual(code, 0);
    assert.match(
      stdout + stderr,
      /encryption\.yaml is gone.*\/secrets\/default\/guest-data.*put the file back/,
    );
    assert.ok(!existsSync(`${pki}/encryption.yaml`), 'no new key took its place');
    await endProcesses();
    renameSync(`${home}/kept.yaml`, `${pki}/encryption.yaml`);
    assert.equal((await instance.up()).code, 0);
    const secret = await instance.client.get(resources.secrets, { namespace: 'default', name: 'guest-data' });
    assert.equal(secret.data?.['userdata'], ENCODED);
  });
});

/** As a merge patch does. */
function merged(target: unknown, change: unknown): unknown {
  const isMap = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap(target) || !isMap(change)) return change;
  const entries = Object.entries(change).map(([key, value]) => [key, merged(target[key], value)]);
  return { ...target, ...Object.fromEntries(entries) };
}

const PASSWORD = 'battery-staple-4711';
const EXPORT_TOKEN = 'sesame-open-4711';
const USER_DATA = `#cloud-config\npassword: ${PASSWORD}\n`;
const ENCODED = Buffer.from(USER_DATA).toString('base64');

function storeFiles(home: string): string[] {
  const { store } = instancePaths(home);
  return ['', '-wal', '-shm', '-journal'].map((end) => store + end).filter((file) => existsSync(file));
}

/** Puts into a home that is down what an older version had: shared and mighty certificates, plain Secrets. */
function makeOld(home: string, pki: string, store: string): void {
  const ca = readKeyPair(`${pki}/ca`);
  assert.ok(ca !== undefined);
  const organizations = ['system:nodes', 'system:masters'];
  const old = (commonName: string): KeyPair =>
    issueCertificate(ca, { commonName, organizations, usages: ['client'], now: Date.now() });
  writeKeyPair(`${pki}/clients/kubelet-node-2`, old('system:node:node-2'));
  writeKeyPair(`${pki}/virt-handler/client`, old('kubevirt.io:system:client:virt-handler'));
  writeFileSync(`${pki}/virt-handler.kubeconfig`, '');
  const db = new DatabaseSync(store);
  const sealed = db
    .prepare("SELECT revision, key FROM log WHERE key LIKE '/secrets/%' AND value IS NOT NULL")
    .all();
  assert.ok(sealed.length > 0);
  const write = db.prepare('UPDATE log SET value = ? WHERE revision = ?');
  for (const { revision, key } of sealed) {
    const [, , namespace, name] = String(key).split('/');
    const metadata = {
      name,
      namespace,
      uid: randomUUID(),
      creationTimestamp: '2026-01-01T00:00:00Z',
      resourceVersion: String(revision),
    };
    write.run(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata,
        data: { userdata: ENCODED },
        type: 'Opaque',
      }),
      Number(revision),
    );
  }
  // All of it in one file, which can be moved.
  db.exec('PRAGMA journal_mode=DELETE');
  db.close();
  rmSync(`${pki}/encryption.yaml`);
  // It lay at the top of the home, for everybody to read.
  renameSync(store, `${home}/store.db`);
  rmSync(dirname(store), { recursive: true });
  chownSync(`${home}/store.db`, 0, 0);
  chmodSync(`${home}/store.db`, 0o644);
  chmodSync(home, 0o711);
}

function logsOf(home: string): string[] {
  const { logs, controlPlane } = instancePaths(home);
  return [...readdirSync(logs).map((file) => `${logs}/${file}`), `${controlPlane}/audit.log`];
}

/** A VM on a node, whose user data come from a Secret. */
function guestOnNode(node: string): object {
  const vm = helloVm({
    name: 'guest',
    memory: '128Mi',
    interfaces: [{ name: 'default', masquerade: {} }],
    networks: [{ name: 'default', pod: {} }],
    nodeSelector: { 'kubernetes.io/hostname': node },
    graceSeconds: 0,
    commands: [],
  });
  const template = vm.spec.template;
  const volumes = template?.spec?.volumes?.map((volume) =>
    volume.name === 'cloud-init'
      ? { name: volume.name, cloudInitNoCloud: { secretRef: { name: 'guest-data' } } }
      : volume,
  );
  return { ...vm, spec: { ...vm.spec, template: { ...template, spec: { ...template?.spec, volumes } } } };
}
