/** A Pod like a VM's: unprivileged, devices, image volume, emptyDirs, claims. Needs root. */
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Container, Pod, PodSpec } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { loopDevicesOf, run } from '@podvisor/sys';
import { TestDevicePlugin } from './testing/device-plugin.ts';
import { Harness } from './testing/harness.ts';

const harness = new Harness(12);
const RESOURCE = 'devices.example.com/thing';
const scratch = mkdtempSync(join(tmpdir(), 'podvisor-image-'));
let plugin: TestDevicePlugin;
const NOTHING = { mounts: [], netns: [], cgroups: [], veths: [], pods: [], containers: [] };

before(async () => {
  await harness.start();
  plugin = new TestDevicePlugin(join(harness.context.kubeletDir, 'device-plugins'), RESOURCE);
  await plugin.start(2);
  await harness.api.until(
    resources.nodes,
    { name: 'node1' },
    (n) => n?.status?.allocatable?.[RESOURCE] === '2',
  );
});
after(async () => {
  plugin.stop();
  await harness.close();
  rmSync(scratch, { recursive: true });
});

const sh = (script: string): { command: string[] } => ({ command: ['/bin/sh', '-c', script] });

/** Runs a script in a Pod to its end and gives its output. */
async function outputOf(
  name: string,
  container: Partial<Container>,
  spec: Partial<PodSpec> = {},
): Promise<string> {
  harness.create(harness.pod(name, container, spec));
  const pod = await harness.until(
    name,
    (p) => p.status?.phase === 'Succeeded' || p.status?.phase === 'Failed',
  );
  const text = await logs(pod);
  assert.equal(
    pod.status?.phase,
    'Succeeded',
    `${name}: ${text} ${JSON.stringify(pod.status?.containerStatuses)}`,
  );
  await harness.delete(name);
  return text;
}

async function logs(pod: Pod): Promise<string> {
  const reference = {
    namespace: 'default',
    name: pod.metadata.name ?? '',
    uid: pod.metadata.uid ?? '',
    nodeName: 'node1',
  };
  const options = { follow: false, previous: false, timestamps: false };
  const chunks: Uint8Array[] = [];
  for await (const chunk of harness.kubelet?.nodeProxy.logs(
    reference,
    'main',
    options,
    AbortSignal.timeout(5000),
  ) ?? [])
    chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** An OCI archive with one file, made as anybody would make one. */
async function makeImage(file: string, content: string): Promise<string> {
  const layout = join(scratch, 'layout');
  const layer = join(scratch, 'layer');
  mkdirSync(join(layer, 'disk'), { recursive: true });
  writeFileSync(join(layer, 'disk', file), content);
  await run('umoci', ['init', '--layout', layout]);
  await run('umoci', ['new', '--image', `${layout}:disk`]);
  await run('umoci', ['insert', '--image', `${layout}:disk`, join(layer, 'disk'), '/disk']);
  return layout;
}

const LAUNCHER: Pick<Container, 'securityContext'> = {
  securityContext: {
    runAsUser: 107,
    runAsGroup: 107,
    runAsNonRoot: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
  },
};

test('a launcher-like Pod has its user, devices, volumes and nothing of the host', async (t) => {
  const layout = await makeImage('disk.img', 'a disk');
  await harness.kubelet?.images.importArchive(layout, 'registry.example.com/disks/tiny:v1');
  const startedAt = performance.now();
  const script = [
    'id -u; id -g',
    'touch /var/run/kubevirt/public /var/run/kubevirt/sockets/socket && echo writable',
    'cat /var/run/kubevirt/image-volumes/disk_0/disk/disk.img; echo',
    'stat -c "%u:%g %F" /dev/granted; echo x > /dev/granted && echo device; echo $TEST_DEVICES',
    'grep -E "^(CapBnd|NoNewPrivs|Seccomp):" /proc/self/status',
    'ls /root /home /work /farm 2>&1 | grep -v "^/" | head -3',
    'test -e /etc/shadow || echo hidden; getent passwd 107',
    'test -x /usr/bin/tini && echo tini',
    'cat /proc/sys/net/ipv4/ip_unprivileged_port_start',
  ].join('\n');
  const text = await outputOf(
    'launcher',
    {
      ...LAUNCHER,
      ...sh(script),
      resources: { limits: { [RESOURCE]: '1', memory: '256Mi' }, requests: { cpu: '100m' } },
      volumeMounts: [
        { name: 'public', mountPath: '/var/run/kubevirt' },
        { name: 'sockets', mountPath: '/var/run/kubevirt/sockets' },
        { name: 'disk', mountPath: '/var/run/kubevirt/image-volumes/disk_0' },
        {
          name: 'hotplug',
          mountPath: '/var/run/kubevirt/hotplug-disks',
          mountPropagation: 'HostToContainer',
        },
      ],
    },
    {
      securityContext: { runAsUser: 107, fsGroup: 107, runAsNonRoot: true },
      volumes: [
        { name: 'public', emptyDir: {} },
        { name: 'sockets', emptyDir: {} },
        { name: 'hotplug', emptyDir: {} },
        {
          name: 'disk',
          image: { reference: 'registry.example.com/disks/tiny:v1', pullPolicy: 'IfNotPresent' },
        },
      ],
    },
  );
  t.diagnostic(`bound → ended and gone ${Math.round(performance.now() - startedAt)} ms`);
  assert.match(text, /^107\n107\nwritable\na disk\n107:107 character special file\ndevice\ndev\d\n/);
  assert.match(text, /CapBnd:\s+0+400\n/);
  assert.match(text, /NoNewPrivs:\s+1\nSeccomp:\s+2\n/);
  assert.match(text, /hidden\nqemu:x:107:107:.*\ntini\n0\n$/);
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('root in a launcher finds no secret of the node, also none that is newer or deeper', async () => {
  const secrets = mkdtempSync('/etc/podvisor-test-');
  const fresh = mkdtempSync('/podvisor-test-');
  try {
    mkdirSync(join(secrets, 'a/b/c/d/e'), { recursive: true, mode: 0o755 });
    for (const path of [join(secrets, 'secret'), join(secrets, 'a/b/c/d/e/secret'), join(fresh, 'secret')])
      writeFileSync(path, 'a secret', { mode: 0o600 });
    const script = [
      `cat ${secrets}/secret ${secrets}/a/b/c/d/e/secret ${fresh}/secret /etc/shadow 2>/dev/null`,
      'ls /etc /home /root /opt /srv /mnt /boot /var/lib /usr/etc /usr/local/etc 2>/dev/null',
      'echo; touch /usr/bin/planted 2>&1; ls -A /',
    ].join('; ');
    const text = await outputOf('root', { ...sh(script), securityContext: { runAsUser: 0 } });
    assert.doesNotMatch(text, /a secret|^root:/m);
    assert.doesNotMatch(text, /podvisor-test-|shadow|sudoers|ssh$/m);
    assert.match(text, /Read-only file system/);
    const own = new Set(readdirSync('/'));
    const shown = text.slice(text.lastIndexOf('Read-only')).split('\n').slice(1).filter(Boolean);
    const known = ['bin', 'boot', 'dev', 'etc', 'home', 'lib', 'lib32', 'lib64', 'libx32', 'media', 'mnt'];
    const also = ['opt', 'proc', 'root', 'run', 'sbin', 'srv', 'sys', 'tmp', 'usr', 'var'];
    assert.deepEqual(
      shown.filter((name) => own.has(name) && ![...known, ...also].includes(name)),
      [],
    );
  } finally {
    for (const path of [secrets, fresh]) rmSync(path, { recursive: true });
  }
});

test('devices run out and come back', async () => {
  const limits = { resources: { limits: { [RESOURCE]: '2' } } };
  harness.create(harness.pod('holds', { command: ['/bin/sleep', '1000'], ...limits }));
  await harness.phase('holds', 'Running');
  harness.create(harness.pod('late', { command: ['/bin/sleep', '1000'], ...limits }));
  const refused = await harness.phase('late', 'Failed');
  assert.equal(refused.status?.reason, 'UnexpectedAdmissionError');
  await harness.delete('late');
  await harness.delete('holds', 0);
  await outputOf('after', { ...sh('echo $TEST_DEVICES'), ...limits });
});

test('config maps, secrets, tokens and the Pod itself are files, and follow changes', async () => {
  const meta = (name: string) => ({ name, namespace: 'default' });
  harness.api.put(resources.configMaps, { metadata: meta('settings'), data: { color: 'blue' } });
  harness.api.put(resources.secrets, {
    metadata: meta('keys'),
    data: { key: Buffer.from('s3cret').toString('base64') },
  });
  const text = await outputOf(
    'files',
    {
      ...sh('cat /c/color /s/key /p/token /p/name; echo; stat -f -c %T /s; echo $COLOR $KEY $(hostname) $ME'),
      env: [
        { name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } },
        { name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'key' } } },
        { name: 'ME', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      ],
      volumeMounts: [
        { name: 'c', mountPath: '/c' },
        { name: 's', mountPath: '/s' },
        { name: 'p', mountPath: '/p' },
      ],
    },
    {
      volumes: [
        { name: 'c', configMap: { name: 'settings' } },
        { name: 's', secret: { secretName: 'keys' } },
        {
          name: 'p',
          projected: {
            sources: [
              { serviceAccountToken: { path: 'token' } },
              { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
            ],
          },
        },
      ],
    },
  );
  assert.match(text, /^blues3creta-tokenfiles\ntmpfs\nblue s3cret files 10\.251\.12\.\d+\n$/);
});

test('a missing config map is waited for, and told', async () => {
  const volumes = [{ name: 'c', configMap: { name: 'later' } }];
  harness.create(
    harness.pod('waits', { ...sh('cat /c/x'), volumeMounts: [{ name: 'c', mountPath: '/c' }] }, { volumes }),
  );
  const waiting = await harness.until(
    'waits',
    (p) => p.status?.containerStatuses?.[0]?.state?.waiting?.message !== undefined,
  );
  assert.match(
    waiting.status?.containerStatuses?.[0]?.state?.waiting?.message ?? '',
    /configmap "later" not found/,
  );
  harness.api.put(resources.configMaps, {
    metadata: { name: 'later', namespace: 'default' },
    data: { x: '1' },
  });
  await harness.phase('waits', 'Succeeded');
  await harness.delete('waits');
});

test('claims: a directory with its group, a file as a block device', async () => {
  const volumes = harness.context.paths.volumes;
  mkdirSync(join(volumes, 'fs'), { recursive: true });
  writeFileSync(join(volumes, 'fs', 'disk.img'), 'persistent');
  writeFileSync(join(volumes, 'block.img'), '');
  truncateSync(join(volumes, 'block.img'), 4 * 1024 * 1024);
  for (const [name, path, volumeMode] of [
    ['fs', join(volumes, 'fs'), 'Filesystem'],
    ['block', join(volumes, 'block.img'), 'Block'],
  ] as const) {
    harness.api.put(resources.persistentVolumes, {
      metadata: { name: `pv-${name}` },
      spec: { local: { path }, volumeMode, claimRef: { namespace: 'default', name, uid: `uid-${name}` } },
    });
    harness.api.put(resources.persistentVolumeClaims, {
      metadata: { name, namespace: 'default', uid: `uid-${name}` },
      spec: { volumeName: `pv-${name}`, volumeMode },
      status: { phase: 'Bound' },
    });
  }
  const text = await outputOf(
    'claims',
    {
      ...LAUNCHER,
      ...sh(
        'cat /disks/disk.img; echo; echo more >> /disks/disk.img; printf block | dd of=/dev/disk conv=fsync 2>/dev/null; stat -c "%F %u:%g" /dev/disk; ls /sub',
      ),
      volumeMounts: [
        { name: 'fs', mountPath: '/disks' },
        { name: 'fs', mountPath: '/sub', subPath: 'inner/dir' },
      ],
      volumeDevices: [{ name: 'block', devicePath: '/dev/disk' }],
    },
    {
      securityContext: { fsGroup: 107 },
      volumes: [
        { name: 'fs', persistentVolumeClaim: { claimName: 'fs' } },
        { name: 'block', persistentVolumeClaim: { claimName: 'block' } },
      ],
    },
  );
  assert.equal(text, 'persistent\nblock special file 107:107\n');
  assert.equal(readFileSync(join(volumes, 'fs', 'disk.img'), 'utf8'), 'persistentmore\n');
  assert.equal(readFileSync(join(volumes, 'block.img')).toString('utf8', 0, 5), 'block');
  assert.deepEqual(await loopDevicesOf(join(volumes, 'block.img')), []);
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('a claim for one Pod is mounted by one Pod; the second waits, and gets it then', async () => {
  const volumes = harness.context.paths.volumes;
  mkdirSync(join(volumes, 'only'), { recursive: true });
  harness.api.put(resources.persistentVolumes, {
    metadata: { name: 'pv-only' },
    spec: {
      local: { path: join(volumes, 'only') },
      volumeMode: 'Filesystem',
      claimRef: { namespace: 'default', name: 'only', uid: 'uid-only' },
    },
  });
  harness.api.put(resources.persistentVolumeClaims, {
    metadata: { name: 'only', namespace: 'default', uid: 'uid-only' },
    spec: { volumeName: 'pv-only', volumeMode: 'Filesystem', accessModes: ['ReadWriteOncePod'] },
    status: { phase: 'Bound' },
  });
  const user = (name: string) =>
    harness.pod(
      name,
      { ...sh('exec sleep 600'), volumeMounts: [{ name: 'v', mountPath: '/v' }] },
      { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'only' } }] },
    );
  harness.create(user('first'));
  await harness.until('first', (p) => p.status?.phase === 'Running');
  harness.create(user('second'));
  await harness.until('second', (p) => JSON.stringify(p.status ?? {}).includes('ReadWriteOncePod'));
  await harness.delete('first', 0);
  await harness.until('second', (p) => p.status?.phase === 'Running');
  await harness.delete('second', 0);
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('a subPath that a tenant turned into a link out of the volume is refused', async () => {
  const volumes = [{ name: 'v', emptyDir: {} }];
  harness.create(
    harness.pod(
      'escapes',
      {
        command: ['/bin/cat', '/stolen/hostname'],
        volumeMounts: [{ name: 'v', mountPath: '/stolen', subPath: 'link' }],
      },
      {
        volumes,
        initContainers: [
          {
            name: 'plants',
            image: 'podvisor.local/virt-launcher:embedded',
            ...sh('ln -s /etc /v/link'),
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          },
        ],
      },
    ),
  );
  const pod = await harness.until(
    'escapes',
    (p) => p.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerError',
  );
  assert.match(
    pod.status?.containerStatuses?.[0]?.state?.waiting?.message ?? '',
    /subPath "link" cannot be opened/,
  );
  await harness.delete('escapes', 0);
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('an image that nobody has is told in the words of Kubernetes', async () => {
  harness.create(
    harness.pod('nowhere', {
      image: '127.0.0.1:1/none:v1',
      imagePullPolicy: 'IfNotPresent',
      command: ['/x'],
    }),
  );
  const pod = await harness.until(
    'nowhere',
    (p) => p.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ErrImagePull',
  );
  assert.match(
    pod.status?.containerStatuses?.[0]?.state?.waiting?.message ?? '',
    /failed to pull image "127\.0\.0\.1:1\/none:v1"/,
  );
  await harness.until(
    'nowhere',
    (p) => p.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ImagePullBackOff',
  );
  await harness.delete('nowhere', 0);
  harness.create(
    harness.pod('never', {
      image: 'registry.example.com/none:v1',
      imagePullPolicy: 'Never',
      command: ['/x'],
    }),
  );
  await harness.until(
    'never',
    (p) => p.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ErrImageNeverPull',
  );
  await harness.delete('never', 0);
});

test('probes decide about readiness and restarts', async () => {
  harness.create(
    harness.pod(
      'probed',
      {
        ...sh('while :; do sleep 0.1; done'),
        readinessProbe: { exec: { command: ['/bin/test', '-e', '/tmp/ready'] }, periodSeconds: 1 },
        livenessProbe: {
          exec: { command: ['/bin/test', '!', '-e', '/tmp/dead'] },
          periodSeconds: 1,
          failureThreshold: 1,
        },
      },
      { restartPolicy: 'Always', terminationGracePeriodSeconds: 0 },
    ),
  );
  const pod = await harness.phase('probed', 'Running');
  assert.equal(pod.status?.containerStatuses?.[0]?.ready, false);
  await touch(pod, '/tmp/ready');
  await harness.until(
    'probed',
    (p) => p.status?.conditions?.find((c) => c.type === 'Ready')?.status === 'True',
  );
  await touch(pod, '/tmp/dead');
  await harness.until('probed', (p) => p.status?.containerStatuses?.[0]?.restartCount === 1);
  await harness.delete('probed', 0);
});

async function touch(pod: Pod, path: string): Promise<void> {
  const reference = {
    namespace: 'default',
    name: pod.metadata.name ?? '',
    uid: pod.metadata.uid ?? '',
    nodeName: 'node1',
  };
  const streams = { stdin: false, stdout: false, stderr: false, tty: false };
  const process = await harness.kubelet?.nodeProxy.exec(
    reference,
    'main',
    ['/usr/bin/touch', path],
    streams,
    AbortSignal.timeout(5000),
  );
  assert.equal(await process?.exit, 0);
}

test('port-forward reaches the loopback of the Pod', async () => {
  harness.create(
    harness.pod(
      'serves',
      sh('exec socat TCP-LISTEN:8080,bind=127.0.0.1,reuseaddr,fork SYSTEM:"echo served"'),
    ),
  );
  const pod = await harness.phase('serves', 'Running');
  const reference = { namespace: 'default', name: 'serves', uid: pod.metadata.uid ?? '', nodeName: 'node1' };
  let text = '';
  // The server needs a moment to listen.
  for (let attempt = 0; attempt < 40 && text === ''; attempt += 1) {
    try {
      const stream = await harness.kubelet?.nodeProxy.portForward(reference, 8080, AbortSignal.timeout(5000));
      for await (const chunk of stream ?? []) text += String(chunk);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  assert.equal(text, 'served\n');
  await harness.delete('serves', 0);
});

test('devices survive a restart of the kubelet, and a Pod that comes meanwhile waits for them', async () => {
  const limits = { resources: { limits: { [RESOURCE]: '1' } } };
  harness.create(harness.pod('before', { command: ['/bin/sleep', '1000'], ...limits }));
  await harness.phase('before', 'Running');
  await harness.kubelet?.close();
  harness.api.writes.length = 0;
  await harness.start();
  assert.equal(harness.api.find(resources.nodes, { name: 'node1' })?.status?.allocatable?.[RESOURCE], '2');
  harness.create(harness.pod('meanwhile', { command: ['/bin/sleep', '1000'], ...limits }));
  setTimeout(() => void plugin.register(), 300);
  await harness.phase('meanwhile', 'Running');
  assert.deepEqual(
    harness.api.writes.filter((w) => w.includes('nodes')),
    [],
    'the node did not change',
  );
  harness.create(harness.pod('third', { command: ['/bin/sleep', '1000'], ...limits }));
  await harness.phase('third', 'Failed');
  for (const name of ['before', 'meanwhile', 'third']) await harness.delete(name, 0);
});

test('a config map that changes is seen by a Pod that runs', async () => {
  const metadata = { name: 'moving', namespace: 'default' };
  harness.api.put(resources.configMaps, { metadata, data: { x: 'old' } });
  harness.create(
    harness.pod(
      'watches',
      {
        ...sh('while ! grep -q new /c/x; do sleep 0.05; done'),
        volumeMounts: [{ name: 'c', mountPath: '/c' }],
      },
      { volumes: [{ name: 'c', configMap: { name: 'moving' } }] },
    ),
  );
  await harness.phase('watches', 'Running');
  harness.api.put(resources.configMaps, { metadata, data: { x: 'new' } });
  await harness.phase('watches', 'Succeeded');
  await harness.delete('watches');
});

test('attach sees new output and gives input', async () => {
  harness.create(
    harness.pod('chats', { ...sh('read line; echo "got $line"; sleep 0.2'), stdin: true, stdinOnce: true }),
  );
  const pod = await harness.phase('chats', 'Running');
  const reference = { namespace: 'default', name: 'chats', uid: pod.metadata.uid ?? '', nodeName: 'node1' };
  const streams = { stdin: true, stdout: true, stderr: true, tty: false };
  const process = await harness.kubelet?.nodeProxy.attach(
    reference,
    'main',
    streams,
    AbortSignal.timeout(5000),
  );
  let text = '';
  process?.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  process?.stdin?.write('hello\n');
  assert.equal(await process?.exit, 0);
  assert.equal(text, 'got hello\n');
  await harness.delete('chats', 0);
});

test('layers of an image hide what lower ones had', async () => {
  const layout = join(scratch, 'layered');
  const make = async (name: string, build: (dir: string) => void): Promise<string> => {
    const dir = join(scratch, name);
    mkdirSync(dir);
    build(dir);
    await run('tar', ['--create', '--file', `${dir}.tar`, '--directory', dir, '.']);
    return `${dir}.tar`;
  };
  const lower = await make('lower', (dir) => {
    mkdirSync(join(dir, 'kept'));
    mkdirSync(join(dir, 'emptied'));
    for (const file of ['kept/gone', 'kept/stays', 'emptied/old']) writeFileSync(join(dir, file), file);
  });
  const upper = await make('upper', (dir) => {
    mkdirSync(join(dir, 'kept'));
    mkdirSync(join(dir, 'emptied'));
    for (const file of ['kept/.wh.gone', 'emptied/.wh..wh..opq', 'emptied/new'])
      writeFileSync(join(dir, file), '');
  });
  await run('umoci', ['init', '--layout', layout]);
  await run('umoci', ['new', '--image', `${layout}:l`]);
  for (const tar of [lower, upper]) await run('umoci', ['raw', 'add-layer', '--image', `${layout}:l`, tar]);
  await harness.kubelet?.images.importArchive(layout, 'localhost/layered:v1');
  const volumes = [{ name: 'i', image: { reference: 'localhost/layered:v1' } }];
  const text = await outputOf(
    'layers',
    { ...sh('cd /i && find . -type f | sort'), volumeMounts: [{ name: 'i', mountPath: '/i' }] },
    { volumes },
  );
  assert.equal(text, './emptied/new\n./kept/stays\n');
});

test('what is mounted into a volume later appears in the container, and goes with the Pod', async () => {
  harness.create(
    harness.pod(
      'hotplug',
      {
        ...sh('while ! test -e /hp/disk/here; do sleep 0.05; done; echo seen; exec sleep 1000'),
        volumeMounts: [{ name: 'hp', mountPath: '/hp', mountPropagation: 'HostToContainer' }],
      },
      { volumes: [{ name: 'hp', emptyDir: {} }] },
    ),
  );
  const pod = await harness.phase('hotplug', 'Running');
  const volume = join(
    harness.context.kubeletDir,
    'pods',
    pod.metadata.uid ?? '',
    'volumes/kubernetes.io~empty-dir/hp',
  );
  mkdirSync(join(volume, 'disk'));
  await run('mount', ['-t', 'tmpfs', 'tmpfs', join(volume, 'disk')]);
  writeFileSync(join(volume, 'disk', 'here'), '');
  const reference = { namespace: 'default', name: 'hotplug', uid: pod.metadata.uid ?? '', nodeName: 'node1' };
  const options = { follow: true, previous: false, timestamps: false };
  for await (const chunk of harness.kubelet?.nodeProxy.logs(
    reference,
    'main',
    options,
    AbortSignal.timeout(5000),
  ) ?? []) {
    assert.equal(Buffer.from(chunk).toString('utf8'), 'seen\n');
    break;
  }
  await harness.delete('hotplug', 0);
  assert.deepEqual(await harness.traces(), NOTHING);
});

test('a container runs from an image, with its entry point, user and environment', async () => {
  const layout = join(scratch, 'busybox');
  const root = join(scratch, 'busybox-root');
  mkdirSync(join(root, 'bin'), { recursive: true });
  mkdirSync(join(root, 'etc'));
  await run('cp', ['/usr/bin/busybox', join(root, 'bin/busybox')]);
  writeFileSync(join(root, 'etc/passwd'), 'worker:x:1234:4321::/home/worker:/bin/sh\n');
  await run('tar', ['--create', '--file', `${root}.tar`, '--directory', root, '.']);
  await run('umoci', ['init', '--layout', layout]);
  await run('umoci', ['new', '--image', `${layout}:b`]);
  await run('umoci', ['raw', 'add-layer', '--image', `${layout}:b`, `${root}.tar`]);
  const config = [
    '--config.entrypoint',
    '/bin/busybox',
    '--config.cmd',
    'env',
    '--config.user',
    'worker',
    '--config.env',
    'FLAVOUR=plain',
  ];
  await run('umoci', ['config', '--image', `${layout}:b`, ...config]);
  await harness.kubelet?.images.importArchive(layout, 'localhost/busybox:v1');
  const image = 'localhost/busybox:v1';
  assert.match(await outputOf('from-image', { image }), /^FLAVOUR=plain$/m);
  assert.match(await outputOf('with-args', { image, args: ['id'] }), /uid=1234\(worker\) gid=4321/);
});

test('a terminal has the size that is asked for', async () => {
  harness.create(harness.pod('sized', { command: ['/bin/sleep', '1000'] }));
  const pod = await harness.phase('sized', 'Running');
  const reference = { namespace: 'default', name: 'sized', uid: pod.metadata.uid ?? '', nodeName: 'node1' };
  const streams = { stdin: true, stdout: true, stderr: false, tty: true };
  const command = ['/bin/sh', '-c', 'until stty size | grep -q "40 100"; do sleep 0.05; done; echo fits'];
  const process = await harness.kubelet?.nodeProxy.exec(
    reference,
    'main',
    command,
    streams,
    AbortSignal.timeout(5000),
  );
  let text = '';
  process?.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  // The size may be told before the terminal is there; clients tell it again whenever it changes.
  const timer = setInterval(() => process?.resize(100, 40), 100);
  assert.equal(await process?.exit, 0);
  clearInterval(timer);
  assert.match(text, /fits/);
  await harness.delete('sized', 0);
});
