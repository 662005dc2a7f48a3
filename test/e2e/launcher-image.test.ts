/**
 * VMs and components from their images, as on a cluster: a guest boots in the launcher's image, and virt-api starts
 * from its own, unprivileged and with a read-only root. The images come from the cache of `podvisor images build`;
 * where nobody has built them yet this is skipped, because fetching their packages takes minutes.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { type CommandResult, Instance, root } from '../support/instance.ts';

const LAUNCHER = 'podvisor.local/virt-launcher:test';
const API = 'podvisor.local/virt-api:test';

describe('images', { concurrency: 1 }, () => {
  let instance: Instance;
  let built: CommandResult;
  const isSkipped = (): boolean => /does not have all packages/.test(built.stderr);
  const saved = (name: string): string => `${instance.home}.images/${name}.tar`;

  before(async () => {
    instance = await Instance.prepare();
    const names = ['virt-launcher', 'virt-api'];
    built = await instance.podvisor([
      ...['images', 'build', ...names, '--offline', '--tag', 'test', '--save', `${instance.home}.images`],
    ]);
  });
  after(async () => {
    await instance?.purge();
    rmSync(`${instance?.home}.images`, { recursive: true, force: true });
  });

  test('a guest boots in the launcher’s image', async (t) => {
    if (isSkipped())
      return t.skip('no packages in the cache: ./podvisor images build virt-launcher virt-api');
    assert.equal(built.code, 0, built.stderr);
    const up = await instance.up('--launcher-image', LAUNCHER);
    assert.equal(up.code, 0, up.stderr);
    for (const [name, reference] of [
      ['virt-launcher', LAUNCHER],
      ['virt-api', API],
    ] as const) {
      const imported = await instance.podvisor(['image', 'import', saved(name), reference]);
      assert.equal(imported.code, 0, imported.stderr);
    }
    const { code, stdout, stderr } = await instance.up(`${root}/examples/hello.yaml`);
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    const { items } = await instance.client.list(resources.pods, {
      labelSelector: 'kubevirt.io=virt-launcher',
    });
    const [compute] = items[0]?.spec.containers ?? [];
    assert.equal(compute?.image, LAUNCHER);
    const name = items[0]?.metadata.name ?? '';
    const mounted = await instance.kubectl(
      'exec',
      name,
      '-c',
      'compute',
      '--',
      'sh',
      '-c',
      'exec </etc/shadow',
    );
    assert.match(mounted.stderr, /No such file/, 'the root is the image, not the machine');
    const { stdout: map } = await instance.kubectl(
      'exec',
      name,
      '-c',
      'compute',
      '--',
      'sh',
      '-c',
      // The image has no cat.
      'read map </proc/self/uid_map && echo "$map"',
    );
    const [, first = 0] = map.trim().split(/\s+/).map(Number);
    assert.ok(first >= 0x7000_0000, `a user of the machine that nobody else is: ${map}`);
  });

  test('virt-api starts from its image without rights, and names the flag that is missing', async (t) => {
    if (isSkipped())
      return t.skip('no packages in the cache: ./podvisor images build virt-launcher virt-api');
    await instance.client.create(resources.pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name: 'api-image' },
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            name: 'virt-api',
            image: API,
            securityContext: {
              runAsNonRoot: true,
              readOnlyRootFilesystem: true,
              allowPrivilegeEscalation: false,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      },
    });
    await eventually('the Pod has ended', 60_000, async () => {
      const pod = await instance.client.find(resources.pods, { namespace: 'default', name: 'api-image' });
      return pod?.status?.phase === 'Failed' ? pod : undefined;
    });
    assert.match((await instance.kubectl('logs', 'api-image')).stdout, /virt-api cannot run|tls-dir/);
  });
});
