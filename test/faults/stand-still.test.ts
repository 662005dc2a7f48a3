/**
 * Things that stop without ending: QEMU, libvirtd, the API server, the disk. Whoever waits for them waits; nobody takes
 * silence for death, starts a second guest, or asks for everything at once afterwards. Then the programs change under
 * running guests, and certificates end while the machine is off. PODVISOR_STAND_STILL_SECONDS makes each last longer.
 * The tests share a home, on a small disk of its own.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { resources } from '@podvisor/kube';
import { instancePaths, readInstanceConfig } from '@podvisor/sys';
import { ensurePki } from '../../packages/cluster/src/pki-bootstrap/ensure-pki.ts';
import { SmallDisk } from '../robustness/small-disk.ts';
import { eventually } from '../support/eventually.ts';
import { GuestPage } from '../support/guests/guest-page.ts';
import { Instance, root } from '../support/instance.ts';
import { nextPrograms } from '../support/next-programs.ts';

const STILL_MS = Number(process.env['PODVISOR_STAND_STILL_SECONDS'] ?? 15) * 1000;
const GIB = 1024 ** 3;
const YEAR_MS = 366 * 86_400_000;
const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- level: Metadata
  verbs: [list]
`;

/** Stops a process for a while; it goes on whatever happens meanwhile. */
async function stopped(pid: number, meanwhile: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await meanwhile();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

describe('things that stand still', { concurrency: 1 }, () => {
  let directory: string;
  let disk: SmallDisk;
  let instance: Instance;
  let guest: GuestPage;
  let uid: string | undefined;
  let bootId: string;

  /** The same guest as ever: not failed, not started anew, and it answers. */
  const isUnharmed = async (): Promise<void> => {
    await eventually('the guest answers', 60_000, async () =>
      (await guest.page()) === bootId ? true : undefined,
    );
    const { metadata, status } = await guest.vmi();
    assert.equal(metadata?.uid, uid);
    assert.equal(status?.phase, 'Running');
    await guest.obeys();
  };
  const configMap = (name: string, text = ''): Promise<unknown> =>
    instance.client.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
      data: { text },
    });

  before(async () => {
    directory = mkdtempSync('/var/tmp/pv-');
    disk = new SmallDisk(directory, 1.5 * GIB);
    instance = await Instance.prepare(disk.mountPoint);
    writeFileSync(join(instance.home, 'audit-policy.yaml'), AUDIT_POLICY);
    guest = await GuestPage.up(instance, 'still');
    bootId = await guest.page();
    uid = (await guest.vmi()).metadata?.uid;
  });
  after(async () => {
    await instance?.purge();
    disk?.[Symbol.dispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  test('QEMU: the VMI stays as it is, no second guest is started, and it goes on', async () => {
    await stopped(await guest.pidOf(/qemu-system/), async () => {
      await delay(STILL_MS);
      const { metadata, status } = await guest.vmi();
      assert.equal(metadata?.uid, uid);
      assert.ok(status?.phase === 'Running' || status?.phase === 'Unknown', `phase ${status?.phase}`);
    });
    await isUnharmed();
  });

  test('libvirtd: the guest does not notice, and is managed again afterwards', async () => {
    await stopped(await guest.pidOf(/libvirtd/), async () => {
      await delay(STILL_MS);
      assert.equal(await guest.page(), bootId);
      assert.equal((await guest.vmi()).status?.phase, 'Running');
    });
    await isUnharmed();
  });

  test('the API server: guests go on, and whoever comes back lists what it watches once at most', async () => {
    const address = await guest.address();
    const audit = join(instance.home, 'control-plane/audit.log');
    await stopped(await instance.pidOf('control-plane'), async () => {
      await delay(STILL_MS);
      assert.equal(await guest.page(address), bootId);
    });
    const from = readFileSync(audit, 'utf8').length;
    await isUnharmed();
    await delay(5_000); // whoever wants to list again has done so
    const lists = new Map<string, number>();
    for (const line of readFileSync(audit, 'utf8').slice(from).split('\n').filter(Boolean)) {
      const { user, requestURI, verb } = JSON.parse(line) as AuditLine;
      // This test itself, kubectl and virtctl are no informers.
      if (verb !== 'list' || user?.username === 'kubernetes-admin' || user?.username === 'admin') continue;
      const key = `${user?.username} ${requestURI}`;
      lists.set(key, (lists.get(key) ?? 0) + 1);
    }
    assert.deepEqual(
      [...lists].filter(([, count]) => count > 1),
      [],
    );
  });

  test('the disk of the home: everything waits, and nothing is started twice', async () => {
    // virt-controller lets go of its lease when it cannot renew it, and takes it again: it alone may be a new process.
    const pids = async (): Promise<readonly number[]> =>
      Promise.all(
        ['control-plane', 'node-agent', 'virt-api', 'virt-handler-node-1'].map((name) =>
          instance.pidOf(name),
        ),
      );
    const earlier = await pids();
    const address = await guest.address();
    disk.freeze();
    try {
      await delay(STILL_MS);
      assert.equal(await guest.page(address), bootId);
    } finally {
      disk.thaw();
    }
    await isUnharmed();
    assert.deepEqual(await pids(), earlier, 'no process gave up');
  });

  test('a full disk: the guest runs, reads work, writes say why they do not, and all heals by itself', async () => {
    await configMap('before');
    disk.fill();
    try {
      await assert.rejects(async () => {
        // The store has a reserve of 32 MiB, and room of its own: some writes fit.
        for (let i = 0; i < 400; i += 1)
          await configMap(`full-${i}`, randomBytes(384 * 1024).toString('hex'));
      }, /space|full/i);
      assert.equal(await guest.page(), bootId);
      const found = await instance.client.get(resources.configMaps, { namespace: 'default', name: 'before' });
      assert.equal(found.metadata?.name, 'before');
    } finally {
      disk.empty();
    }
    await eventually('writes work again', 60_000, async () => {
      await configMap('after');
      return true;
    });
    await isUnharmed();
  });

  test('other programs, and back: every process is replaced, no guest is', async () => {
    const next = nextPrograms(directory);
    for (const from of [next, root]) {
      const before = await instance.pidOf('control-plane');
      const { code, stdout, stderr } = await instance.upFrom(from);
      assert.equal(code, 0, stdout + stderr);
      assert.notEqual(await instance.pidOf('control-plane'), before, 'the programs were replaced');
      await isUnharmed();
    }
  });

  test('certificates that ended while the machine was off are new when it is on again', async () => {
    assert.equal((await instance.podvisor(['down', '--timeout', '30'])).code, 0);
    const paths = instancePaths(instance.home);
    const cas = ['ca', 'front-proxy-ca', 'kubevirt-ca'].flatMap((name) => [`${name}.crt`, `${name}.key`]);
    const kept = join(directory, 'cas');
    mkdirSync(kept);
    for (const file of [...cas, 'sa.key', 'sa.pub', 'encryption.yaml'])
      cpSync(join(paths.pki, file), join(kept, file));
    rmSync(paths.pki, { recursive: true });
    cpSync(kept, paths.pki, { recursive: true });
    ensurePki(paths, readInstanceConfig(instance.home), Date.now() - YEAR_MS);
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    await eventually('the guest is back', 120_000, () => guest.page());
    await guest.obeys();
  });
});

interface AuditLine {
  readonly verb?: string;
  readonly user?: { readonly username?: string };
  readonly requestURI?: string;
}
