/**
 * An installation on a cluster that has nothing of KubeVirt's: a bare home of two nodes, the manifests of deploy/, a
 * guest that boots, is logged into and exposed, the web page on demand, a claim that is plugged into it, a live
 * migration, changes and another version that roll through, one that cannot, CDI of somebody else, another CA under load,
 * and an end that leaves nothing. The tests build on each other, with one guest that notices none of it.
 */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { connect } from 'node:tls';
import type { Pod } from '@podvisor/api';
import { createCa, resources } from '@podvisor/kube';
import { PUBLISHED_MS } from '../../packages/virt-operator/src/certificates/plan.ts';
import { CdiStandIn } from '../support/cdi-stand-in.ts';
import { ConstantQuestions } from '../support/constant-questions.ts';
import { claimWith, writeDisk } from '../support/disk-claim.ts';
import { eventually } from '../support/eventually.ts';
import { CountingConsole } from '../support/guests/counting-console.ts';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { GuestPage } from '../support/guests/guest-page.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { Conversation, Instance, root } from '../support/instance.ts';
import { podProcess } from '../support/pod-processes.ts';

describe('an installation on a cluster', { concurrency: 1 }, () => {
  let instance: Instance;
  const key = { namespace: 'kubevirt', name: 'kubevirt' };
  const names = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await instance.kubectl('get', ...args, '-o', 'name', '--ignore-not-found');
    return stdout.split('\n').filter((line) => line !== '');
  };
  const kubevirt = () => instance.client.get(resources.kubeVirts, key);
  /** Everything that the cluster had before: an end leaves exactly that. */
  const everything = async (): Promise<readonly string[]> => {
    const kinds = [
      'namespaces,customresourcedefinitions,clusterroles,clusterrolebindings,apiservices,priorityclasses',
      'validatingwebhookconfigurations,mutatingwebhookconfigurations',
      'validatingadmissionpolicies,validatingadmissionpolicybindings',
    ];
    const roles = await names('roles,rolebindings', '-n', 'kube-system');
    const labels = await instance.kubectl('get', 'nodes', '-o', 'jsonpath={.items[*].metadata.labels}');
    return [...(await names(kinds.join(','))), ...roles, labels.stdout].toSorted();
  };
  /** Where disks out of containers are mounted on the node. */
  const shownDisks = (): readonly string[] => {
    const points = readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .flatMap((line) => line.split(' ')[4] ?? [])
      .filter((path) => path.startsWith(instance.home) && /\/container-disks\/./.test(path));
    return [...new Set(points)];
  };
  /** A component's Pods. */
  const podsOf = async (component: string): Promise<readonly Pod[]> => {
    const labelSelector = `kubevirt.io=${component}`;
    const { items } = await instance.client.list(resources.pods, { namespace: 'kubevirt', labelSelector });
    const pods = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    assert.ok(pods.length > 0, component);
    return pods;
  };
  const addressesOf = async (component: string): Promise<readonly string[]> =>
    (await podsOf(component)).map(({ status }) => status?.podIP ?? '');
  const addressOf = async (component: string): Promise<string> => (await addressesOf(component))[0] ?? '';
  /** A file as each process of a component sees it. */
  const filesIn = async (component: string, path: string): Promise<readonly string[]> =>
    (await podsOf(component)).map(({ metadata }) => {
      const { pid } = podProcess(metadata.uid ?? '', new RegExp(`/${component}\\.mjs`));
      return readFileSync(`/proc/${pid}/root/${path}`, 'utf8');
    });
  /** The certificate that somebody shows who connects there. */
  const shownBy = async (host: string, port: number): Promise<Buffer> => {
    const socket = connect({ host, port, rejectUnauthorized: false });
    try {
      await once(socket, 'secureConnect');
      return socket.getPeerCertificate().raw;
    } finally {
      socket.destroy();
    }
  };
  let bare: readonly string[];
  let guest: GuestPage;
  let bootId: string;
  /** What answers behind the guest's Service, at its port of each node. */
  const behindService = async (): Promise<ReadonlySet<string>> => {
    const { stdout: port } = await instance.kubectl(
      ...['get', 'service', 'hello', '-o', 'jsonpath={.spec.ports[0].nodePort}'],
    );
    const { items } = await instance.client.list(resources.nodes, {});
    assert.equal(items.length, 2);
    const pages = items.map(async ({ status }) => {
      const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
      const signal = AbortSignal.timeout(2_000);
      return (await fetch(`http://${address}:${port}/`, { signal })).text();
    });
    return new Set(await Promise.all(pages));
  };

  before(async () => {
    instance = await Instance.prepare();
    const { code, stdout, stderr } = await instance.up('--bare', '--nodes', '2');
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /READY after .*podvisor cluster install/);
    bare = await everything();
  });
  after(() => instance?.purge());

  test('a bare home has no kind and no Pod of KubeVirt’s', async () => {
    assert.deepEqual(
      bare.filter((name) => name.includes('kubevirt.io')),
      [],
    );
    assert.deepEqual(await names('pods', '-A'), []);
    const { code, stdout } = await instance.podvisor(['cluster', 'doctor']);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /PASS +kubevirt.io +nothing is installed yet/);
  });

  test('two manifests bring everything up, and the status says so', async () => {
    for (const file of ['operator.yaml', 'kubevirt.yaml']) {
      const args = ['apply', '--server-side', '-f', `${root}/deploy/${file}`];
      const applied = await instance.kubectl(...args);
      // The definition of KubeVirt is served a moment after it was made.
      if (applied.code !== 0)
        await instance.kubectl('wait', '--for=condition=established', 'crd/kubevirts.kubevirt.io');
      const again = applied.code === 0 ? applied : await instance.kubectl(...args);
      assert.equal(again.code, 0, again.stderr);
    }
    const { code, stdout, stderr } = await instance.podvisor(
      ['cluster', 'install', '--timeout', '120'],
      130_000,
    );
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    const { metadata, status } = await kubevirt();
    assert.equal(status?.phase, 'Deployed');
    assert.equal(status?.observedGeneration, metadata?.generation);
    assert.equal(status?.observedKubeVirtRegistry, 'podvisor.local');
    const told = await instance.podvisor(['cluster', 'status']);
    assert.equal(told.code, 0, told.stdout);
    assert.match(told.stdout, /virt-handler +2 of 2 ready/);
  });

  test('hello boots from a disk that a container holds, and its console answers', async () => {
    // This machine may have no KVM. Without image volumes, as on nodes with an older runtime.
    const developerConfiguration = { useEmulation: true, disabledFeatureGates: ['ImageVolume'] };
    const body = { spec: { configuration: { developerConfiguration } } };
    await instance.client.patch(resources.kubeVirts, key, { type: 'merge', body });
    guest = await GuestPage.up(instance, 'hello');
    bootId = await guest.page();
    const console_ = new Conversation(`${root}/bin/virtctl`, ['console', 'hello'], instance.env);
    try {
      console_.say('\n');
      await console_.hear(/login:/, 60_000);
    } finally {
      console_.end();
    }
    const [launcher] = (
      await instance.client.list(resources.pods, { labelSelector: 'kubevirt.io=virt-launcher' })
    ).items;
    assert.deepEqual(
      launcher?.spec.containers.map(({ name }) => name),
      ['compute', 'volumeroot'],
    );
    assert.equal(shownDisks().length, 1);
    // What virt-handler's Pod has asked QEMU came to the launcher with a device.
    const log = await instance.kubectl('logs', launcher?.metadata.name ?? '', '-c', 'compute');
    assert.equal(log.code, 0, log.stderr);
    assert.doesNotMatch(log.stdout, /no warm capabilities cache/);
  });

  test('a Service of virtctl expose leads to the guest, at a port of every node', async () => {
    const args = ['vm', 'hello', '--port', '80', '--name', 'hello', '--type', 'NodePort'];
    const { code, stderr } = await instance.virtctl('expose', ...args);
    assert.equal(code, 0, stderr);
    const answers = await eventually('the Service answers', 30_000, behindService);
    assert.deepEqual(answers, new Set([bootId]));
  });

  test('the web page comes with its gate, has the rights of whoever logs in, and goes with it', async () => {
    const gates = (...featureGates: string[]) => {
      const body = { spec: { configuration: { developerConfiguration: { featureGates } } } };
      return instance.client.patch(resources.kubeVirts, key, { type: 'merge', body });
    };
    await gates('WebPage');
    const host = await eventually('the page is ready', 60_000, async () => {
      const pods = await instance.kubectl('get', 'pods', '-n', 'kubevirt', '-l', 'kubevirt.io=virt-ui');
      return / 1\/1 /.test(pods.stdout) ? addressOf('virt-ui') : undefined;
    });
    const ask = async (
      method: string,
      path: string,
      headers: Readonly<Record<string, string>> = {},
      body = '',
    ): Promise<{ readonly code: number; readonly words: string; readonly cookie: string }> => {
      const options = { host, port: 8443, rejectUnauthorized: false, agent: false, method, path };
      const asked = request({ ...options, headers: { host: 'page.example', ...headers } }).end(body);
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      return { code: response.statusCode ?? 0, words: await text(response), cookie };
    };
    assert.match((await ask('GET', '/')).words, /<title>Podvisor/);
    const pods = '/k8s/api/v1/namespaces/default/pods';
    assert.equal((await ask('GET', pods)).code, 401);
    assert.equal((await ask('POST', '/session', {}, 'made-up')).code, 401);
    const token = async (account: string, namespace: string): Promise<string> =>
      (await instance.kubectl('create', 'token', account, '-n', namespace)).stdout.trim();
    const [nobody, operator] = [
      await token('default', 'default'),
      await token('kubevirt-operator', 'kubevirt'),
    ];
    const session = await ask('POST', '/session', { origin: 'https://page.example' }, nobody);
    assert.equal(session.code, 200, session.words);
    assert.match(session.words, /"user":"system:serviceaccount:default:default"/);
    const refused = await ask('GET', pods, { cookie: session.cookie });
    assert.equal(refused.code, 403);
    assert.match(refused.words, /system:serviceaccount:default:default/);
    const { cookie } = await ask('POST', '/session', {}, operator);
    const nodes = '/k8s/api/v1/nodes';
    assert.equal((await ask('GET', nodes, { cookie })).code, 200);
    for (const [name, value] of [
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'cross-site'],
    ] as const)
      assert.match((await ask('GET', nodes, { cookie, [name]: value })).words, /of other sites/);
    assert.equal(
      (await ask('GET', nodes, { cookie, host: 'other.example' })).code,
      401,
      'one host, one session',
    );
    await assert.rejects(filesIn('virt-ui', 'var/run/secrets/kubernetes.io/serviceaccount/token'), /ENOENT/);
    const log = await instance.kubectl('logs', '-n', 'kubevirt', '-l', 'kubevirt.io=virt-ui');
    assert.match(log.stdout + log.stderr, /listening/);
    for (const secret of [nobody, operator, cookie.split('=')[1] ?? ''])
      assert.ok(!`${log.stdout}${log.stderr}`.includes(secret));
    await gates();
    await eventually(
      'the page is gone',
      30_000,
      async () =>
        (await names('deployment,service,secret', '-n', 'kubevirt', '-l', 'kubevirt.io=virt-ui')).length ===
        0,
    );
  });

  /** Plugs the claim in, or takes it out. */
  const plug = async (verb: 'addvolume' | 'removevolume'): Promise<void> => {
    const { code, stderr } = await instance.virtctl(verb, 'hello', '--volume-name=extra');
    assert.equal(code, 0, stderr);
    const wanted = verb === 'addvolume' ? 'Ready' : undefined;
    await eventually(`${verb}: the guest has it so`, 60_000, async () => {
      const { volumeStatus = [] } = (await guest.vmi()).status ?? {};
      return volumeStatus.find(({ name }) => name === 'extra')?.phase === wanted ? true : undefined;
    });
  };

  test('a claim is plugged into the guest and taken out again', async () => {
    await claimWith(instance, 'extra', (directory) => writeDisk(directory, Buffer.alloc(1 << 20)));
    await plug('addvolume');
    await plug('removevolume');
  });

  test('the guest moves to the other node, and its Service finds it there', async () => {
    const from = (await guest.vmi()).status?.nodeName;
    const { code, stderr } = await instance.virtctl('migrate', 'hello');
    assert.equal(code, 0, stderr);
    const { status } = await eventually('the guest is on the other node', 120_000, async () => {
      const vmi = await guest.vmi();
      const { completed, failed } = vmi.status?.migrationState ?? {};
      assert.notEqual(failed, true, JSON.stringify(vmi.status?.migrationState));
      // The source says that it is done; a moment later the target says that it has the guest.
      return completed === true && vmi.status?.nodeName !== from ? vmi : undefined;
    });
    assert.equal(status?.phase, 'Running');
    assert.equal(await guest.page(), bootId);
    await eventually('the Service leads there', 30_000, async () => {
      assert.deepEqual(await behindService(), new Set([bootId]));
      return true;
    });
    await eventually('the launcher that it left is gone', 60_000, async () =>
      shownDisks().length === 1 ? true : undefined,
    );
  });

  test('a second KubeVirt object is told so, and the first goes on', async () => {
    const second = {
      ...(await kubevirt()),
      metadata: { name: 'second', namespace: 'kubevirt' },
      status: undefined,
    };
    const refused = await instance.client.create(resources.kubeVirts, second).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    assert.match(refused ?? '', /already created/i);
  });

  test('flags of a component roll through, and every generation is observed', async () => {
    const body = {
      spec: { customizeComponents: { flags: { controller: { 'runtime-default-seccomp': '' } } } },
    };
    await instance.client.patch(resources.kubeVirts, key, { type: 'merge', body });
    await eventually('virt-controller of the new settings', 60_000, async () => {
      const { metadata, status } = await kubevirt();
      const { stdout } = await instance.kubectl(
        'get',
        'pods',
        '-n',
        'kubevirt',
        '-l',
        'kubevirt.io=virt-controller',
        '-o',
        'jsonpath={.items[*].spec.containers[0].args}',
      );
      return (
        stdout.includes('--runtime-default-seccomp') &&
        status?.observedGeneration === metadata?.generation &&
        status?.observedDeploymentID === status?.targetDeploymentID &&
        status?.conditions?.some(({ type, status: is }) => type === 'Progressing' && is === 'False')
      );
    });
    const vmi = await instance.client.get(resources.virtualMachineInstances, {
      namespace: 'default',
      name: 'hello',
    });
    assert.equal(vmi.status?.phase, 'Running');
  });

  test('another version is rolled out, the guest stays where it is, and its console loses nothing', async () => {
    const launchers = async (): Promise<readonly (string | undefined)[]> =>
      (await instance.client.list(resources.pods, { labelSelector: 'kubevirt.io=virt-launcher' })).items
        .filter(({ status }) => status?.phase === 'Running')
        .map(({ metadata }) => metadata.uid);
    const before = await launchers();
    const tag = 'embedded-2';
    await using console_ = await CountingConsole.start(instance, 'hello');
    // Without a method nobody takes the guest to a new launcher.
    const body = { spec: { imageTag: tag, workloadUpdateStrategy: { workloadUpdateMethods: [] } } };
    await instance.client.patch(resources.kubeVirts, key, { type: 'merge', body });
    await eventually('all components of the other version', 120_000, async () => {
      const { status } = await kubevirt();
      const isDone = status?.conditions?.some(
        ({ type, status: is }) => type === 'Progressing' && is === 'False',
      );
      return isDone === true && status?.observedKubeVirtVersion === tag ? true : undefined;
    });
    const { items } = await instance.client.list(resources.pods, { namespace: 'kubevirt' });
    const running = items.filter(
      ({ metadata: { labels, deletionTimestamp } }) =>
        labels?.['kubevirt.io'] !== 'virt-operator' && deletionTimestamp === undefined,
    );
    assert.ok(running.length >= 3);
    for (const { spec } of running) assert.match(spec.containers[0]?.image ?? '', new RegExp(`:${tag}$`));
    assert.deepEqual(await launchers(), before);
    assert.equal(await guest.page(), bootId);
    await console_.reachesAnother(20);
    const { missing, returns } = console_.counts();
    assert.ok(returns > 0, 'the connection was lost, and came back');
    assert.deepEqual(missing, []);
  });

  test('an update whose image cannot be pulled stops and says where, the old version goes on, and back works', async () => {
    const running = async (...components: readonly string[]): Promise<readonly string[]> => {
      const pods = await Promise.all(components.map(podsOf));
      return pods.flat().map(({ metadata, spec }) => `${metadata.uid} ${spec.containers[0]?.image}`);
    };
    const untouched = await running('virt-api', 'virt-controller');
    const { imageTag = '' } = (await kubevirt()).spec;
    const setTag = (tag: string) =>
      instance.client.patch(resources.kubeVirts, key, { type: 'merge', body: { spec: { imageTag: tag } } });
    await setTag('never-built');
    const told = await eventually('it says why it stopped', 120_000, async () => {
      const { conditions = [] } = (await kubevirt()).status ?? {};
      const { message = '' } = conditions.find(({ type }) => type === 'Progressing') ?? {};
      return /virt-handler.*never-built.*(ErrImagePull|ImagePullBackOff)/.test(message) ? message : undefined;
    });
    assert.match(told, /check spec.imageRegistry, spec.imageTag/);
    const { status } = await kubevirt();
    assert.equal(status?.observedKubeVirtVersion, imageTag);
    assert.equal(status?.targetKubeVirtVersion, 'never-built');
    const asked = await instance.podvisor(['cluster', 'status']);
    assert.match(asked.stdout + asked.stderr, /never-built.*(ErrImagePull|ImagePullBackOff)/);
    const events = await instance.kubectl('get', 'events', '-n', 'kubevirt', '-o', 'wide');
    assert.match(events.stdout, /ComponentNotReady.*never-built/);
    // One node at a time: the other still has its virt-handler.
    const handlers = (await podsOf('virt-handler')).filter(({ spec }) =>
      spec.containers[0]?.image?.endsWith(`:${imageTag}`),
    );
    assert.equal(handlers.length, 1);
    assert.deepEqual(await running('virt-api', 'virt-controller'), untouched);
    assert.equal(await guest.page(), bootId);
    await setTag(imageTag);
    await eventually('the old version everywhere', 120_000, async () => {
      const { conditions = [] } = (await kubevirt()).status ?? {};
      const isDone = conditions.some(({ type, status: is }) => type === 'Progressing' && is === 'False');
      return isDone && (await podsOf('virt-handler')).length === 2 ? true : undefined;
    });
    assert.deepEqual(await running('virt-api', 'virt-controller'), untouched);
    assert.equal(await guest.page(), bootId);
  });

  let cdi: CdiStandIn;
  let kindsOfCdi: readonly string[];

  test('where CDI is, it alone fills the DataVolumes of VMs, also when ours were asked for', async () => {
    const { developerConfiguration = {} } = (await kubevirt()).spec.configuration ?? {};
    const gates = (featureGates: readonly string[]) => {
      const body = { spec: { configuration: { developerConfiguration: { featureGates } } } };
      return instance.client.patch(resources.kubeVirts, key, { type: 'merge', body });
    };
    cdi = await CdiStandIn.install(instance);
    kindsOfCdi = await cdi.kinds();
    await gates(['DataVolumes']);
    await eventually('ours are not installed', 30_000, async () => {
      const { conditions = [] } = (await kubevirt()).status ?? {};
      return (
        conditions.find(({ type }) => type === 'DataVolumes')?.reason === 'ProvidedByOthers' || undefined
      );
    });
    const vm = bootIdVm('filled');
    const { template } = vm.spec;
    const devices = template.spec?.domain.devices;
    const spec = { source: { http: { url: 'https://cdi.invalid/disk' } }, storage: {} };
    const name = 'filled-data';
    await instance.client.create(resources.virtualMachines, {
      ...vm,
      spec: {
        ...vm.spec,
        dataVolumeTemplates: [{ metadata: { name }, spec }],
        template: {
          ...template,
          spec: {
            ...template.spec,
            domain: {
              ...template.spec?.domain,
              devices: { ...devices, disks: [...(devices?.disks ?? []), { name, disk: { bus: 'virtio' } }] },
            },
            volumes: [...(template.spec?.volumes ?? []), { name, dataVolume: { name } }],
          },
        },
      },
    });
    const image = Buffer.alloc(1 << 20);
    image.write('by CDI');
    const { metadata } = await cdi.fill(name, image);
    assert.equal(metadata?.ownerReferences?.[0]?.name, 'filled');
    const shell = await eventually('a console', 180_000, () => GuestShell.open(instance, 'filled'));
    // After the root disk and that of cloud-init.
    assert.equal(await shell.run('head -c 6 /dev/vdc'), 'by CDI');
    await shell.close();
    assert.deepEqual(await names('deployment', '-n', 'kubevirt', 'virt-data-volumes'), []);
    await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'filled' });
    await eventually('its DataVolume and claim go with the VM', 90_000, async () =>
      (await names('datavolume,pvc', name)).length === 0 ? true : undefined,
    );
    await gates(developerConfiguration.featureGates ?? []);
  });

  test('another CA signs all certificates, and nobody who asks meanwhile is refused', async () => {
    const authority = { namespace: 'kubevirt', name: 'kubevirt-ca' };
    // Old enough to sign as soon as it is there as a successor; that everybody knows it is seen to here.
    const now = Date.now() - PUBLISHED_MS;
    const next = createCa({ commonName: 'kubevirt.io', validForMs: 7 * 86_400_000, now });
    const isSigned = (certificate: string | Buffer): boolean =>
      new X509Certificate(certificate).verify(new X509Certificate(next.certificate).publicKey);
    // A kubelet brings changed Secrets and ConfigMaps once a minute, and at once to a Pod that has changed itself.
    const wakeKubelet = () =>
      instance.kubectl(...'annotate pods -n kubevirt --all --overwrite'.split(' '), `at=${Date.now()}`);
    const questions = new ConstantQuestions(instance, 'hello');
    try {
      const bundle = (await instance.client.get(resources.configMaps, authority)).data?.['ca-bundle'] ?? '';
      const published = { data: { 'ca-bundle': `${bundle}${next.certificate}` } };
      await instance.client.patch(resources.configMaps, authority, { type: 'merge', body: published });
      await eventually('virt-api and virt-handler know the new CA', 60_000, async () => {
        await wakeKubelet();
        const known = [
          ...(await filesIn('virt-api', 'etc/podvisor/tls/ca.crt')),
          ...(await filesIn('virt-handler', 'run/podvisor-tls/ca.crt')),
        ];
        return known.every((text_) => text_.includes(next.certificate.trim())) ? true : undefined;
      });
      // Ten minutes are between the two elsewhere; what the file says the process must have read.
      const authorities = published.data['ca-bundle'].split('BEGIN CERTIFICATE').length - 1;
      await eventually('every virt-api has read it', 60_000, async () => {
        const logs = (await podsOf('virt-api')).map(async ({ metadata }) => {
          const { stdout } = await instance.kubectl('logs', '-n', 'kubevirt', metadata.name ?? '');
          return stdout;
        });
        return (await Promise.all(logs)).every((log) => log.includes(`"authorities":${authorities},`));
      });
      const successor = { stringData: { 'next.crt': next.certificate, 'next.key': next.key } };
      await instance.client.patch(resources.secrets, authority, { type: 'merge', body: successor });
      await plug('addvolume');
      await eventually('virt-api and virt-handler show certificates of the new CA', 60_000, async () => {
        await wakeKubelet();
        const [apis, handlers] = await Promise.all([addressesOf('virt-api'), addressesOf('virt-handler')]);
        const shown = await Promise.all([
          ...apis.map((address) => shownBy(address, 8443)),
          ...handlers.map((address) => shownBy(address, 8186)),
        ]);
        return shown.every(isSigned) ? true : undefined;
      });
      await plug('removevolume');
    } finally {
      await questions.stop();
    }
    assert.deepEqual(questions.failures, []);
    assert.ok(questions.answered > 20, `${questions.answered} answers`);
    assert.equal(await guest.page(), bootId);
  });

  test('metrics of virt-operator are for those who may read them', async () => {
    const address = await addressOf('virt-operator');
    const token = (
      await instance.kubectl('create', 'token', 'kubevirt-operator', '-n', 'kubevirt')
    ).stdout.trim();
    const get = async (
      path: string,
      headers: Record<string, string> = {},
    ): Promise<readonly [number, string]> => {
      const [response] = (await once(
        request({ host: address, port: 8443, path, headers, rejectUnauthorized: false, agent: false }).end(),
        'response',
      )) as [IncomingMessage];
      return [response.statusCode ?? 0, await text(response)];
    };
    assert.match((await get('/healthz'))[1], /config-resource-version/);
    assert.equal((await get('/metrics'))[0], 401);
    assert.equal((await get('/metrics', { authorization: `Bearer ${token}` }))[0], 403);
    assert.deepEqual(await names('pods', '-n', 'kubevirt', '--field-selector=status.phase!=Running'), []);
  });

  test('a raised verbosity is seen in virt-operator, and goes back', async () => {
    const debugLines = async (): Promise<number> => {
      const logs = (await podsOf('virt-operator')).map(async ({ metadata }) => {
        const { stdout } = await instance.kubectl('logs', '-n', 'kubevirt', metadata.name ?? '');
        return stdout.split('\n').filter((line) => line.includes('"level":20')).length;
      });
      return (await Promise.all(logs)).reduce((sum, count) => sum + count, 0);
    };
    assert.equal(await debugLines(), 0);
    const { code, stderr } = await instance.virtctl('adm', 'log-verbosity', '--virt-operator', '4');
    assert.equal(code, 0, stderr);
    await eventually('virt-operator tells of every reconcile', 30_000, async () =>
      (await debugLines()) > 0 ? true : undefined,
    );
    assert.equal((await instance.virtctl('adm', 'log-verbosity', '--reset')).code, 0);
  });

  test('a certificate that is lost comes back, and virt-api goes on answering', async () => {
    await instance.kubectl('delete', 'secret', '-n', 'kubevirt', 'kubevirt-virt-api-certs');
    await eventually(
      'the Secret again',
      20_000,
      async () => (await names('secret', '-n', 'kubevirt', 'kubevirt-virt-api-certs')).length === 1,
    );
    const { code, stderr } = await instance.virtctl('guestosinfo', 'hello');
    assert.ok(code === 0 || !/certificate|x509|TLS/i.test(stderr), stderr);
  });

  test('as long as a guest is there, its installation is not removed where that is forbidden', async () => {
    const strategy = (uninstallStrategy: string) =>
      instance.client.patch(resources.kubeVirts, key, {
        type: 'merge',
        body: { spec: { uninstallStrategy } },
      });
    await strategy('BlockUninstallIfWorkloadsExist');
    const { code, stderr } = await instance.kubectl(
      'delete',
      'kubevirt',
      '-n',
      'kubevirt',
      'kubevirt',
      '--wait=false',
    );
    assert.notEqual(code, 0);
    assert.match(stderr, /BlockUninstallIfWorkloadsExist|there are still/i);
    const { status } = await instance.client.get(resources.virtualMachineInstances, {
      namespace: 'default',
      name: 'hello',
    });
    assert.equal(status?.phase, 'Running');
    await strategy('RemoveWorkloads');
  });

  test('uninstalling ends the guest and leaves nothing', async () => {
    const { code, stdout, stderr } = await instance.podvisor(
      ['cluster', 'uninstall', '--timeout', '150'],
      160_000,
    );
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /UNINSTALLED after/);
    assert.deepEqual(await cdi.kinds(), kindsOfCdi, 'what CDI installed is none of ours');
    await cdi.remove();
    assert.deepEqual(await everything(), bare);
    assert.deepEqual(await names('pods', '-A'), []);
    assert.deepEqual(shownDisks(), []);
  });
});
