import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, present } from '../plain.ts';
import { cloneManifest, instancetypeManifest } from './others.ts';
import { type CreateVmFlags, vmManifest } from './vm.ts';

const PLAIN: CreateVmFlags = {
  name: 'a',
  runStrategy: 'Always',
  terminationGracePeriod: '180',
  volumeContainerdisk: [],
  volumePvc: [],
  volumeImport: [],
  volumeSysprep: [],
  accessCred: [],
  sshKey: [],
  gaManageSsh: false,
};
const random = (): string => 'xxxxx';
const make = (flags: Partial<CreateVmFlags>): unknown => present(vmManifest({ ...PLAIN, ...flags }, random));
const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);
const template = (vm: unknown): unknown => at(vm, 'spec', 'template', 'spec');

test('a claim boots and gives instance type and preference, if it can', () => {
  const vm = make({ volumePvc: ['src:disk'] });
  const matcher = { inferFromVolume: 'disk', inferFromVolumeFailurePolicy: 'Ignore' };
  assert.deepEqual(at(vm, 'spec', 'instancetype'), matcher);
  assert.deepEqual(at(vm, 'spec', 'preference'), matcher);
  assert.deepEqual(at(template(vm), 'domain', 'memory'), { guest: '512Mi' });
});

test('told to infer, it does not keep the default memory', () => {
  const vm = make({ volumePvc: ['src:disk'], inferInstancetype: true });
  assert.deepEqual(at(vm, 'spec', 'instancetype'), { inferFromVolume: 'disk' });
  assert.equal(at(template(vm), 'domain', 'memory'), undefined);
});

test('the lowest boot order is the boot volume', () => {
  const vm = make({ volumePvc: ['src:one,bootorder:2', 'src:two,bootorder:1'] });
  assert.equal(at(vm, 'spec', 'preference', 'inferFromVolume'), 'two');
  assert.deepEqual(at(template(vm), 'domain', 'devices', 'disks'), [
    { name: 'one', bootOrder: 2 },
    { name: 'two', bootOrder: 1 },
  ]);
});

test('imports become DataVolume templates', () => {
  const vm = make({
    volumeImport: ['type:http,url:https://x/y.qcow2,size:1Gi,name:root', 'type:ds,src:ns/fedora'],
  });
  assert.deepEqual(at(vm, 'spec', 'dataVolumeTemplates'), [
    {
      metadata: { name: 'root' },
      spec: {
        source: { http: { url: 'https://x/y.qcow2' } },
        storage: { resources: { requests: { storage: '1Gi' } } },
      },
    },
    {
      metadata: { name: 'imported-volume-xxxxx' },
      spec: {
        sourceRef: { kind: 'DataSource', name: 'fedora', namespace: 'ns' },
        storage: { resources: {} },
      },
    },
  ]);
});

test('a user, a key and a password become cloud-init', () => {
  const vm = make({ user: 'joe', password: 'p', sshKey: ['ssh-rsa AAAA'] });
  const volumes = at(template(vm), 'volumes');
  assert.deepEqual(volumes, [
    {
      name: 'cloudinitdisk',
      cloudInitNoCloud: {
        userData:
          '#cloud-config\nuser: joe\npassword: p\nchpasswd: { expire: False }\nssh_authorized_keys:\n  - ssh-rsa AAAA',
      },
    },
  ]);
});

/** KubeVirt's client, asked the same (its main branch, 22 August 2026). */
test('credentials: what the guest must allow, and which disc carries keys', () => {
  const cloudInit = (flags: Partial<CreateVmFlags>): unknown => firstOf(at(template(make(flags)), 'volumes'));
  const allowed = "#cloud-config\nruncmd:\n  - [ setsebool, -P, 'virt_qemu_ga_manage_ssh', 'on' ]";
  assert.deepEqual(cloudInit({ accessCred: ['src:s,user:joe'] }), {
    name: 'cloudinitdisk',
    cloudInitNoCloud: { userData: allowed },
  });
  assert.deepEqual(cloudInit({ accessCred: ['src:s,method:configdrive'] }), {
    name: 'cloudinitdisk',
    cloudInitConfigDrive: { userData: '#cloud-config' },
  });
  assert.equal(cloudInit({ accessCred: ['type:password,src:s'] }), undefined);
});

test('what YAML would read otherwise is quoted in user data', () => {
  const vm = make({ user: 'yes', password: 'a: b' });
  assert.equal(
    at(firstOf(at(template(vm), 'volumes')), 'cloudInitNoCloud', 'userData'),
    "#cloud-config\nuser: 'yes'\npassword: 'a: b'\nchpasswd: { expire: False }",
  );
});

test('older flags for volumes, and quantities as Kubernetes writes them', () => {
  const vm = make({
    volumeDatasource: ['src:ns/fedora,name:root'],
    volumeClonePvc: ['src:ns/disk,size:1024Mi'],
    volumeBlank: ['size:1Gi,name:data'],
    memory: '1.5Gi',
  });
  const specs = (at(vm, 'spec', 'dataVolumeTemplates') as unknown[]).map((one) => at(one, 'spec'));
  assert.deepEqual(
    specs.map((spec) => at(spec, 'sourceRef') ?? at(spec, 'source')),
    [
      { kind: 'DataSource', name: 'fedora', namespace: 'ns' },
      { pvc: { name: 'disk', namespace: 'ns' } },
      { blank: {} },
    ],
  );
  assert.equal(at(specs[1], 'storage', 'resources', 'requests', 'storage'), '1Gi');
  assert.deepEqual(at(template(vm), 'domain', 'memory'), { guest: '1536Mi' });
});

for (const source of ['type:registry,url:docker://x/y,size:1Gi', 'type:snapshot,src:ns/s,size:1Gi'])
  test(`instance type and preference may come from ${source}`, () => {
    const vm = make({ volumeImport: [source] });
    assert.equal(at(vm, 'spec', 'preference', 'inferFromVolume'), 'imported-volume-xxxxx');
    assert.equal(at(vm, 'spec', 'instancetype', 'inferFromVolumeFailurePolicy'), 'Ignore');
  });

const WRONG: readonly (readonly [string, Partial<CreateVmFlags>, RegExp])[] = [
  [
    'run strategy',
    { runStrategy: 'Maybe' },
    /failed to parse "--run-strategy" flag: invalid run strategy "Maybe", supported values are: Always/,
  ],
  [
    'params',
    { volumePvc: ['disk'] },
    /failed to parse "--volume-pvc" flag: params need to have at least one colon: disk/,
  ],
  ['unknown param', { volumePvc: ['src:a,foo:b'] }, /unknown param\(s\): foo:b/],
  ['namespace of a claim', { volumePvc: ['src:ns/a'] }, /not allowed to specify namespace of pvc "a"/],
  ['a name twice', { volumePvc: ['src:a', 'src:a'] }, /there is already a volume with name "a"/],
  [
    'a boot order twice',
    { volumePvc: ['src:a,bootorder:1', 'src:b,bootorder:1'] },
    /bootorder 1 was specified multiple times/,
  ],
  ['boot order 0', { volumePvc: ['src:a,bootorder:0'] }, /bootorder must be greater than 0/],
  ['nothing to infer from', { inferPreference: true }, /at least one volume is needed/],
  [
    'inference from a containerDisk',
    { volumeContainerdisk: ['src:x'], inferPreference: true },
    /inference of instancetype or preference works only with/,
  ],
  [
    'memory and instance type',
    { memory: '1Gi', instancetype: 'u1' },
    /none of the others can be; \[instancetype memory\] were all set/,
  ],
  ['instance type kind', { instancetype: 'pod/x' }, /invalid instancetype kind "pod"/],
  ['import type', { volumeImport: ['type:floppy'] }, /invalid volume import type "floppy"/],
  ['import without type', { volumeImport: ['url:x'] }, /type must be specified/],
  ['size', { volumeImport: ['type:blank,size:big'] }, /"big" is not a quantity/],
  [
    'a user of a password',
    { accessCred: ['type:password,src:s,user:joe'] },
    /failed to parse "--access-cred" flag: user cannot be specified with selected access credential type/,
  ],
  ['a user of keys on a disc', { accessCred: ['src:s,method:nocloud,user:joe'] }, /user cannot be specified/],
  [
    'keys without a user',
    { accessCred: ['src:s'] },
    /access credential ssh method ga \("--user" flag or param/,
  ],
  [
    'a secret elsewhere',
    { accessCred: ['src:ns/s,user:joe'] },
    /not allowed to specify namespace of secret "s"/,
  ],
  [
    'keys on another disc than the one that is made',
    { accessCred: ['src:s,method:configdrive'], cloudInit: 'nocloud' },
    /method param and value passed to --cloud-init have to match: configdrive vs nocloud/,
  ],
  [
    'user data and a user',
    { cloudInitUserData: 'eA==', user: 'joe' },
    /in the group \[cloud-init-user-data user\] .* \[cloud-init-user-data user\] were all set/,
  ],
  ['cloud-init none', { cloudInit: 'none', user: 'x' }, /none excludes the other/],
];
for (const [name, flags, error] of WRONG)
  test(`create vm refuses: ${name}`, () => {
    assert.throws(() => make(flags), error);
  });

test('instance types and clones', () => {
  assert.throws(
    () =>
      instancetypeManifest({ namespaced: false, cpu: '0', memory: '1Gi', gpu: [], hostdevice: [] }, random),
    /cpu value must be greater than zero/,
  );
  const clone = {
    sourceName: 's',
    sourceType: 'snapshot',
    targetType: 'vm',
    labelFilter: ['*'],
    annotationFilter: [],
    templateLabelFilter: [],
    templateAnnotationFilter: [],
    newMacAddress: ['eth0:00:11:22:33:44:55'],
  };
  assert.equal(at(cloneManifest(clone, random), 'spec', 'source', 'kind'), 'VirtualMachineSnapshot');
  assert.deepEqual(at(cloneManifest(clone, random), 'spec', 'newMacAddresses'), {
    eth0: '00:11:22:33:44:55',
  });
  assert.throws(
    () => cloneManifest({ ...clone, warm: true, sourceType: 'vm' }, random),
    /--warm needs a snapshot with memory/,
  );
  assert.throws(() => cloneManifest({ ...clone, identityless: true }, random), /use it with --warm/);
  assert.equal(at(cloneManifest({ ...clone, warm: true }, random), 'spec', 'warm'), true);
  assert.throws(
    () => cloneManifest({ ...clone, targetType: 'snapshot' }, random),
    /target type snapshot is not supported/,
  );
});
