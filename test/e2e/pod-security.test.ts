/**
 * What a tenant with `edit` in one namespace tries with Pods, VMs, Services and claims, on a real home: to be root of
 * the node, to read its files, to take other people's addresses and its disk. One home for all.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { KubernetesObject, Pod, PodSpec, VirtualMachineInstance } from '@podvisor/api';
import { isStatus, messageOf } from '@podvisor/base';
import { defineResource, KubeClient, loadKubeconfig, resources } from '@podvisor/kube';
import { EMBEDDED_LAUNCHER_IMAGE, idOnNode } from '@podvisor/sys';
import { eventually } from '../support/eventually.ts';
import { command, type CommandResult, Instance } from '../support/instance.ts';
import { busybox, importImage } from '../support/plain-image.ts';
import { podProcess } from '../support/pod-processes.ts';

type Any = KubernetesObject & Readonly<Record<string, unknown>>;
const NAMESPACE = 'tenant';
const IMAGE = 'podvisor.local/busybox:1';
/** busybox, and in place of a disk a link out of the image. */
const TRAP = 'podvisor.local/trap:1';
const SECRET = 'a secret of the node';
const ALLOWED = '192.0.2.0/24';
const services = defineResource<Any>('Service', 'services', 'v1');
const slices = defineResource<Any>('EndpointSlice', 'endpointslices', 'discovery.k8s.io/v1');
const deployments = defineResource<Any>('Deployment', 'deployments', 'apps/v1');
const events = defineResource<
  Any & { readonly involvedObject: { readonly name: string }; readonly message?: string }
>('Event', 'events', 'v1');

/** What `restricted` asks of a Pod. */
const HARDENED: Partial<PodSpec> = {
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 1000,
    fsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};
const CONFINED = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };

describe('what a tenant tries with Pods', { concurrency: 1 }, () => {
  let instance: Instance;
  let tenant: KubeClient;
  let secrets: string;

  const asTenant = (...args: string[]): Promise<CommandResult> =>
    instance.kubectl('--as', `system:serviceaccount:${NAMESPACE}:eve`, '-n', NAMESPACE, ...args);
  const pod = (name: string, script: string, spec: Partial<PodSpec> = {}, more: object = {}): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 0,
      ...HARDENED,
      ...spec,
      containers: [
        { name: 'main', image: IMAGE, command: ['sh', '-c', script], securityContext: CONFINED, ...more },
      ],
    },
  });
  const refused = async (work: Promise<unknown>, pattern: RegExp): Promise<void> => {
    await assert.rejects(work, (error) => {
      assert.ok(isStatus(error, 'Forbidden'), messageOf(error));
      assert.match(messageOf(error), pattern);
      return true;
    });
  };
  const ended = (name: string): Promise<Pod> =>
    eventually(`${name} ends`, 60_000, async () => {
      const found = await tenant.get(resources.pods, { namespace: NAMESPACE, name });
      return found.status?.phase === 'Failed' || found.status?.phase === 'Succeeded' ? found : undefined;
    });
  const logsOf = async (name: string): Promise<string> => (await asTenant('logs', name)).stdout;
  const claim = (name: string, storage: string): Promise<unknown> =>
    tenant.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: NAMESPACE },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    });
  const vmi = (name: string, volume: object, firmware: object = {}): VirtualMachineInstance => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      terminationGracePeriodSeconds: 0,
      domain: {
        memory: { guest: '64Mi' },
        ...firmware,
        devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }], autoattachPodInterface: false },
      },
      volumes: [{ name: 'root', ...volume }],
    },
  });
  /** The VMI never runs, and says why. */
  const saysWhy = async (name: string, pattern: RegExp): Promise<void> => {
    const key = { namespace: NAMESPACE, name };
    const told = await eventually(`${name} says why it does not run`, 60_000, async () => {
      const { status } = await tenant.get(resources.virtualMachineInstances, key);
      assert.notEqual(status?.phase, 'Running');
      const text = (status?.conditions ?? []).map(({ message = '' }) => message).join(' ');
      // Of this VMI and of its Pods, whose names have the VMI's.
      const { items } = await tenant.list(events, { namespace: NAMESPACE });
      const stdout = items
        .filter(({ involvedObject }) =>
          new RegExp(`^(virt-launcher-)?${name}(-|$)`).test(involvedObject.name),
        )
        .map(({ message = '' }) => message)
        .join(' ');
      return pattern.test(text) || pattern.test(stdout) ? `${text} ${stdout}` : undefined;
    });
    assert.doesNotMatch(told, new RegExp(SECRET));
    await tenant.delete(resources.virtualMachineInstances, key);
  };

  before(async () => {
    instance = await Instance.prepare();
    writeFileSync(
      `${instance.home}/admission.yaml`,
      `kind: AdmissionConfiguration\nplugins: [{name: DenyServiceExternalIPs, configuration: {allowedCIDRs: [${ALLOWED}]}}]\n`,
    );
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    await importImage(instance, IMAGE, busybox);
    await importImage(instance, TRAP, (directory) => {
      mkdirSync(`${directory}/disk`);
      symlinkSync('/etc/passwd', `${directory}/disk/link`);
    });
    for (const args of [
      ['create', 'namespace', NAMESPACE],
      ['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted'],
      ['-n', NAMESPACE, 'create', 'serviceaccount', 'eve'],
      [
        '-n',
        NAMESPACE,
        'create',
        'rolebinding',
        'eve',
        '--clusterrole=edit',
        `--serviceaccount=${NAMESPACE}:eve`,
      ],
    ])
      assert.equal((await instance.kubectl(...args)).code, 0, args.join(' '));
    const { stdout: token } = await instance.kubectl('-n', NAMESPACE, 'create', 'token', 'eve');
    const { server, ca } = loadKubeconfig(`${instance.home}/kubeconfig`);
    tenant = KubeClient.fromAccess({ server, ca, token: token.trim() }, 'eve');
    // After the start: what a list of things to hide would not know of.
    secrets = mkdtempSync('/etc/podvisor-test-');
    chmodSync(secrets, 0o755);
    mkdirSync(`${secrets}/a/b/c/d`, { recursive: true, mode: 0o755 });
    for (const path of ['secret', 'a/b/c/d/secret'])
      writeFileSync(`${secrets}/${path}`, SECRET, { mode: 0o600 });
  });
  after(async () => {
    if (secrets !== undefined) rmSync(secrets, { recursive: true });
    await instance?.purge();
  });

  test('a privileged Pod with the host in it is refused under enforce=restricted', async () => {
    const host: Partial<PodSpec> = { hostPID: true, volumes: [{ name: 'host', hostPath: { path: '/' } }] };
    await refused(
      tenant.create(resources.pods, pod('root', 'true', host, { securityContext: { privileged: true } })),
      /violates PodSecurity "restricted:latest": host namespaces \(hostPID=true\), privileged \(container "main" must not set securityContext\.privileged=true\)/,
    );
    const made = await tenant.create(resources.pods, pod('good', 'id -u'));
    assert.equal((await ended(made.metadata.name ?? '')).status?.phase, 'Succeeded');
    assert.equal((await logsOf('good')).trim(), '1000');
  });

  test('a VM runs in a restricted namespace, and its Pod shows its owner nothing of the node', async () => {
    const key = { namespace: NAMESPACE, name: 'guest' };
    await tenant.create(resources.virtualMachineInstances, vmi('guest', { emptyDisk: { capacity: '1Mi' } }));
    await eventually('the guest runs', 90_000, async () => {
      const { status } = await tenant.get(resources.virtualMachineInstances, key);
      assert.equal(status?.phase, 'Running', JSON.stringify(status?.conditions));
      return true;
    });
    const { items } = await tenant.list(resources.pods, {
      namespace: NAMESPACE,
      labelSelector: 'kubevirt.io=virt-launcher',
    });
    const script = `cat ${secrets}/secret ${secrets}/a/b/c/d/secret /etc/shadow; ls -d /etc/* /home/* /root ${secrets}`;
    const name = items[0]?.metadata.name ?? '';
    const { stdout } = await asTenant('exec', name, '-c', 'compute', '--', 'sh', '-c', script);
    assert.doesNotMatch(stdout, new RegExp(`${SECRET}|shadow|sudoers|podvisor-test|/etc/ssh`));
    assert.match(stdout, /\/etc\/passwd/);
    // In its Pod QEMU is 107; on the node it is somebody that no other Pod has.
    const { pid } = podProcess(items[0]?.metadata.uid ?? '', /qemu-system.* -name /);
    const user = Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    assert.ok(user >= 0x7000_0000, `QEMU is user ${user} of the node`);
    assert.equal(user, idOnNode(pid, 107));
    await tenant.delete(resources.virtualMachineInstances, key);
  });

  test('the embedded image is refused in a Pod, beside one, in a template and under a note of its own', async () => {
    const pattern = /is for the Pods of VMs; use an image of your own/;
    const embedded = { image: EMBEDDED_LAUNCHER_IMAGE };
    await refused(tenant.create(resources.pods, pod('own', 'cat /etc/shadow', {}, embedded)), pattern);
    const noted = pod('noted', 'true', {}, embedded);
    const annotations = { 'podvisor.io/embedded-image-granted-to': 'kubernetes-admin' };
    await refused(
      tenant.create(resources.pods, { ...noted, metadata: { ...noted.metadata, annotations } }),
      pattern,
    );
    const { spec } = pod('unused', 'sleep 600', { restartPolicy: 'Always' }, embedded);
    const template = { metadata: { labels: { app: 'a' }, annotations }, spec };
    await refused(
      tenant.create(deployments, {
        metadata: { name: 'own', namespace: NAMESPACE },
        spec: { selector: { matchLabels: { app: 'a' } }, template },
      }),
      pattern,
    );
    await tenant.create(resources.pods, pod('later', 'sleep 600'));
    const key = { namespace: NAMESPACE, name: 'later' };
    const body = { spec: { containers: [{ name: 'main', ...embedded }] } };
    await refused(tenant.patch(resources.pods, key, { type: 'strategic', body }), pattern);
    const ephemeralContainers = [{ name: 'e', command: ['sh'], securityContext: CONFINED, ...embedded }];
    await refused(
      tenant.patch(resources.pods, key, {
        type: 'strategic',
        body: { spec: { ephemeralContainers } },
        subresource: 'ephemeralcontainers',
      }),
      // Such containers are not in what `edit` may do.
      /cannot patch resource "pods\/ephemeralcontainers"/,
    );
    await tenant.delete(resources.pods, key);
  });

  test('a VM cannot have the embedded image as its disk, its kernel or a hook', async () => {
    const stands = /it stands for programs of the node/;
    await tenant.create(
      resources.virtualMachineInstances,
      vmi('disk', { containerDisk: { image: EMBEDDED_LAUNCHER_IMAGE, path: '/etc/passwd' } }),
    );
    await saysWhy('disk', stands);
    const container = { image: EMBEDDED_LAUNCHER_IMAGE, kernelPath: '/etc/passwd', initrdPath: '/etc/group' };
    await tenant.create(
      resources.virtualMachineInstances,
      vmi('kernel', { emptyDisk: { capacity: '1Mi' } }, { firmware: { kernelBoot: { container } } }),
    );
    await saysWhy('kernel', stands);
  });

  test('CVE-2022-1798: the path of a container disk does not lead out of its image', async () => {
    for (const [name, image, path] of [
      ['dots', IMAGE, '/../../../../../../../../../../etc/shadow'],
      ['link', TRAP, '/disk/link'],
    ] as const) {
      const made = tenant.create(
        resources.virtualMachineInstances,
        vmi(name, { containerDisk: { image, path } }),
      );
      const error = await made.then(
        () => undefined,
        (refusal: unknown) => messageOf(refusal),
      );
      // Refused at once, or when the disk is looked for.
      if (error === undefined) await saysWhy(name, /cannot be opened|must not|not a regular file/);
      else assert.match(error, /path/);
    }
  });

  test('CVE-2025-64433: a link in place of a disk in a claim is not followed', async () => {
    await claim('linked', '16Mi');
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'linked' } }];
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    await tenant.create(
      resources.pods,
      pod('plants', 'ln -s /etc/passwd /v/disk.img && ls -l /v', { volumes }, { volumeMounts }),
    );
    assert.equal((await ended('plants')).status?.phase, 'Succeeded');
    await tenant.create(
      resources.virtualMachineInstances,
      vmi('linked', { persistentVolumeClaim: { claimName: 'linked' } }),
    );
    await saysWhy('linked', /disk\.img is a symbolic link/);
  });

  test('CVE-2025-64324: a disk of the host is not for tenants', async () => {
    const hostDisk = { path: `${secrets}/secret`, type: 'Disk' };
    await assert.rejects(
      tenant.create(resources.virtualMachineInstances, vmi('host', { hostDisk })),
      /HostDisk/,
    );
    // Where an administrator allows them, the level of the namespace does not.
    const gate = { spec: { configuration: { developerConfiguration: { featureGates: ['HostDisk'] } } } };
    const kubevirt = { namespace: 'kubevirt', name: 'kubevirt' };
    await instance.client.patch(resources.kubeVirts, kubevirt, { type: 'merge', body: gate });
    await eventually('the gate is open', 30_000, () =>
      tenant.create(resources.virtualMachineInstances, vmi('host', { hostDisk })).catch(() => undefined),
    );
    await saysWhy('host', /violates PodSecurity "restricted:latest": restricted volume types/);
  });

  test('externalIPs: others are refused, allowed ones never take a door that somebody has', async () => {
    const service = (name: string, externalIPs: readonly string[]): Any => ({
      metadata: { name, namespace: NAMESPACE },
      spec: { ports: [{ port: 80 }], externalIPs },
    });
    const denied = /Use of external IPs is denied by admission control\./;
    const { spec } = await instance.client.get(services, { namespace: 'default', name: 'kubernetes' });
    const { clusterIP } = spec as { clusterIP: string };
    for (const address of ['8.8.8.8', clusterIP])
      await refused(tenant.create(services, service('takes', [address])), denied);
    await tenant.create(services, service('first', ['192.0.2.7']));
    await refused(
      tenant.patch(
        services,
        { namespace: NAMESPACE, name: 'first' },
        {
          type: 'merge',
          body: { spec: { externalIPs: ['1.1.1.1'] } },
        },
      ),
      denied,
    );
    await refused(
      tenant.patch(
        services,
        { namespace: NAMESPACE, name: 'first' },
        {
          type: 'merge',
          body: { status: { loadBalancer: { ingress: [{ ip: '1.1.1.1' }] } } },
          subresource: 'status',
        },
      ),
      /cannot patch resource "services\/status"/,
    );
    await tenant.create(services, service('second', ['192.0.2.7']));
    for (const [name, address] of [
      ['first', '10.9.9.1'],
      ['second', '10.9.9.2'],
      ['later', '10.9.9.3'],
    ] as const) {
      if (name === 'later') await instance.client.create(services, service(name, []));
      await instance.client.create(slices, {
        metadata: { name, namespace: NAMESPACE, labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [address], conditions: { ready: true } }],
        ports: [{ name: '', port: 80, protocol: 'TCP' }],
      });
    }
    await eventually('every Service has its rules', 30_000, async () => {
      const table = `podvisor-services-${instance.name}`;
      const { stdout } = await command('nft', ['list', 'table', 'ip', table], process.env);
      assert.match(stdout, /192\.0\.2\.7 \. tcp \. 80/);
      for (const address of ['10.9.9.1', '10.9.9.2', '10.9.9.3'])
        assert.ok(stdout.includes(`${address}:80`), address);
      return true;
    });
  });

  test('200 MB do not fit into a claim of 16 Mi', async () => {
    await claim('small', '16Mi');
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'small' } }];
    const script =
      'dd if=/dev/zero of=/v/file bs=1M count=200; echo "exit $?"; ls -s /v/file; rm /v/file; dd if=/dev/zero of=/v/fits bs=1M count=15 && echo fits';
    await tenant.create(
      resources.pods,
      pod('writes', script, { volumes }, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
    );
    await ended('writes');
    const text = await logsOf('writes');
    assert.match(text, /No space left on device/);
    assert.match(text, /exit 1[\s\S]*fits/);
    const kilobytes = Number(/^\s*(\d+) \/v\/file/m.exec(text)?.[1]);
    assert.ok(kilobytes < 20 * 1024, `${kilobytes} kB were written`);
  });

  test('a subPath does not leave its claim by a link that a Pod of the tenant has put there', async () => {
    await claim('planted', '16Mi');
    const mounted = (
      persistentVolumeClaim: { claimName: string; readOnly?: boolean },
      mount: object,
    ): [object, object] => [
      { volumes: [{ name: 'v', persistentVolumeClaim }] },
      { volumeMounts: [{ name: 'v', ...mount }] },
    ];
    const writes = mounted({ claimName: 'planted' }, { mountPath: '/v' });
    await tenant.create(resources.pods, pod('leaves-link', 'ln -s /etc /v/..data && ls -l /v', ...writes));
    assert.equal((await ended('leaves-link')).status?.phase, 'Succeeded');
    // The name that the kubelet uses itself, in volumes that nobody else can write to.
    const reads = mounted({ claimName: 'planted', readOnly: true }, { mountPath: '/x', subPath: 'passwd' });
    await tenant.create(resources.pods, pod('reads-part', 'cat /x', ...reads));
    await eventually('the Pod says why it does not run', 60_000, async () => {
      const { status } = await tenant.get(resources.pods, { namespace: NAMESPACE, name: 'reads-part' });
      assert.notEqual(status?.phase, 'Succeeded', 'it has read a file of the machine');
      const { items } = await tenant.list(events, { namespace: NAMESPACE });
      const said = items.filter(({ involvedObject }) => involvedObject.name === 'reads-part');
      return (
        said.some(({ message = '' }) => message.includes('subPath "passwd" cannot be opened')) || undefined
      );
    });
    await tenant.delete(resources.pods, { namespace: NAMESPACE, name: 'reads-part' });
  });

  test('100 MB in an emptyDir of 1 Mi end in eviction', async () => {
    const volumes = [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }];
    await tenant.create(
      resources.pods,
      pod(
        'fills',
        'dd if=/dev/zero of=/v/file bs=1M count=100; sleep 600',
        { volumes },
        {
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
        },
      ),
    );
    const { status } = await ended('fills');
    assert.deepEqual(
      [status?.phase, status?.reason, status?.message],
      ['Failed', 'Evicted', 'Usage of EmptyDir volume "v" exceeds the limit "1Mi". '],
    );
  });

  test('a fork bomb ends at its own limit', async () => {
    await tenant.create(
      resources.pods,
      pod('bomb', 'i=0; while [ $i -lt 6000 ]; do sleep 30 & i=$((i+1)); done 2>&1 | head -n 1; echo over'),
    );
    const { status } = await ended('bomb');
    assert.ok(status?.phase === 'Failed' || /fork|Resource temporarily/.test(await logsOf('bomb')));
  });
});
