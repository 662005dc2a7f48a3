/** Environment, users and files under /etc. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldValue, type PodFacts, resourceValue } from '../pod/field-path.ts';
import { container, testPod } from '../testing/observed.ts';
import { randomFrom } from '@podvisor/base';
import { containerEnvironment, expand } from './environment.ts';
import { hostsFile, podHostname, resolvConf } from './etc-files.ts';
import { containerUser } from './user.ts';

const facts: PodFacts = {
  ips: ['10.0.0.2'],
  hostIp: '192.0.2.1',
  nodeName: 'n',
  allocatable: { cpuMilli: 2000, memoryBytes: 4096 },
};

test('references in values', () => {
  const env = new Map([['A', '1']]);
  assert.equal(expand('$(A) $(B) $$(A) $A', env), '1 $(B) $(A) $A');
});

test('variables are expanded as an expression would, and a text without end is looked at once', () => {
  const env = new Map([
    ['A', '1'],
    ['A$(', '2'],
  ]);
  const expected = (text: string): string =>
    text.replace(/\$\$|\$\(([^)]+)\)/g, (match, name: string | undefined) =>
      name === undefined ? '$' : (env.get(name) ?? match),
    );
  const random = randomFrom(3);
  for (let i = 0; i < 5_000; i += 1) {
    const text = Array.from(
      { length: Math.floor(random() * 12) },
      () => '$()Ax'[Math.floor(random() * 5)],
    ).join('');
    assert.equal(expand(text, env), expected(text), text);
  }
  const before = process.cpuUsage();
  const long = '$('.repeat(500_000);
  assert.equal(expand(long, env), long);
  const { user } = process.cpuUsage(before);
  assert.ok(user < 1_000_000, `${user} µs of CPU`);
});

test('later variables see earlier ones; what is missing is an error unless optional', async () => {
  const objects = {
    configMap: async () => undefined,
    secret: async () => ({ data: { k: Buffer.from('v').toString('base64') } }),
  };
  const main = container('main', {
    env: [
      { name: 'ONE', value: '1' },
      { name: 'TWO', value: '$(ONE)2' },
      { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'k', optional: true } } },
    ],
  });
  const env = await containerEnvironment(testPod(), main, ['ONE=0', 'PATH=/bin'], facts, objects);
  assert.deepEqual(
    [...env],
    [
      ['ONE', '1'],
      ['PATH', '/bin'],
      ['TWO', '12'],
      ['S', 'v'],
    ],
  );
  const needy = container('main', { envFrom: [{ configMapRef: { name: 'c' } }] });
  await assert.rejects(containerEnvironment(testPod(), needy, [], facts, objects), /configmap "c" not found/);
});

test('fields and resources of the Pod', () => {
  const pod = testPod({}, { labels: { b: '2', a: 'x"y' } });
  assert.equal(fieldValue(pod, 'metadata.labels', facts), 'a="x\\"y"\nb="2"');
  assert.equal(fieldValue(pod, "metadata.labels['b']", facts), '2');
  assert.equal(fieldValue(pod, 'status.podIP', facts), '10.0.0.2');
  assert.throws(() => fieldValue(pod, 'spec.nothing', facts), /unsupported fieldPath/);
  const main = container('main', { resources: { limits: { memory: '3Mi' } } });
  assert.equal(resourceValue(pod, main, { resource: 'limits.memory', divisor: '1Mi' }, facts), '3');
  assert.equal(resourceValue(pod, main, { resource: 'limits.cpu' }, facts), '2');
});

test('users: the Pod beats the image, names are looked up, root is refused where it is forbidden', () => {
  const passwd = 'root:x:0:0::/root:/bin/sh\nqemu:x:107:108::/q:/bin/sh\n';
  const group = 'kvm:x:36:qemu\n';
  const of = (spec: Parameters<typeof testPod>[0], image: string) =>
    containerUser(testPod(spec), container('main'), image, passwd, group);
  assert.deepEqual(of({}, 'qemu'), { uid: 107, gid: 108, groups: [108, 36], home: '/q' });
  assert.deepEqual(of({ securityContext: { runAsUser: 5, fsGroup: 9 } }, 'qemu'), {
    uid: 5,
    gid: 0,
    groups: [0, 9],
    home: '/',
  });
  assert.equal(of({}, '12:34').gid, 34);
  assert.throws(() => of({ securityContext: { runAsNonRoot: true } }, ''), /runAsNonRoot/);
  assert.throws(() => of({}, 'nobody-knows'), /not in its \/etc\/passwd/);
});

test('an image whose ids are no numbers does not become root under runAsNonRoot', () => {
  const nonRoot = testPod({ securityContext: { runAsNonRoot: true } });
  const ids = ['x', '', '1e999', '-1', '0.5', '4294967295', '4294967296', '99999999999999999999'];
  for (const id of ids) {
    const passwd = `evil:x:${id}:5::/:/bin/sh\n`;
    assert.throws(() => containerUser(nonRoot, container('main'), 'evil', passwd, ''), /evil/, id);
    const group = containerUser(nonRoot, container('main'), '7', `u:x:7:${id}::/:\n`, `g:x:${id}:u\n`);
    // What runc reads: a number that is none would be null there, and null is 0.
    assert.deepEqual(JSON.parse(JSON.stringify([group.uid, group.gid, group.groups])), [7, 0, [0]], id);
  }
  assert.throws(() => containerUser(nonRoot, container('main'), '99999999999', '', ''), /99999999999/);
});

test('names and resolvers', () => {
  assert.equal(podHostname(testPod({}, { name: `${'a'.repeat(62)}-b` })), 'a'.repeat(62));
  assert.match(
    hostsFile(testPod({ hostname: 'h', subdomain: 's' }), ['10.0.0.2']),
    /^10\.0\.0\.2\th\.s\.ns\.svc\.cluster\.local\th$/m,
  );
  const node = 'nameserver 127.0.0.53\nnameserver 9.9.9.9\nsearch example.com\n';
  assert.equal(resolvConf(testPod(), node), 'nameserver 9.9.9.9\nsearch example.com\n');
  const own = testPod({
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['1.1.1.1'], options: [{ name: 'ndots', value: '2' }] },
  });
  assert.equal(resolvConf(own, node), 'nameserver 1.1.1.1\noptions ndots:2\n');
});

test('the cluster is asked first, unless the Pod lives in the network of its node', () => {
  const node = 'nameserver 9.9.9.9\nsearch example.com\noptions timeout:1\n';
  const cluster = [
    'nameserver 10.96.0.10',
    'search ns.svc.cluster.local svc.cluster.local cluster.local example.com',
    'options ndots:5',
    '',
  ].join('\n');
  assert.equal(resolvConf(testPod(), node, '10.96.0.10'), cluster);
  const onNode = { hostNetwork: true } as const;
  assert.equal(
    resolvConf(testPod({ ...onNode, dnsPolicy: 'ClusterFirstWithHostNet' }), node, '10.96.0.10'),
    cluster,
  );
  for (const spec of [onNode, { dnsPolicy: 'Default' }])
    assert.equal(resolvConf(testPod(spec), node, '10.96.0.10'), node);
  const own = testPod({ dnsConfig: { options: [{ name: 'ndots', value: '1' }] } });
  assert.match(resolvConf(own, node, '10.96.0.10'), /\noptions ndots:1\n$/);
});
