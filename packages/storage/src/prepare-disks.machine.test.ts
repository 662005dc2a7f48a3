import assert from 'node:assert/strict';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type LauncherPaths, launcherPaths, type VirtualMachineInstance, type Volume } from '@podvisor/api';
import { run } from '@podvisor/sys';
import { findContainerDisk } from './container-disk.ts';
import { ImageError, inspectImage } from './image/inspect.ts';
import { prepareDisks } from './prepare-disks.ts';

let root: string;
let paths: LauncherPaths;

before(() => {
  root = mkdtempSync(join(tmpdir(), 'podvisor-storage-'));
  paths = launcherPaths({
    ephemeralDir: join(root, 'ephemeral'),
    privateDir: join(root, 'private'),
    libvirtRuntime: join(root, 'libvirt'),
    containerDisks: join(root, 'container-disks'),
    imageVolumes: join(root, 'images'),
    devices: join(root, 'dev'),
    hotplugDisks: join(root, 'hotplug'),
    kernelBoot: join(root, 'kernel-boot'),
  });
});
after(() => rmSync(root, { recursive: true, force: true }));

function vmiWith(volumes: readonly Volume[]): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'hello.example', namespace: 'shop' },
    spec: {
      domain: {
        devices: { disks: volumes.map(({ name }) => ({ name })) },
        firmware: { uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223' },
      },
      volumes,
    },
  };
}

async function imageInfo(path: string): Promise<Record<string, unknown>> {
  const { stdout } = await run('qemu-img', ['info', '--output=json', '-U', path]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('prepareDisks with the real tools', () => {
  test('every kind of volume, twice', async () => {
    mkdirSync(join(root, 'images/disk_1/disk'), { recursive: true });
    await run('qemu-img', [
      'create',
      '-q',
      '-f',
      'qcow2',
      join(root, 'images/disk_1/disk/base.qcow2'),
      '64M',
    ]);
    mkdirSync(join(root, 'private/vmi-disks/data'), { recursive: true });
    mkdirSync(join(root, 'private/secret/cloud'), { recursive: true });
    writeFileSync(join(root, 'private/secret/cloud/userData'), '#cloud-config\n');
    mkdirSync(join(root, 'private/config-map/settings'), { recursive: true });
    writeFileSync(join(root, 'private/config-map/settings/app.conf'), 'colour=blue\n');
    const vmi = vmiWith([
      { name: 'scratch', emptyDisk: { capacity: '2Gi' } },
      { name: 'os', containerDisk: { image: 'x' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'cloud', cloudInitNoCloud: { secretRef: { name: 's' }, networkData: 'version: 2' } },
      { name: 'settings', configMap: { name: 'c', volumeLabel: 'SETTINGS' } },
    ]);
    const options = { paths, volumes: { data: { block: false, capacityBytes: 10 * 1024 * 1024 + 5 } } };
    const first = await prepareDisks(vmi, options);

    assert.deepEqual(first['os']?.backing, { path: paths.containerDisk(1), format: 'qcow2' });
    const overlay = await imageInfo(paths.overlay('os'));
    assert.equal(overlay['format'], 'qcow2');
    assert.equal(overlay['backing-filename'], paths.containerDisk(1));
    assert.equal(overlay['backing-filename-format'], 'qcow2');
    assert.equal(overlay['virtual-size'], 64 * 1024 * 1024);
    assert.equal((await imageInfo(paths.emptyDisk('scratch')))['virtual-size'], 2 * 1024 ** 3);
    const claim = statSync(paths.claimImage('data'));
    assert.equal(claim.size, 10 * 1024 * 1024);
    assert.equal(claim.blocks, 0, 'the image of a claim is sparse');

    const iso = paths.noCloudIso('shop', 'hello.example');
    const listing = await run('xorriso', ['-indev', iso, '-pvd_info', '-find', '/', '-exec', 'report_lba']);
    assert.match(listing.stdout, /Volume Id {4}: cidata/);
    for (const name of ['meta-data', 'user-data', 'network-config'])
      assert.match(listing.stdout, new RegExp(`'/${name}'`));
    await run('xorriso', ['-osirrox', 'on', '-indev', iso, '-extract', '/', join(root, 'out')]);
    assert.deepEqual(JSON.parse(readFileSync(join(root, 'out/meta-data'), 'utf8')), {
      'instance-id': '5d307ca9-b3ef-428c-8861-06e72d69f223',
      'local-hostname': 'hello',
    });
    assert.equal(readFileSync(join(root, 'out/user-data'), 'utf8'), '#cloud-config\n');
    const settings = await run('xorriso', [
      '-indev',
      paths.configDisk('configMap', 'settings').iso,
      '-pvd_info',
      '-find',
      '/',
    ]);
    assert.match(settings.stdout, /Volume Id {4}: SETTINGS/);
    assert.match(settings.stdout, /app\.conf/);

    const before = lstatSync(paths.overlay('os')).ino;
    assert.deepEqual(await prepareDisks(vmi, options), first);
    assert.equal(lstatSync(paths.overlay('os')).ino, before, 'an existing overlay is kept');
  });

  test('a hostile image is refused and nothing is made', async () => {
    mkdirSync(join(root, 'images/disk_0/disk'), { recursive: true });
    const image = join(root, 'images/disk_0/disk/evil.qcow2');
    await run('qemu-img', [
      'create',
      '-q',
      '-f',
      'qcow2',
      '-u',
      '-b',
      '/etc/shadow',
      '-F',
      'raw',
      image,
      '1M',
    ]);
    const vmi = vmiWith([{ name: 'evil', containerDisk: { image: 'x' } }]);
    await assert.rejects(prepareDisks(vmi, { paths }), /volume evil cannot be prepared: .*backing file/);
    assert.equal(existsSync(paths.overlay('evil')), false);
    const other = join(root, 'data-file.qcow2');
    await run('qemu-img', [
      'create',
      '-q',
      '-f',
      'qcow2',
      '-o',
      `data_file=${join(root, 'x.raw')},data_file_raw=on`,
      other,
      '1M',
    ]);
    assert.throws(
      () => inspectImage(other),
      (e) => e instanceof ImageError && e.kind === 'reference',
    );
  });
});

describe('what a tenant planted in a claim', () => {
  const plants: Readonly<Record<string, (path: string) => unknown>> = {
    'a symbolic link': (path) => symlinkSync('/etc/shadow', path),
    'a link to nothing': (path) => symlinkSync('/nowhere', path),
    'a hard link': (path) => {
      writeFileSync(`${path}.other`, 'of somebody');
      linkSync(`${path}.other`, path);
    },
    'a pipe': (path) => run('mkfifo', [path]),
    'a socket': (path) =>
      new Promise<void>((resolve) => {
        const server = createServer().listen(path, () => {
          // The name of a socket stays when its owner is killed; closing would take it away.
          linkSync(path, `${path}.kept`);
          server.close(() => {
            renameSync(`${path}.kept`, path);
            resolve();
          });
        });
      }),
    'a block device': (path) => run('mknod', [path, 'b', '7', '0']),
    'a character device': (path) => run('mknod', [path, 'c', '1', '5']),
    'a directory': (path) => mkdirSync(path),
  };
  const size = { block: false, capacityBytes: 1024 * 1024 };
  for (const [name, plant] of Object.entries(plants))
    test(`${name} is refused as a claim's disk, as what an overlay stands on, and as a host disk`, async () => {
      const volume = name.replaceAll(' ', '-');
      for (const [kind, source] of Object.entries({
        claim: { persistentVolumeClaim: { claimName: 'c' } },
        ephemeral: { ephemeral: { persistentVolumeClaim: { claimName: 'c' } } },
        host: { hostDisk: { path: '/srv/disk.img', type: 'DiskOrCreate', capacity: '1Mi' } },
      } as const)) {
        const unique = `${kind}-${volume}`;
        const path = kind === 'host' ? paths.hostDisk(unique, '/srv/disk.img') : paths.claimImage(unique);
        mkdirSync(dirname(path), { recursive: true });
        await plant(path);
        const made = prepareDisks(vmiWith([{ name: unique, ...source }]), {
          paths,
          volumes: { [unique]: size },
        });
        await assert.rejects(made, /a disk image must be a plain file with one name/);
        assert.equal(existsSync(paths.overlay(unique)), false);
      }
    });

  test('a second name that a power cut left is taken away', async () => {
    const path = paths.claimImage('cut');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.17.partial`, Buffer.alloc(1024 * 1024));
    linkSync(`${path}.17.partial`, path);
    await prepareDisks(vmiWith([{ name: 'cut', persistentVolumeClaim: { claimName: 'c' } }]), {
      paths,
      volumes: { cut: size },
    });
    assert.deepEqual(readdirSync(dirname(path)), ['disk.img']);
  });
});

describe('prepareDisks, volume by volume', () => {
  const contents = async (iso: string): Promise<string> =>
    (await run('xorriso', ['-indev', iso, '-pvd_info', '-find', '/', '-type', 'f'])).stdout;

  test('a failure of one volume is the only one that is heard of', async () => {
    const unheard: unknown[] = [];
    const listen = (error: unknown): void => void unheard.push(error);
    process.on('unhandledRejection', listen);
    try {
      const vmi = vmiWith([
        { name: 'none', persistentVolumeClaim: { claimName: 'nowhere' } },
        { name: 'seed', cloudInitNoCloud: { secretRef: { name: 'missing' } } },
      ]);
      await assert.rejects(prepareDisks(vmi, { paths }), /volume (none|seed) cannot be prepared/);
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual(unheard, []);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  test('a volume that no disk shows is left alone', async () => {
    const vmi = vmiWith([{ name: 'share', configMap: { name: 'not-mounted-here' } }]);
    const hidden = { ...vmi, spec: { ...vmi.spec, domain: { ...vmi.spec.domain, devices: {} } } };
    assert.deepEqual(await prepareDisks(hidden, { paths }), {});
  });

  test('Kubernetes data as discs, with their labels', async () => {
    for (const [directory, file] of [
      ['secret/credentials', 'token'],
      ['downwardapi/pod-facts', 'labels'],
      ['sysprep/windows', 'autounattend.xml'],
    ] as const) {
      mkdirSync(join(root, 'private', directory), { recursive: true });
      writeFileSync(join(root, 'private', directory, file), 'x');
    }
    await prepareDisks(
      vmiWith([
        { name: 'credentials', secret: { secretName: 's', volumeLabel: 'KEYS' } },
        { name: 'pod-facts', downwardAPI: { fields: [] } },
        { name: 'windows', sysprep: { configMap: { name: 'c' } } },
      ]),
      { paths },
    );
    const secret = await contents(paths.configDisk('secret', 'credentials').iso);
    assert.match(secret, /Volume Id {4}: KEYS[^]*'\/token'/);
    const facts = await contents(paths.configDisk('downwardAPI', 'pod-facts').iso);
    assert.match(facts, /Volume Id {4}: cfgdata[^]*'\/labels'/);
    const windows = await contents(paths.configDisk('sysprep', 'windows').iso);
    assert.match(windows, /Volume Id {4}: unattendCD[^]*'\/autounattend\.xml'/);
  });

  test('a ConfigDrive holds what an editor made of its data', async () => {
    const vmi = vmiWith([{ name: 'drive', cloudInitConfigDrive: { userData: 'before' } }]);
    await prepareDisks(vmi, {
      paths,
      editCloudInit: async (kind, data, volume) => {
        assert.deepEqual(
          [kind, volume, Buffer.from(data.userData).toString()],
          ['configDrive', 'drive', 'before'],
        );
        return { ...data, userData: Buffer.from('after'), metaData: { hostname: 'edited' } };
      },
    });
    const iso = paths.configDriveIso('shop', 'hello.example');
    assert.match(await contents(iso), /Volume Id {4}: config-2/);
    await run('xorriso', ['-osirrox', 'on', '-indev', iso, '-extract', '/', join(root, 'drive')]);
    const read = (name: string): string => readFileSync(join(root, 'drive/openstack/latest', name), 'utf8');
    assert.equal(read('user_data'), 'after');
    assert.deepEqual(JSON.parse(read('meta_data.json')), { hostname: 'edited' });
  });

  test('an ephemeral claim gets an overlay, a claim that grew a larger image', async () => {
    const image = paths.claimImage('grown');
    mkdirSync(join(root, 'private/vmi-disks/grown'), { recursive: true });
    writeFileSync(image, 'data of the guest');
    mkdirSync(join(root, 'private/vmi-disks/thrown-away'), { recursive: true });
    writeFileSync(paths.claimImage('thrown-away'), Buffer.alloc(1024 * 1024));
    const vmi = vmiWith([
      { name: 'grown', dataVolume: { name: 'grown' } },
      { name: 'thrown-away', ephemeral: { persistentVolumeClaim: { claimName: 'c' } } },
    ]);
    const volumes = { grown: { block: false, capacityBytes: 3 * 1024 * 1024 + 7 } };
    const prepared = await prepareDisks(vmi, { paths, volumes });
    assert.deepEqual(prepared['thrown-away']?.backing, {
      path: paths.claimImage('thrown-away'),
      format: 'raw',
    });
    assert.equal(statSync(image).size, 3 * 1024 * 1024);
    assert.ok(readFileSync(image, 'utf8').startsWith('data of the guest'));
    await prepareDisks(vmi, { paths, volumes: { grown: { block: false, capacityBytes: 1024 } } });
    assert.equal(statSync(image).size, 3 * 1024 * 1024, 'an image never shrinks');
  });

  test('a hotpluggable claim is there when it was plugged in, and is never made', async () => {
    const vmi = vmiWith([
      { name: 'later', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } },
      { name: 'now', dataVolume: { name: 'd', hotpluggable: true } },
    ]);
    mkdirSync(join(root, 'hotplug'));
    writeFileSync(paths.hotplugDisk('now', false), 'x');
    const prepared = await prepareDisks(vmi, { paths });
    assert.deepEqual(Object.keys(prepared), ['now']);
    assert.equal(prepared['now']?.path, join(root, 'hotplug/now.img'));
  });

  test('host disks: made when asked, missed otherwise; kernels are linked', async () => {
    mkdirSync(join(root, 'private/vmi-disks/host'), { recursive: true });
    const disk = (type: string): Volume => ({
      name: 'host',
      hostDisk: { path: '/data/x.img', type, capacity: '1Mi' },
    });
    await assert.rejects(
      prepareDisks(vmiWith([disk('Disk')]), { paths }),
      /\/data\/x\.img does not exist on the node/,
    );
    const vmi = vmiWith([disk('DiskOrCreate')]);
    mkdirSync(join(root, 'kernel-boot/boot'), { recursive: true });
    writeFileSync(join(root, 'kernel-boot/boot/vmlinuz'), 'k');
    const firmware = { kernelBoot: { container: { image: 'i', kernelPath: '/boot/vmlinuz' } } };
    await prepareDisks(
      { ...vmi, spec: { ...vmi.spec, domain: { ...vmi.spec.domain, firmware } } },
      { paths },
    );
    assert.equal(statSync(paths.hostDisk('host', '/data/x.img')).size, 1024 * 1024);
    assert.equal(readFileSync(paths.kernelFile('/boot/vmlinuz'), 'utf8'), 'k');
  });
});

describe('findContainerDisk', () => {
  const image = (...parts: string[]): string => join(root, 'find', ...parts);

  before(() => {
    mkdirSync(image('one/disk'), { recursive: true });
    mkdirSync(image('two/disk'), { recursive: true });
    mkdirSync(image('link/disk'), { recursive: true });
    mkdirSync(image('link/store'), { recursive: true });
    writeFileSync(image('one/disk/a.img'), 'x');
    writeFileSync(image('two/disk/a.img'), 'x');
    writeFileSync(image('two/disk/b.img'), 'x');
    writeFileSync(image('link/store/real.img'), 'x');
    symlinkSync('/store/real.img', image('link/disk/inside.img'));
    symlinkSync('/etc/passwd', image('link/out.img'));
    symlinkSync('../../../../../../etc/passwd', image('link/up.img'));
  });

  test('finds the sole file, a named file, and a link that stays inside', () => {
    assert.equal(findContainerDisk(image('one')), image('one/disk/a.img'));
    assert.equal(findContainerDisk(image('two'), '/disk/b.img'), image('two/disk/b.img'));
    assert.equal(findContainerDisk(image('link')), image('link/store/real.img'));
  });

  test('refuses two files, a directory, and every way out of the image', () => {
    assert.throws(() => findContainerDisk(image('two')), /exactly one file in \/disk, but it holds 2/);
    assert.throws(() => findContainerDisk(image('two'), 'disk'), /not a regular file/);
    for (const path of ['/out.img', '/up.img', '../one/disk/a.img', '/../../../etc/passwd'])
      assert.throws(() => findContainerDisk(image('link'), path), ImageError, path);
  });
});
