/**
 * What the processes of a live home may do, read from the kernel and tried. The table is
 * docs/security-privileges.md.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Capability, componentUser, readPrivileges, type UnprivilegedComponent } from '@podvisor/sys';
import { eventually } from '../support/eventually.ts';
import { command, Instance } from '../support/instance.ts';

/** Nobody here ever has one of these; what the machine's root itself lacks cannot be had either. */
const NOBODY: readonly Capability[] = [
  'SYS_MODULE',
  'SYS_RAWIO',
  'SYS_BOOT',
  'SYS_TIME',
  'SYSLOG',
  'MAC_ADMIN',
  'AUDIT_CONTROL',
  'LINUX_IMMUTABLE',
];
const NOT_OF_HANDLER: readonly Capability[] = [...NOBODY, 'SETFCAP', 'SETPCAP', 'AUDIT_WRITE', 'IPC_OWNER'];

interface Expected {
  readonly process: string;
  /** Absent: root. */
  readonly component?: UnprivilegedComponent;
  /** Absent: no capability at all. */
  readonly without?: readonly Capability[];
  readonly noNewPrivileges: boolean;
  readonly seccomp: 0 | 2;
}

const TABLE: readonly Expected[] = [
  { process: 'supervisor', without: NOBODY, noNewPrivileges: false, seccomp: 0 },
  { process: 'node-agent', without: NOBODY, noNewPrivileges: false, seccomp: 0 },
  { process: 'virt-handler-node-1', without: NOT_OF_HANDLER, noNewPrivileges: true, seccomp: 0 },
  { process: 'control-plane', component: 'control-plane', noNewPrivileges: true, seccomp: 2 },
  { process: 'virt-api', component: 'virt-api', noNewPrivileges: true, seccomp: 2 },
  { process: 'virt-controller', component: 'virt-controller', noNewPrivileges: true, seccomp: 2 },
];

describe('privileges of a live home', { concurrency: 1 }, () => {
  let instance: Instance;
  before(async () => {
    instance = await Instance.prepare();
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
  });
  after(() => instance?.purge());

  /** As the process' user, in its root directory: what a program could do that took it over. */
  const as = (pid: number, user: number, ...program: string[]): ReturnType<typeof command> =>
    command(
      'nsenter',
      [
        ...['--target', String(pid), '--mount', '--root', '--wd=/', '--'],
        ...['setpriv', '--reuid', String(user), '--regid', String(user), '--clear-groups'],
        ...['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', '--', ...program],
      ],
      process.env,
    );

  test('every process of the home is in the table', () => {
    const found = readdirSync(`${instance.home}/run`)
      .filter((name) => name.endsWith('.pid') && !name.startsWith('kubelet-'))
      .map((name) => name.slice(0, -4));
    assert.deepEqual(found.toSorted(), TABLE.map((row) => row.process).toSorted());
  });

  for (const { process: name, component, without, noNewPrivileges, seccomp } of TABLE) {
    test(`${name}: user, capabilities, no_new_privs, seccomp`, async () => {
      const found = readPrivileges(await instance.pidOf(name));
      const user = component === undefined ? 0 : componentUser(instance.name, component);
      assert.deepEqual(
        {
          uid: found.uid,
          gid: found.gid,
          noNewPrivileges: found.noNewPrivileges,
          seccomp: found.seccomp,
        },
        { uid: user, gid: user, noNewPrivileges, seccomp },
      );
      if (without === undefined) {
        assert.deepEqual([found.effective, found.bounding], [[], []]);
        return;
      }
      assert.deepEqual(
        without.filter((capability) => found.bounding.includes(capability)),
        [],
      );
      assert.deepEqual(found.effective, found.bounding);
      assert.ok(found.bounding.includes('SYS_ADMIN'));
    });
  }

  for (const component of ['control-plane', 'virt-api', 'virt-controller'] as const) {
    test(`${component}: writes nowhere but at its own place, and finds no key of another`, async () => {
      const pid = await instance.pidOf(component);
      const user = componentUser(instance.name, component);
      const { home } = instance;
      const writes = async (path: string): Promise<boolean> =>
        (await as(pid, user, 'touch', path)).code === 0;
      for (const directory of ['/', '/etc', '/usr/bin', '/dev', home, `${home}/lib`, `${home}/pki`])
        assert.equal(await writes(`${directory}/written`), false, directory);
      assert.equal(await writes('/proc/sys/kernel/core_pattern'), false);
      assert.equal(await writes(`${home}/control-plane/written`), component === 'control-plane');
      const { stdout: keys } = await as(
        pid,
        user,
        'find',
        home,
        '-name',
        '*.key',
        '-o',
        '-name',
        '*kubeconfig',
      );
      const own = {
        'control-plane': ['apiserver', 'front-proxy-client', 'sa', 'upload-proxy', 'upload-token'].map(
          (name) => `pki/${name}.key`,
        ),
        'virt-api': [
          'pki/hibernation.key',
          'pki/virt-api.kubeconfig',
          'pki/virt-api/client.key',
          'pki/virt-api/server.key',
        ],
        'virt-controller': ['pki/virt-controller.kubeconfig', 'pki/virt-controller/server.key'],
      };
      const seen = keys
        .trim()
        .split('\n')
        .map((path) => path.slice(home.length + 1));
      assert.deepEqual(seen.toSorted(), own[component]);
      for (const path of [
        '/root',
        '/home',
        '/var/lib',
        '/run',
        '/sys',
        `${home}/volumes`,
        `${home}/kubeconfig`,
      ])
        assert.notEqual((await as(pid, user, 'ls', path)).code, 0, path);
    });
  }

  test('components that start anew are refused nothing, and virt-controller is refused what is not its own', async () => {
    const names = ['node-agent', 'virt-api', 'virt-controller', 'virt-handler-node-1'];
    const logOf = (name: string): string => `${instance.home}/logs/${name}.log`;
    const before = new Map(names.map((name) => [name, statSync(logOf(name)).size]));
    for (const name of names) {
      const pid = await instance.pidOf(name);
      process.kill(pid, 'SIGKILL');
      await eventually(`${name} is back`, 20_000, async () =>
        (await instance.pidOf(name).catch(() => pid)) === pid ? undefined : true,
      );
    }
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    for (const name of names) {
      const said = readFileSync(logOf(name)).subarray(before.get(name)).toString('utf8');
      assert.deepEqual(
        said.split('\n').filter((line) => line.includes('is forbidden')),
        [],
        name,
      );
    }
    const may = async (...question: string[]): Promise<string> =>
      (
        await instance.kubectl(
          ...['auth', 'can-i', '--as', 'system:serviceaccount:kubevirt:kubevirt-controller', ...question],
        )
      ).stdout.trim();
    assert.equal(await may('create', 'pods', '-A'), 'yes');
    for (const resource of ['secrets', 'virtualmachineinstances.subresources.kubevirt.io/console'])
      assert.equal(await may('get', resource, '-A'), 'no', resource);
    assert.equal(await may('update', 'leases', '-n', 'kube-system'), 'no');
    const secret = (type: string): Promise<unknown> =>
      instance.client.request({
        method: 'POST',
        path: '/api/v1/namespaces/default/secrets?dryRun=All',
        headers: { 'impersonate-user': 'system:serviceaccount:kubevirt:kubevirt-controller' },
        body: JSON.stringify({
          apiVersion: 'v1',
          kind: 'Secret',
          type,
          metadata: { name: 's', annotations: { 'kubernetes.io/service-account.name': 'default' } },
        }),
      });
    await assert.rejects(
      secret('kubernetes.io/service-account-token'),
      /Opaque Secrets only|of exports only/,
    );
    await assert.rejects(secret('Opaque'), /of exports only/);
  });

  test('only the control plane may call the node agent', async () => {
    const socket = `${instance.home}/parts/control-plane/machine/node.sock`;
    const say = (user: number): ReturnType<typeof command> =>
      command(
        'setpriv',
        [
          ...['--reuid', String(user), '--regid', String(componentUser(instance.name, 'control-plane'))],
          ...['--clear-groups', '--', 'socat', '-T1', '-', `UNIX-CONNECT:${socket}`],
        ],
        process.env,
      );
    // The home is closed to it already; and with the way open, the socket asks who it is.
    assert.notEqual((await say(componentUser(instance.name, 'virt-api'))).code, 0);
    const pid = await instance.pidOf('control-plane');
    const stranger = await command(
      'nsenter',
      [
        ...['--target', String(pid), '--mount', '--root', '--wd=/', '--', 'setpriv'],
        ...['--reuid', String(componentUser(instance.name, 'virt-api'))],
        ...['--regid', String(componentUser(instance.name, 'control-plane')), '--clear-groups', '--'],
        ...[
          'sh',
          '-c',
          `printf '\\000\\000\\000\\000\\022{"method":"usage"}' | socat -T2 - UNIX-CONNECT:${socket}`,
        ],
      ],
      process.env,
    );
    assert.equal(stranger.stdout, '');
    const { stdout } = await as(
      pid,
      componentUser(instance.name, 'control-plane'),
      ...[
        'sh',
        '-c',
        `printf '\\000\\000\\000\\000\\022{"method":"usage"}' | socat -T2 -t2 - UNIX-CONNECT:${socket}`,
      ],
    );
    // A result; of which nodes depends on how far the kubelets are.
    assert.match(stdout, /^\t[^]*\[/);
  });
});
