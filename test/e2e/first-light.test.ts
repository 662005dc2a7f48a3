/**
 * What a user does on the first day, against real QEMU: up, look, log in, reach the guest, stop, start,
 * delete, status, doctor, down, up again, purge. The tests build on each other. On a cluster of somebody else the VM is
 * applied, and what the embedded home alone has is left out.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { isForeign, needsEmbedded, openHome } from '../support/home.ts';
import { command, Conversation, type Instance, root } from '../support/instance.ts';
import { NOTHING, podTracesOf, tracesOf } from '../support/traces.ts';
import { PAGE_ROWS, rowsOf } from '../support/pages-of-docs/page-rows.ts';
import { typeRow } from '../support/pages-of-docs/type-row.ts';

/** Rows of pages whose commands are typed; `nodes` and `migration` type those with a second node; the others need a distribution, or end what runs. */
/** Rows whose commands want a VM that is running, or one that is off. */
const ALTERNATIVES = '`qm start`, `stop`, `shutdown`, `reset`';
const ENDS_THE_VM = '`limactl list`, `stop`, `delete`';

describe('first light', { concurrency: 1 }, () => {
  let instance: Instance;
  const vmi = async (name = 'hello') =>
    instance.client.find(resources.virtualMachineInstances, { namespace: 'default', name });
  const running = (name = 'hello') =>
    eventually(`${name} Running with an address`, 120_000, async () => {
      const found = await vmi(name);
      return found?.status?.phase === 'Running' ? found.status.interfaces?.[0]?.ipAddress : undefined;
    });
  const noLaunchers = () =>
    eventually('no launcher Pod and no trace of one', 60_000, async () => {
      const { items } = await instance.client.list(resources.pods, {
        labelSelector: 'kubevirt.io=virt-launcher',
      });
      assert.deepEqual(items, []);
      if (isForeign) return true;
      assert.deepEqual(podTracesOf(instance.home, instance.name), {
        links: [],
        namespaces: [],
        cgroups: [],
        processes: [],
      });
      return true;
    });

  before(async () => {
    instance = await openHome();
    if (!isForeign) return;
    const { code, stdout, stderr } = await instance.up(`${root}/examples/hello.yaml`);
    assert.equal(code, 0, stdout + stderr);
  });
  after(() => instance?.purge());

  test('what is built is not built again', async () => {
    const { code, stderr } = await command(
      process.execPath,
      [`${root}/scripts/build.ts`, '--if-stale'],
      process.env,
    );
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('a port that is taken is told, and the home does not remember it', async (t) => {
    if (needsEmbedded(t, 'podvisor up')) return;
    const before = readdirSync(instance.home);
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    assert.ok(address !== null && typeof address === 'object');
    const { code, stderr } = await instance.podvisor(['up', '--api-port', String(address.port)]);
    taken.close();
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`port ${address.port} is in use: .*--api-port`));
    assert.deepEqual(readdirSync(instance.home), before);
  });

  test('a typo in the manifest is told with its place, before anything is started', async (t) => {
    if (needsEmbedded(t, 'podvisor up')) return;
    const before = readdirSync(instance.home);
    const file = `${instance.home}.yaml`;
    const text = readFileSync(`${root}/examples/hello.yaml`, 'utf8');
    writeFileSync(file, text.replace('cores: 1', 'coers: 1'));
    const { code, stderr } = await instance.up(file);
    rmSync(file);
    assert.equal(code, 1);
    assert.match(stderr, /\.yaml:16:11: spec\.template\.spec\.domain\.cpu\.coers .* did you mean `cores`\?/);
    assert.deepEqual(readdirSync(instance.home), before);
  });

  test('up names every handoff and ends with READY, when the guest is up', async (t) => {
    if (needsEmbedded(t, 'podvisor up')) return;
    const { code, stdout, stderr } = await instance.up(`${root}/examples/hello.yaml`);
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    const address = (await vmi())?.status?.interfaces?.[0]?.ipAddress;
    assert.equal(await (await fetch(`http://${address}/`)).text(), 'hello from hello\n');
    assert.match(stdout, /^hello: its guest agent answers$/m);
    for (let number = 1; number <= 11; number += 1)
      assert.match(stdout, new RegExp(`\\[ ?${number}/11\\] `), `handoff ${number}`);
    assert.match(
      stdout.trim().split('\n').at(-1) ?? '',
      /^READY after .*kubectl get .*virtctl console hello.*podvisor down/,
    );
  });

  test('a healthy start raises no alarm in any log: nobody was refused, nothing was missing, nothing warned', (t) => {
    if (needsEmbedded(t, "the home's logs")) return;
    const logs = `${instance.home}/logs`;
    const lines = readdirSync(logs).flatMap((name) =>
      readFileSync(`${logs}/${name}`, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `${name}: ${line}`),
    );
    assert.ok(lines.some((line) => line.includes('control plane is ready')));
    const alarms = lines.filter((line) =>
      /forbidden|not found|ECONNREFUSED|failed|"level":[456]0/i.test(line),
    );
    assert.deepEqual(alarms, []);
  });

  test('an image that is not there ends up within seconds, with what why says', async (t) => {
    if (needsEmbedded(t, 'podvisor up')) return;
    const file = `${instance.home}/bad.yaml`;
    const text = readFileSync(`${root}/examples/hello.yaml`, 'utf8');
    writeFileSync(file, text.replace('name: hello', 'name: bad').replace('local/hello:1', 'local/none:1'));
    const startedAt = Date.now();
    const { code, stderr } = await instance.up(file);
    assert.equal(code, 1);
    assert.ok(Date.now() - startedAt < 25_000, `${Date.now() - startedAt} ms`);
    assert.match(
      stderr,
      /default\/bad is not running\.\nImage missing .*\n +image podvisor\.local\/none:1 of volume root/,
    );
    assert.match(stderr, /What to do: .*podvisor image/);
    await instance.kubectl('delete', 'vm', 'bad', '--wait=false');
  });

  test('images are listed with their users, made of disks, and removed when nobody uses them', async (t) => {
    if (needsEmbedded(t, 'podvisor image')) return;
    const image = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await instance.podvisor(['image', ...args]);
      return code === 0 ? stdout : stderr;
    };
    assert.match(await image('list'), /^podvisor\.local\/hello:1 +[\d.]+ MiB +VM default\/hello/m);
    assert.match(await image('remove', 'hello:1'), /is used by VM default\/hello/);
    const disk = `${instance.home}/mine.vmdk`;
    await command('qemu-img', ['create', '-q', '-f', 'vmdk', disk, '8M'], process.env);
    assert.match(await image('build', 'mine:1', '--disk', disk), /podvisor\.local\/mine:1: a disk of 8 MiB/);
    const second = await instance.podvisor(['image', 'import', disk, 'mine:2', '--progress=json']);
    assert.match(second.stdout, /podvisor\.local\/mine:2: a disk of 8 MiB/);
    assert.match(second.stderr, /\{"progress":"image build","bytes":8388608,.*"done":true\}/);
    assert.match(await image('list'), /^podvisor\.local\/mine:2 .* nobody$/m);
    for (const name of ['mine:1', 'mine:2']) assert.match(await image('remove', name), /is removed/);
    assert.match(await image('import', `${instance.home}/none`, 'x'), /there is no file/);
    assert.match(await image('remove', 'mine:1'), /there is no image mine:1; there are: podvisor/);
  });

  test('another user is told the truth by status and doctor', async (t) => {
    if (needsEmbedded(t, 'podvisor status')) return;
    const asNobody = (...args: string[]) =>
      command(
        'setpriv',
        [
          '--reuid=65534',
          '--regid=65534',
          '--clear-groups',
          process.execPath,
          `${root}/dist/podvisor.mjs`,
          ...args,
        ],
        instance.env,
      );
    const status = await asNobody('status');
    assert.equal(status.code, 1);
    assert.match(status.stderr, /belongs to root, and nobody may not look into it: run it with sudo/);
    const doctor = await asNobody('doctor');
    assert.match(doctor.stdout, /WARN +home .*belongs to root/);
    assert.match(doctor.stdout, /fix: run podvisor with sudo/);
  });

  test('a supervisor that was killed: up takes over what runs, and no guest notices', async (t) => {
    if (needsEmbedded(t, 'the supervisor')) return;
    const launcher = (await vmi())?.status?.activePods;
    process.kill(await instance.pidOf('supervisor'), 'SIGKILL');
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    assert.match(
      stdout,
      /The supervisor is gone: restarting the processes that it left \(VMs keep running\)/,
    );
    assert.deepEqual((await vmi())?.status?.activePods, launcher);
    assert.equal((await instance.podvisor(['status'])).code, 0);
  });

  test('a certificate that is asked for and approved is signed, and lets its owner in', async (t) => {
    if (needsEmbedded(t, 'its signer and port')) return;
    const [key, request, manifest] = ['anna.key', 'anna.csr', 'csr.json'].map(
      (name) => `${instance.home}/${name}`,
    );
    const args = ['req', '-new', '-nodes', '-newkey', 'rsa:2048', '-subj', '/O=people/CN=anna'];
    await command('openssl', [...args, '-keyout', String(key), '-out', String(request)], process.env);
    const spec = {
      request: readFileSync(String(request)).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    };
    const csr = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'anna' },
      spec,
    };
    writeFileSync(String(manifest), JSON.stringify(csr));
    assert.equal((await instance.kubectl('apply', '-f', String(manifest))).code, 0);
    assert.equal((await instance.kubectl('certificate', 'approve', 'anna')).code, 0);
    const certificate = await eventually('the certificate', 20_000, async () => {
      const { stdout } = await instance.kubectl('get', 'csr', 'anna', '-o', 'jsonpath={.status.certificate}');
      return stdout === '' ? undefined : Buffer.from(stdout, 'base64');
    });
    assert.match((await instance.kubectl('get', 'csr')).stdout, /anna .*Approved,Issued/);
    writeFileSync(`${instance.home}/anna.crt`, certificate);
    const { stderr } = await command(
      'kubectl',
      [
        ...['get', 'pods', `--client-certificate=${instance.home}/anna.crt`, `--client-key=${key}`],
        ...[
          `--server=https://127.0.0.1:${instance.apiPort}`,
          `--certificate-authority=${instance.home}/pki/ca.crt`,
        ],
      ],
      { ...instance.env, KUBECONFIG: '/dev/null' },
    );
    assert.match(stderr, /User "anna" cannot list resource "pods"/);
  });

  test('a second up finds everything done', async (t) => {
    if (needsEmbedded(t, 'podvisor up')) return;
    const { code, stdout } = await instance.up(`${root}/examples/hello.yaml`);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\nREADY after/);
  });

  test('kubectl shows VM, VMI and Pod in the columns people know', async () => {
    const { stdout } = await instance.kubectl('get', 'vm,vmi,pods', '-o', 'wide');
    assert.match(stdout, /NAME +AGE +STATUS +READY/);
    assert.match(stdout, /virtualmachine\.kubevirt\.io\/hello +\S+ +Running +True/);
    assert.match(stdout, /NAME +AGE +PHASE +IP +NODENAME +READY +LIVE-MIGRATABLE +PAUSED/);
    assert.match(stdout, /virtualmachineinstance\.kubevirt\.io\/hello +\S+ +Running +[\d.]+ +\S+ +True/);
    // Beside the guest a cluster may run a container for its console log.
    assert.match(stdout, /pod\/virt-launcher-hello-\S+ +([12])\/\1 +Running +0/);
  });

  test('the catalogue is there: names complete, and a VM of one of each is taken or refused for its needs', async () => {
    const typed = ['create', 'vm', '--instancetype'];
    const completed = await instance.virtctl('__complete', '--', ...typed, 'u1.');
    assert.equal(completed.stdout.trim().split('\n').length, 10, completed.stdout);
    const attempt = async (type: string, preference: string) => {
      const disk = 'src:example.com/x';
      const flags = ['--instancetype', type, '--preference', preference, '--volume-containerdisk', disk];
      const manifest = (await instance.virtctl('create', 'vm', '--name', 'sized', ...flags)).stdout;
      const script = 'printf %s "$1" | kubectl apply --dry-run=server -f -';
      return command('sh', ['-c', script, 'sh', manifest], instance.env);
    };
    const taken = await attempt('u1.nano', 'debian');
    assert.equal(taken.code, 0, taken.stderr);
    const refused = await attempt('u1.nano', 'windows.11');
    assert.equal(refused.code, 1, refused.stdout);
    assert.match(refused.stderr, /insufficient (CPU|Memory) resources/i);
  });

  test('a user may work in his namespace and nowhere else, until he is removed', async (t) => {
    if (needsEmbedded(t, 'podvisor user')) return;
    const file = `${instance.home}/anna.kubeconfig`;
    const words = ['user', 'add', 'anna', '--namespace', 'blue', '-o', file];
    const refused = await instance.podvisor(words);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /there is no namespace "blue": --create-namespace makes it/);
    const added = await instance.podvisor([...words, '--create-namespace']);
    assert.equal(added.code, 0, added.stderr);
    const can = async (verb: string, what: string, namespace: string, config = file) => {
      const asked = ['auth', 'can-i', verb, what, '-n', namespace, '--kubeconfig', config];
      return (await instance.kubectl(...asked)).stdout.trim();
    };
    assert.equal(await can('create', 'virtualmachines.kubevirt.io', 'blue'), 'yes');
    assert.equal(await can('create', 'virtualmachines.kubevirt.io', 'default'), 'no');
    assert.equal(await can('create', 'rolebindings', 'blue'), 'no');
    const listed = await instance.podvisor(['user', 'list']);
    assert.match(listed.stdout, /anna +blue +edit +\d{4}-/);
    const removed = await instance.podvisor(['user', 'remove', 'anna']);
    assert.equal(removed.code, 0, removed.stderr);
    const again = await instance.podvisor(['user', 'add', 'anna', '--namespace', 'blue', '--role', 'view']);
    assert.match(again.stdout, /client-certificate-data/);
    assert.equal(await can('get', 'virtualmachines.kubevirt.io', 'blue'), 'no', 'the old certificate');
    await instance.kubectl('delete', 'namespace', 'blue', '--wait=false');
  });

  test('an old kubectl works as well', async (t) => {
    const old = await oldKubectl();
    if (old === undefined) return t.skip("Debian's kubectl 1.20 cannot be fetched here");
    const version = await command(old, ['version', '--client', '--short'], instance.env);
    assert.match(version.stdout, /v1\.20\./);
    const { code, stdout, stderr } = await command(old, ['get', 'vm,vmi,pods', '-o', 'wide'], instance.env);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /virtualmachineinstance\.kubevirt\.io\/hello +\S+ +Running/);
    const applied = await command(old, ['apply', '-f', `${root}/examples/hello.yaml`], instance.env);
    assert.equal(applied.code, 0, applied.stderr);
  });

  test('the console gives a login prompt and a shell', async () => {
    const console = new Conversation(`${root}/bin/virtctl`, ['console', 'hello'], instance.env);
    try {
      console.say('\n');
      await console.hear(/hello login: /, 60_000);
      console.say('root\n');
      await console.hear(/Password: /);
      console.say('hello\n');
      await console.hear(/root@hello:~# /);
      console.say('echo answer=$((6 * 7))\n');
      await console.hear(/answer=42/);
    } finally {
      console.end();
      await console.exited();
    }
  });

  test('Ctrl+] leaves the console of a terminal', async () => {
    const terminal = new Conversation(
      'script',
      ['-qefc', `${root}/bin/virtctl console hello`, '/dev/null'],
      instance.env,
    );
    await terminal.hear(/Successfully connected/);
    terminal.say('\n');
    await terminal.hear(/[#:] /);
    terminal.say('\x1d');
    assert.equal(await terminal.exited(), 0);
  });

  test('a new console ends the one before it, but not those that share', async () => {
    const open = (...flags: string[]): Conversation =>
      new Conversation(`${root}/bin/virtctl`, ['console', ...flags, 'hello'], instance.env);
    const shared = open('--share');
    await shared.hear(/answer=42/);
    const first = open();
    await first.hear(/Successfully connected/);
    const second = open();
    try {
      await first.exited();
      second.say('echo both=$((1 + 2))\n');
      await Promise.all([shared.hear(/both=3/), second.hear(/both=3/)]);
    } finally {
      for (const one of [shared, second]) {
        one.end();
        await one.exited();
      }
    }
  });

  test('the host reaches the guest, and the guest other Pods', async (t) => {
    if (needsEmbedded(t, 'this machine is a node')) return;
    const address = await running();
    const ping = await command('ping', ['-c', '1', '-W', '5', address], process.env);
    assert.equal(ping.code, 0, ping.stdout);
    const page = await eventually('the guest serves its page', 30_000, async () =>
      (await fetch(`http://${address}/`)).text(),
    );
    assert.equal(page, 'hello from hello\n');

    await instance.client.create(resources.pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'neighbour', namespace: 'default' },
      spec: {
        containers: [
          { name: 'main', image: 'podvisor.local/virt-launcher:embedded', command: ['/bin/sleep', '600'] },
        ],
        terminationGracePeriodSeconds: 0,
      },
    });
    const neighbour = await eventually('the neighbour has an address', 30_000, async () => {
      const pod = await instance.client.get(resources.pods, { namespace: 'default', name: 'neighbour' });
      return pod.status?.phase === 'Running' ? pod.status.podIP : undefined;
    });
    const console = new Conversation(`${root}/bin/virtctl`, ['console', 'hello'], instance.env);
    try {
      console.say(`\nping -c 1 -W 5 ${neighbour} > /dev/null && echo reached=$((1 + 1))\n`);
      await console.hear(/reached=2/, 20_000);
    } finally {
      console.end();
      await console.exited();
    }
    await instance.client.delete(resources.pods, { namespace: 'default', name: 'neighbour' });
  });

  test('pause and unpause', async () => {
    assert.equal((await instance.virtctl('pause', 'vm', 'hello')).code, 0);
    await eventually('Paused', 10_000, async () =>
      (await vmi())?.status?.conditions?.find((c) => c.type === 'Paused' && c.status === 'True'),
    );
    assert.equal((await instance.virtctl('unpause', 'vm', 'hello')).code, 0);
    await eventually('not Paused', 10_000, async () =>
      (await vmi())?.status?.conditions?.some((c) => c.type === 'Paused' && c.status === 'True') === false
        ? true
        : undefined,
    );
  });

  test('the guest agent reports the guest', async () => {
    const info = await eventually('guest information', 60_000, async () => {
      const { code, stdout } = await instance.virtctl('guestosinfo', 'hello');
      return code === 0 ? (JSON.parse(stdout) as { hostname?: string }) : undefined;
    });
    assert.equal(info.hostname, 'hello');
  });

  test('stop shuts the guest down and leaves nothing behind', async () => {
    const stopped = await instance.virtctl('stop', 'hello');
    assert.equal(stopped.code, 0, stopped.stderr);
    assert.match(stopped.stdout, /VM hello was scheduled to stop/);
    await noLaunchers();
    await eventually('the VM says Stopped', 20_000, async () => {
      const vm = await instance.client.get(resources.virtualMachines, {
        namespace: 'default',
        name: 'hello',
      });
      return vm.status?.printableStatus === 'Stopped' ? true : undefined;
    });
    const again = await instance.virtctl('stop', 'hello');
    assert.notEqual(again.code, 0);
    assert.match(again.stderr, /not running/i);
  });

  test('start brings it back', async () => {
    assert.equal((await instance.virtctl('start', 'hello')).code, 0);
    await running();
  });

  test('a manifest that is wrong is refused with the field', async () => {
    const { code, stderr } = await command(
      'sh',
      [
        '-c',
        `sed 's/name: hello$/name: wrong/; s/bus: virtio/bus: floppy/' ${root}/examples/hello.yaml | kubectl apply -f -`,
      ],
      instance.env,
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /spec\.template\.spec\.domain\.devices\.disks\[0\]/);
  });

  test('status and doctor tell the truth', async (t) => {
    if (needsEmbedded(t, 'podvisor status')) return;
    const status = await instance.podvisor(['status']);
    assert.equal(status.code, 0, status.stdout);
    assert.match(status.stdout, /default\/hello +Running/);
    const doctor = await instance.podvisor(['doctor']);
    assert.match(doctor.stdout, /(PASS|WARN) +KVM/);
    assert.match(doctor.stdout, /PASS +packages/);
  });

  test('top and why tell the truth', async () => {
    // The guest's driver tells every ten seconds.
    await eventually('top with the memory of the guest', 120_000, async () => {
      const { stdout } = await instance.virtctl('top');
      assert.match(stdout, /^NAME +STATUS +CPUS +CPU USED +MEMORY +GUEST USED +POD MEMORY/);
      return /^hello +Running +1 +\S+ +192Mi +\d+Mi /m.test(stdout) ? true : undefined;
    });
    const why = await instance.virtctl('why', 'vm/hello');
    assert.match(why.stdout, /All handoffs are done/);
  });

  test('commands of the cookbook and of those who come from elsewhere run as they stand', async (t) => {
    if (needsEmbedded(t, 'the pages are about the embedded home')) return;
    const pages = Object.keys(PAGE_ROWS).flatMap((page) =>
      rowsOf('first-light', page).map((task) => [page, task] as const),
    );
    const own = ['another size', '`qm create`, `qm set`', ALTERNATIVES, ENDS_THE_VM];
    for (const [page, task] of pages.filter((one) => !own.includes(one[1])))
      await typeRow(instance, page, task, { vm: 'hello' });
    const { code, stderr } = await instance.kubectl('delete', 'service', 'hello');
    assert.equal(code, 0, stderr);
    await instance.kubectl('delete', 'dv', 'root', '--wait=false');
    await instance.podvisor(['user', 'remove', 'anna']);
    await instance.podvisor(['image', 'remove', 'mine:1']);
    // What changes, ends or removes a VM is typed for one without a guest.
    const vm = 'typed';
    const key = { namespace: 'default', name: vm };
    await instance.client.create(resources.virtualMachines, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: key,
      spec: {
        runStrategy: 'Always',
        template: {
          spec: {
            domain: { devices: {}, memory: { guest: '64Mi' } },
            terminationGracePeriodSeconds: 0,
          },
        },
      },
    });
    const settled = (isOn: boolean) =>
      eventually(`${vm} is ${isOn ? 'running' : 'off'}`, 120_000, async () => {
        const found = await vmi(vm);
        if (!isOn) return found === undefined ? true : undefined;
        const isRunning =
          found?.status?.phase === 'Running' && found.metadata?.deletionTimestamp === undefined;
        return isRunning ? true : undefined;
      });
    // What was asked of the VM last counts: its VMI follows later.
    const before = async (typed: string): Promise<void> => {
      const wanted = !/ start /.test(typed);
      const { spec } = await instance.client.get(resources.virtualMachines, key);
      const isOn = spec.runStrategy !== 'Halted';
      await settled(isOn);
      if (isOn !== wanted) await instance.virtctl(wanted ? 'start' : 'stop', vm);
      await settled(wanted);
    };
    for (const task of own)
      for (const [page] of pages.filter((one) => one[1] === task))
        await typeRow(instance, page, task, { vm, ...(task === ENDS_THE_VM ? {} : { before }) });
    assert.equal(await instance.client.find(resources.virtualMachines, key), undefined);
  });

  test('a VM whose launcher crashes is started again, later each time', async () => {
    const key = { namespace: 'default', name: 'crashes' };
    const annotations = { 'kubevirt.io/func-test-virt-launcher-fail-fast': '' };
    await instance.client.create(resources.virtualMachines, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: key,
      spec: {
        runStrategy: 'Always',
        template: { metadata: { annotations }, spec: { domain: { devices: {}, memory: { guest: '64Mi' } } } },
      },
    });
    const failed = (times: number) =>
      eventually(`failure ${times}`, 120_000, async () => {
        const { status } = await instance.client.get(resources.virtualMachines, key);
        const { consecutiveFailCount = 0, retryAfterTimestamp = '' } = status?.startFailure ?? {};
        if (consecutiveFailCount !== times || status?.printableStatus !== 'CrashLoopBackOff')
          return undefined;
        return Date.parse(retryAfterTimestamp) - Date.now();
      });
    const first = await failed(1);
    const second = await failed(2);
    assert.ok(second > first && second > 25_000, `${first} ms, then ${second} ms`);
    await instance.client.delete(resources.virtualMachines, key);
    await eventually('the VM is gone', 60_000, async () =>
      (await instance.client.find(resources.virtualMachines, key)) === undefined ? true : undefined,
    );
  });

  test('down keeps the data; the state of a backup that was taken while all ran is put back, and up brings the VM', async (t) => {
    if (needsEmbedded(t, 'podvisor backup')) return;
    const file = `${instance.home}/home.tar.gz`;
    const taken = await instance.podvisor(['backup', file]);
    assert.equal(taken.code, 0, taken.stderr);
    await instance.kubectl('create', 'configmap', 'after-the-backup');
    assert.match((await instance.podvisor(['restore', file])).stderr, /is up: `podvisor down` first/);
    const down = await instance.podvisor(['down']);
    assert.equal(down.code, 0, down.stdout + down.stderr);
    assert.deepEqual(tracesOf(instance.home, instance.name).processes, []);
    assert.deepEqual(tracesOf(instance.home, instance.name).namespaces, []);
    assert.equal((await instance.podvisor(['status'])).code, 1);
    const restored = await instance.podvisor(['restore', file, '--replace']);
    assert.equal(restored.code, 0, restored.stderr);
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    await running();
    assert.notEqual((await instance.kubectl('get', 'configmap', 'after-the-backup')).code, 0);
  });

  test('kubectl delete vm leaves nothing', async () => {
    const { code, stderr } = await instance.kubectl('delete', 'vm', 'hello', '--timeout=60s');
    assert.equal(code, 0, stderr);
    await noLaunchers();
    assert.equal(await vmi(), undefined);
  });

  test('down --purge leaves the host as it was', async (t) => {
    if (needsEmbedded(t, 'podvisor down')) return;
    const { name } = instance;
    const { code, stdout, stderr } = await instance.podvisor(['down', '--purge']);
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(tracesOf(instance.home, name), NOTHING);
  });
});

/** Debian's kubectl, unpacked beside the build; undefined when there is no way to get it. */
async function oldKubectl(): Promise<string | undefined> {
  const dir = `${root}/build/kubectl-1.20`;
  const { code } = await command(
    'sh',
    [
      '-c',
      `[ -x ${dir}/usr/bin/kubectl ] || { mkdir -p ${dir} && cd ${dir} && apt-get -q download -o APT::Sandbox::User=root kubernetes-client && dpkg-deb -x kubernetes-client*.deb . && rm -f *.deb; }`,
    ],
    process.env,
  );
  return code === 0 ? `${dir}/usr/bin/kubectl` : undefined;
}
