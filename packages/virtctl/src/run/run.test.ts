import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  catalogueObjects,
  crdFor,
  requirementCauses,
  schemaProblems,
  type VirtualMachine,
} from '@podvisor/api';
import { checksumOf, NAMED_IMAGES, namedImage } from './catalogue.ts';
import { type RunRequest, runObjects } from './manifest.ts';

const request: RunRequest = {
  name: 'web',
  namespace: 'default',
  root: { kind: 'registry', image: 'registry.example/debian:12' },
  preference: 'debian',
  user: 'debian',
  sshKeys: ['ssh-ed25519 AAAA me'],
  cpu: 2,
  memory: '1Gi',
  disk: '10Gi',
  ports: [],
  volumes: [],
};
type Loose = Record<string, never> & { readonly [key: string]: Loose };
const vmOf = (change: Partial<RunRequest>): Loose =>
  runObjects({ ...request, ...change })[0] as unknown as Loose;

test('a VM with a root disk from the image, a user and a key', () => {
  const { spec } = vmOf({}) as unknown as { spec: Record<string, unknown> };
  assert.deepEqual(spec['dataVolumeTemplates'], [
    {
      metadata: { name: 'web-root' },
      spec: {
        storage: { resources: { requests: { storage: '10Gi' } } },
        source: { registry: { url: 'docker://registry.example/debian:12' } },
      },
    },
  ]);
  const text = JSON.stringify(spec);
  assert.match(text, /"preference":\{"name":"debian"\}/);
  assert.match(text, /#cloud-config\\n\{\\n {2}\\"hostname\\": \\"web\\"/);
  assert.match(text, /ssh-ed25519 AAAA me/);
  assert.equal(runObjects(request).length, 1);
});

test('the API server takes what is printed', () => {
  const schema = crdFor('VirtualMachine').spec.versions[0]?.schema.openAPIV3Schema ?? {};
  for (const change of [
    { volumes: ['old', 'data:5Gi', 'srv:1Gi:/srv'], ports: ['80'] },
    { root: { kind: 'upload' } },
    { root: { kind: 'blank' }, isoBytes: 5 },
  ] satisfies Partial<RunRequest>[])
    assert.deepEqual(schemaProblems(vmOf(change), schema), []);
});

test('CPUs in the form that the preference counts', () => {
  assert.match(JSON.stringify(vmOf({})), /"cpu":\{"sockets":2\}/);
  assert.match(JSON.stringify(vmOf({ preference: 'windows.11' })), /"cpu":\{"cores":2\}/);
});

for (const { name, preference, memory } of NAMED_IMAGES)
  test(`a VM of ${name} has what its preference requires`, () => {
    const vm = vmOf({ preference, memory, cpu: 1 }) as unknown as VirtualMachine;
    const found = catalogueObjects().find(
      (one) => one.kind.endsWith('Preference') && one.metadata?.name === preference,
    );
    assert.ok(found?.kind === 'VirtualMachineClusterPreference' && vm.spec.template?.spec !== undefined);
    assert.deepEqual(requirementCauses(vm.spec.template.spec, found.spec, undefined), []);
  });

test('ports become a Service', () => {
  const service = runObjects({ ...request, ports: ['80', '8080:80', '53/udp'] })[1] as unknown as {
    spec: { type: string; ports: readonly object[] };
  };
  assert.equal(service.spec.type, 'LoadBalancer');
  assert.deepEqual(service.spec.ports, [
    { name: 'tcp-80', port: 80, targetPort: 80, protocol: 'TCP' },
    { name: 'tcp-8080', port: 8080, targetPort: 80, protocol: 'TCP' },
    { name: 'udp-53', port: 53, targetPort: 53, protocol: 'UDP' },
  ]);
});

test('volumes: a claim that is there, a new disk, a new disk with a place', () => {
  const text = JSON.stringify(vmOf({ volumes: ['old', 'data:5Gi', 'srv:1Gi:/srv'] }));
  assert.match(text, /"persistentVolumeClaim":\{"claimName":"old"\}/);
  assert.match(text, /"name":"web-data"\},"spec":\{"storage":\{"resources":\{"requests":\{"storage":"5Gi"/);
  assert.match(text, /\/dev\/disk\/by-id\/virtio-srv\\",\\n {6}\\"\/srv\\"/);
});

test('an ISO image: an empty disk first, the installer after it, no first-boot data', () => {
  const text = JSON.stringify(vmOf({ root: { kind: 'blank' }, isoBytes: 3_000_000 }));
  assert.match(text, /"source":\{"blank":\{\}\}/);
  assert.match(text, /"cdrom":\{"bus":"sata"\},"bootOrder":2/);
  assert.match(
    text,
    /"web-iso"\},"spec":\{"storage":\{"resources":\{"requests":\{"storage":"4Mi"\}\}\},"source":\{"upload":\{\}/,
  );
  assert.doesNotMatch(text, /cloudInit/);
});

for (const [flag, change] of [
  ['--name', { name: 'Web' }],
  ['--user', { user: 'a b' }],
  ['--cpu', { cpu: 0 }],
  ['--memory', { memory: '1 GB' }],
  ['--disk', { disk: 'big' }],
  ['--port', { ports: ['0'] }],
  ['--port', { ports: ['80:70000'] }],
  ['--volume', { volumes: ['data:much'] }],
  ['--volume', { volumes: ['root:1Gi'] }],
] as const)
  test(`${flag} that cannot be: ${JSON.stringify(change)}`, () => {
    assert.throws(() => runObjects({ ...request, ...change }), new RegExp(`^Error: ${flag} "`));
  });

test('every named image has a preference of the catalogue and a list of checksums from its own server', () => {
  const names = catalogueObjects().map(({ metadata }) => metadata?.name);
  for (const { name, preference, url, checksums } of NAMED_IMAGES) {
    assert.ok(names.includes(preference), name);
    assert.equal(new URL(url).protocol, 'https:');
    assert.equal(new URL(url).host, new URL(checksums.url).host);
  }
  assert.throws(
    () => namedImage('debain'),
    /there is no image "debain" \(did you mean "debian"\?\): debian, /,
  );
});

const HEX = 'ab'.repeat(32);
for (const [kind, list, expected] of [
  ['plain', `${'0'.repeat(64)}  other.img\n${HEX}  x.img\n`, HEX],
  ['binary', `${HEX.toUpperCase()} *x.img\n`, HEX],
  ['tagged', `# x.img: 12 bytes\nSHA256 (x.img) = ${HEX}\n`, HEX],
  ['alone', `${HEX}\n`, HEX],
  ['of another file', `${HEX}  y.img\n`, undefined],
  ['of another length', `${HEX}${HEX}  x.img\n`, undefined],
  ['no list', '<html>not found</html>', undefined],
] as const)
  test(`a checksum in a list that is ${kind}`, () => {
    assert.equal(checksumOf(list, 'x.img', 'sha256'), expected);
  });
