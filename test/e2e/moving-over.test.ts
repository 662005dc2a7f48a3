/**
 * A cluster on which KubeVirt is installed: nothing is installed over it or taken from it, and by the steps of
 * docs/cluster-install.md its VMs come over, with their settings and the data on their claims. KubeVirt and CDI are
 * stand-ins: their kinds and objects, and what they do when theirs are deleted.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { VirtualMachine } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { CdiStandIn } from '../support/cdi-stand-in.ts';
import { eventually } from '../support/eventually.ts';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { Instance, root } from '../support/instance.ts';
import { KubeVirtStandIn } from '../support/kubevirt-stand-in.ts';

const DATA = 'kept-data';

interface VmList {
  readonly items: readonly VirtualMachine[];
}

/** A stopped VM whose second disk is a DataVolume of its own template. */
function keptVm(): VirtualMachine {
  const vm = bootIdVm('kept');
  const { template } = vm.spec;
  const devices = template.spec?.domain.devices;
  const disks = [...(devices?.disks ?? []), { name: DATA, disk: { bus: 'virtio' } }];
  const volumes = [...(template.spec?.volumes ?? []), { name: DATA, dataVolume: { name: DATA } }];
  const domain = { ...template.spec?.domain, devices: { ...devices, disks } };
  return {
    ...vm,
    spec: {
      ...vm.spec,
      runStrategy: 'Halted',
      dataVolumeTemplates: [{ metadata: { name: DATA }, spec: { source: { blank: {} }, storage: {} } }],
      template: { ...template, spec: { ...template.spec, domain, volumes } },
    },
  };
}

/** What the page takes out of the objects that are kept: the paths of its jq filter. */
function droppedPaths(): readonly (readonly string[])[] {
  const page = readFileSync(join(root, 'docs/cluster-install.md'), 'utf8');
  const [, paths = ''] = /del\(\.items\[\] \| ([^)]+)\)/.exec(page) ?? [];
  assert.notEqual(paths, '', 'the page has a filter');
  return paths.split(', ').map((path) => path.slice(1).split('.'));
}

function without(object: Record<string, unknown>, [key = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) delete object[key];
  else if (object[key] !== undefined) without(object[key] as Record<string, unknown>, rest);
}

describe('a cluster that has KubeVirt', { concurrency: 1 }, () => {
  let instance: Instance;
  let theirs: KubeVirtStandIn;
  const done = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await instance.kubectl(...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
  /** `kubectl get … -o json | jq …` into a file. */
  const keep = async (file: string, ...what: string[]): Promise<string> => {
    const list = JSON.parse(await done('get', ...what, '-o', 'json')) as {
      readonly items: readonly Record<string, unknown>[];
    };
    for (const object of list.items) for (const path of droppedPaths()) without(object, path);
    const place = join(instance.home, file);
    writeFileSync(place, JSON.stringify(list));
    return place;
  };

  before(async () => {
    instance = await Instance.prepare();
    const { code, stdout, stderr } = await instance.up('--bare');
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    theirs = await KubeVirtStandIn.install(instance);
    const cdi = await CdiStandIn.install(instance);
    const vm = await instance.client.create(resources.virtualMachines, keptVm());
    const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'kept', controller: true };
    await eventually('a DataVolume', 30_000, () =>
      instance.client
        .create(resources.dataVolumes, {
          apiVersion: 'cdi.kubevirt.io/v1beta1',
          kind: 'DataVolume',
          metadata: {
            namespace: 'default',
            name: DATA,
            ownerReferences: [{ ...owner, uid: vm.metadata?.uid ?? '' }],
          },
          spec: { source: { blank: {} }, storage: {} },
        })
        .catch(() => undefined),
    );
    const image = Buffer.alloc(1 << 20);
    image.write('still here');
    await cdi.fill(DATA, image);
  });
  after(() => instance?.purge());

  test('neither an installation nor an uninstallation touches it, and both say why', async () => {
    const before = await theirs.objects();
    const install = await instance.podvisor(['cluster', 'install', '--timeout', '60'], 90_000);
    assert.equal(install.code, 1, install.stdout);
    assert.match(install.stderr, /another KubeVirt is installed; keep its VMs first/);
    const uninstall = await instance.podvisor(['cluster', 'uninstall', '--timeout', '60'], 90_000);
    assert.equal(uninstall.code, 1, uninstall.stdout);
    assert.match(uninstall.stderr, /another KubeVirt is installed, and is not touched/);
    assert.deepEqual(await theirs.objects(), before);
  });

  test('its VMs come over by the steps of the page, with settings and data', async () => {
    const vms = await keep('vms.json', 'vm', '-A');
    const settings = await keep('kubevirt.json', 'kubevirt', '-A');
    const noOwners = '[{"op":"remove","path":"/metadata/ownerReferences"}]';
    await done('patch', 'dv', DATA, '--type', 'json', '-p', noOwners);
    await done('delete', 'kubevirt', 'kubevirt', '-n', 'kubevirt', '--wait=false');
    await theirs.uninstall();
    await eventually('its VM is gone', 60_000, async () => {
      const { code } = await instance.kubectl('get', 'vm', 'kept');
      return code === 0 ? undefined : true;
    });
    // Its operator is still there: it is not ours to replace.
    const early = await instance.podvisor(['cluster', 'install', '--timeout', '60'], 90_000);
    assert.match(
      early.stderr,
      /virt-operator of another KubeVirt is there \(Deployment kubevirt\/virt-operator\)/,
    );
    await theirs.deleteManifest();
    const install = await instance.podvisor(['cluster', 'install', '--timeout', '180'], 190_000);
    assert.equal(install.code, 0, `${install.stdout}\n${install.stderr}`);
    await done('apply', '--server-side', '--force-conflicts', '-f', settings);
    const { spec } = await instance.client.get(resources.kubeVirts, {
      namespace: 'kubevirt',
      name: 'kubevirt',
    });
    assert.equal(spec.configuration?.developerConfiguration?.useEmulation, true);
    await done('apply', '--server-side', '-f', vms);
    const manifest = join(instance.home, 'vm.json');
    writeFileSync(manifest, JSON.stringify((JSON.parse(readFileSync(vms, 'utf8')) as VmList).items[0]));
    // The guest's image is made by whoever names it here.
    const image = await instance.up('--no-wait', manifest);
    assert.equal(image.code, 0, image.stdout + image.stderr);
    const started = await instance.virtctl('start', 'kept');
    assert.equal(started.code, 0, started.stderr);
    const shell = await eventually('a console', 180_000, () => GuestShell.open(instance, 'kept'));
    // After the root disk and that of cloud-init.
    assert.equal(await shell.run('head -c 10 /dev/vdc'), 'still here');
    await shell.close();
  });
});
