/**
 * Attacks that worked on other systems, performed on this one by a guest and by a tenant with claims; each is named
 * after its CVE. Those on identities, sockets, patches, nodes and Pods are beside the code that they attack
 * (docs/security.md has the table). One home for all.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { KubernetesObject, VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { isStatus } from '@podvisor/base';
import { defineResource, issueCertificate, loadKubeconfig, readKeyPair, resources } from '@podvisor/kube';
import { readInstanceConfig } from '@podvisor/sys';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { claimWith, writeDisk } from '../support/disk-claim.ts';
import { eventually } from '../support/eventually.ts';
import { GuestPage } from '../support/guests/guest-page.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { Instance, root } from '../support/instance.ts';

const DISK_BYTES = 512 * 1024;
const NICS = 10_000;
/** What a guest may cost the node agent and its own launcher, whatever it writes. */
const MAX_GROWTH_MIB = 96;
const METRICS_PORT = '/dev/virtio-ports/org.github.vhostmd.1';

/** In the words of the API server, or of virt-api, which asks again. */
const REFUSED = /forbidden|cannot get/i;

interface Export extends KubernetesObject {
  readonly spec: object;
  readonly status?: {
    readonly phase?: string;
    readonly serviceName?: string;
    readonly links?: { readonly internal?: object };
  };
}
const exports = defineResource<Export>(
  'VirtualMachineExport',
  'virtualmachineexports',
  'export.kubevirt.io/v1',
  'Namespaced',
);

/**
 * An agent that answers every question about the guest's NICs with thousands of them. Its port reads as ended for as
 * long as nobody listens: it stays open all the same, because libvirt listens only to a port that is open.
 */
const AGENT = `#!/bin/sh
exec 3<>/dev/virtio-ports/org.qemu.guest_agent.0
while :; do
  read -r line <&3 || { usleep 100000; continue; }
  case $line in
    *sync-delimited*) printf '\\\\377{"return":%s}\\\\n' "$(echo "$line" | sed 's/.*"id"[^0-9]*\\\\([0-9]*\\\\).*/\\\\1/')" >&3 ;;
    *guest-sync*) printf '{"return":%s}\\\\n' "$(echo "$line" | sed 's/.*"id"[^0-9]*\\\\([0-9]*\\\\).*/\\\\1/')" >&3 ;;
    *get-interfaces*) cat /tmp/nics >&3; echo asked >> /tmp/asked ;;
    *) echo '{"return":{}}' >&3 ;;
  esac
done
`;
const NIC_LIST = `awk 'BEGIN { printf "{\\"return\\":["; for (i = 0; i < ${NICS}; i++) printf "%s{\\"name\\":\\"n%d\\",\\"hardware-address\\":\\"02:00:00:00:%02x:%02x\\",\\"ip-addresses\\":[{\\"ip-address\\":\\"10.9.%d.%d\\",\\"ip-address-type\\":\\"ipv4\\",\\"prefix\\":8}]}", (i ? "," : ""), i, i / 256, i % 256, i / 256, i % 256; print "]}" }' > /tmp/nics`;

function rssMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** qcow2 whose data is a file of the machine: whoever opens it without saying that it is raw reads that file. */
function pointingImage(): Buffer {
  const image = Buffer.alloc(DISK_BYTES);
  image.writeUInt32BE(0x514649fb, 0);
  image.writeUInt32BE(2, 4);
  image.writeBigUInt64BE(512n, 8);
  image.writeUInt32BE('/etc/passwd'.length, 16);
  image.writeUInt32BE(16, 20);
  image.writeBigUInt64BE(BigInt(DISK_BYTES), 24);
  image.write('/etc/passwd', 512);
  return image;
}

/** With the metrics channel, a console log, and a claim whose disk points at a file of the machine. */
function hostileVm(): VirtualMachine {
  const vm = bootIdVm('hostile');
  const { template } = vm.spec;
  const { domain, volumes = [], ...others } = template.spec ?? {};
  const devices = {
    ...domain?.devices,
    downwardMetrics: {},
    logSerialConsole: true,
    disks: [
      ...(domain?.devices?.disks ?? []),
      { name: 'claim', disk: { bus: 'virtio' as const }, serial: 'CLAIM' },
    ],
  };
  const claim = { name: 'claim', persistentVolumeClaim: { claimName: 'pointing' } };
  const spec = { ...others, domain: { ...domain, devices }, volumes: [...volumes, claim] };
  return { ...vm, spec: { ...vm.spec, template: { ...template, spec } } };
}

function bareVmi(name: string, volume: object): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'default' },
    spec: {
      domain: { memory: { guest: '32Mi' }, devices: { disks: [{ name: 'disk', disk: { bus: 'virtio' } }] } },
      terminationGracePeriodSeconds: 0,
      volumes: [{ name: 'disk', ...volume }],
    },
  };
}

describe('known attacks of guests and tenants', { concurrency: 1 }, () => {
  let instance: Instance;
  let hostile: GuestPage;
  let victims: string;
  let shell: GuestShell;

  const handlerPid = (): Promise<number> => instance.pidOf('virt-handler-node-1');
  const launcherPid = (): Promise<number> => hostile.pidOf(/virt-launcher\.mjs/);
  /** Runs an attack; neither the node agent nor the launcher may grow much, or be another one afterwards. */
  const bounded = async (attack: () => Promise<void>): Promise<void> => {
    const pids = [await handlerPid(), await launcherPid()];
    const earlier = pids.map(rssMib);
    let highest = earlier;
    const watcher = setInterval(
      () => (highest = pids.map((pid, i) => Math.max(highest[i] ?? 0, rssMib(pid)))),
      200,
    );
    try {
      await attack();
    } finally {
      clearInterval(watcher);
    }
    assert.deepEqual([await handlerPid(), await launcherPid()], pids, 'the same processes');
    for (const [i, rss] of highest.entries())
      assert.ok(
        rss - (earlier[i] ?? 0) < MAX_GROWTH_MIB,
        `process ${i} grew from ${earlier[i]} to ${rss} MiB`,
      );
  };

  before(async () => {
    instance = await Instance.prepare();
    victims = mkdtempSync('/var/tmp/podvisor-victims-');
    const up = await instance.up(`${root}/examples/hello.yaml`);
    assert.equal(up.code, 0, up.stdout + up.stderr);
    await claimWith(instance, 'pointing', (directory) => void writeDisk(directory, pointingImage()));
    const gates = {
      spec: { configuration: { developerConfiguration: { featureGates: ['DownwardMetrics', 'HostDisk'] } } },
    };
    const patched = await instance.kubectl(
      ...['patch', 'kubevirt', 'kubevirt', '-n', 'kubevirt', '--type', 'merge', '-p', JSON.stringify(gates)],
    );
    assert.equal(patched.code, 0, patched.stderr);
    hostile = await eventually('the VM is accepted', 60_000, () => GuestPage.create(instance, hostileVm()));
    await hostile.ready();
    shell = await GuestShell.open(instance, 'hostile');
  });
  after(async () => {
    await shell?.close();
    await instance?.purge();
    rmSync(victims, { recursive: true, force: true });
  });

  test('CVE-2026-24708 (Nova): a raw disk that says it is qcow2 with a backing file stays raw', async () => {
    const device = await shell.run(
      'for d in /sys/block/vd*; do [ "$(cat $d/serial)" = CLAIM ] && echo /dev/${d##*/}; done',
    );
    assert.equal(await shell.run(`head -c 3 ${device}`), 'QFI');
    assert.equal(await shell.run(`grep -c root: ${device} || true`), '0', 'nothing of the machine is in it');
  });

  test('CVE-2025-14525: ten thousand NICs from the guest agent neither fill the status nor stop its updates', async () => {
    const script = Buffer.from(AGENT.replaceAll('\\\\', '\\')).toString('base64');
    await bounded(async () => {
      await shell.run(NIC_LIST, 120_000);
      await shell.run(
        `echo ${script} | base64 -d > /usr/sbin/agent; chmod 755 /usr/sbin/agent; killall qemu-ga; sleep 1; true`,
      );
      await shell.run('until [ -e /tmp/asked ]; do sleep 1; done', 180_000);
      await eventually('what the agent said is in the status', 60_000, async () =>
        ((await hostile.vmi()).status?.interfaces?.length ?? 0) > 1 ? true : undefined,
      );
    });
    const vmi = await hostile.vmi();
    assert.ok((vmi.status?.interfaces?.length ?? 0) <= 65, `${vmi.status?.interfaces?.length} interfaces`);
    assert.ok(JSON.stringify(vmi).length < 100_000, `${JSON.stringify(vmi).length} bytes`);
    await hostile.obeys();
  });

  test('CVE-2026-13322: lines without end, on the metrics channel and on the console, cost nobody memory', async () => {
    await bounded(async () => {
      // Nearly three times what anybody may grow by.
      await shell.run(`dd if=/dev/zero of=${METRICS_PORT} bs=1M count=256 2>/dev/null`, 300_000);
      await shell.run('dd if=/dev/zero of=/dev/ttyS0 bs=64k count=16 2>/dev/null', 300_000);
    });
    await hostile.obeys();
  });

  test('CVE-2026-9804: an export of a claim with links that lead out shows nothing of the machine', async () => {
    await claimWith(instance, 'links', (directory) => {
      writeFileSync(join(directory, 'own'), 'mine');
      symlinkSync('/etc/passwd', join(directory, 'passwd'));
      symlinkSync('/', join(directory, 'machine'));
      symlinkSync('/etc/passwd', join(directory, 'disk.img'));
    });
    const key = { namespace: 'default', name: 'links' };
    await instance.client.create(resources.secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...key, name: 'token' },
      stringData: { token: 'sesame' },
    });
    await instance.client.create(exports, {
      apiVersion: 'export.kubevirt.io/v1',
      kind: 'VirtualMachineExport',
      metadata: key,
      spec: {
        tokenSecretRef: 'token',
        source: { apiGroup: '', kind: 'PersistentVolumeClaim', name: 'links' },
      },
    });
    const { status } = await eventually('the export is ready', 120_000, async () => {
      const found = await instance.client.get(exports, key);
      return found.status?.phase === 'Ready' ? found : undefined;
    });
    const service = await instance.client.get(resources.services, {
      ...key,
      name: status?.serviceName ?? '',
    });
    const get = (path: string): Promise<{ readonly code: number; readonly body: string }> =>
      new Promise((resolve, reject) => {
        const options = {
          host: (service as { spec?: { clusterIP?: string } }).spec?.clusterIP,
          path: `/volumes/links/${path}`,
          rejectUnauthorized: false,
          headers: { 'x-kubevirt-export-token': 'sesame' },
        };
        request(options, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
          );
          response.on('error', reject);
        })
          .on('error', reject)
          .end();
      });
    // The way through its Service may come a moment after the export.
    const own = await eventually('the export answers', 30_000, () => get('dir/own').catch(() => undefined));
    assert.deepEqual(own, { code: 200, body: 'mine' });
    for (const path of [
      'dir/passwd',
      'dir/machine/etc/passwd',
      'dir/../../../../etc/passwd',
      'dir/%2e%2e/%2e%2e/etc/passwd',
      'disk.img',
    ]) {
      const { code, body } = await get(path);
      assert.ok(code === 404 || code === 400, `${path}: ${code}`);
      assert.ok(!body.includes('root:'), path);
    }
    const listing = await get('dir/');
    assert.ok(listing.body.includes('own') && !listing.body.includes('passwd'), listing.body);
  });

  /** A VMI that gets nothing but this volume; resolves when it is known that it has no guest, or was refused. */
  const hasNoGuest = async (name: string, volume: object): Promise<void> => {
    const created = await instance.client
      .create(resources.virtualMachineInstances, bareVmi(name, volume))
      .then(() => true)
      .catch((error: unknown) => {
        assert.ok(
          isStatus(error, 'Invalid') || isStatus(error, 'Forbidden') || isStatus(error, 'BadRequest'),
          String(error),
        );
        return false;
      });
    if (!created) return;
    const key = { namespace: 'default', name };
    await eventually(`${name} says why it does not start`, 120_000, async () => {
      const { status } = await instance.client.get(resources.virtualMachineInstances, key);
      assert.notEqual(status?.phase, 'Running');
      const events = await instance.kubectl(
        'get',
        'events',
        '--field-selector',
        `involvedObject.name=${name}`,
        '-o',
        'name',
      );
      const isStuck = status?.conditions?.some(
        ({ type, status: is }) => type === 'Synchronized' && is === 'False',
      );
      return status?.phase === 'Failed' || isStuck || /Failed/.test(events.stdout) ? true : undefined;
    });
    await instance.client.delete(resources.virtualMachineInstances, key);
  };

  test('CVE-2025-64324: a host disk gives nobody a file of root', async () => {
    const victim = join(victims, 'disk.img');
    writeFileSync(victim, 'secret', { mode: 0o600 });
    for (const type of ['Disk', 'DiskOrCreate'])
      await hasNoGuest(`host-${type.toLowerCase()}`, {
        hostDisk: { path: victim, type, ...(type === 'Disk' ? {} : { capacity: '1Mi' }) },
      });
    const { uid, mode } = statSync(victim);
    assert.deepEqual([uid, mode & 0o777, readFileSync(victim, 'utf8')], [0, 0o600, 'secret']);
  });

  test('CVE-2025-64432: virt-api believes no user in a header, whatever certificate comes with it', async () => {
    const { virtApiPort } = readInstanceConfig(instance.home);
    const { certificate, key } = loadKubeconfig(`${instance.home}/kubeconfig`);
    const path =
      '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/hostile/guestosinfo';
    const headers = { 'x-remote-user': 'kubernetes-admin', 'x-remote-group': 'system:masters' };
    const codeFor = (identity: { readonly cert?: string | undefined; readonly key?: string | undefined }) =>
      new Promise<number>((resolve) => {
        const options = { host: '127.0.0.1', port: virtApiPort, path, headers, rejectUnauthorized: false };
        request({ ...options, ...identity }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          // Hung up in the handshake.
          .on('error', () => resolve(0))
          .end();
      });
    // As in the CVE: the CA of the front proxy has signed it, for somebody else.
    const ca = readKeyPair(`${instance.home}/pki/front-proxy-ca`);
    const proxy = readKeyPair(`${instance.home}/pki/front-proxy-client`);
    assert.ok(ca !== undefined && proxy !== undefined);
    const issued = ['front-proxy', 'front-proxy-client.evil', 'kubernetes-admin'].map((commonName) =>
      issueCertificate(ca, { commonName, usages: ['client'], now: Date.now() }),
    );
    for (const identity of [
      {},
      { cert: certificate, key },
      ...issued.map((pair) => ({ cert: pair.certificate, key: pair.key })),
    ]) {
      const code = await codeFor(identity);
      assert.ok([0, 401, 403].includes(code), `answered ${code}`);
    }
    const believed = await codeFor({ cert: proxy.certificate, key: proxy.key });
    assert.ok(![0, 401, 403].includes(believed), `the front proxy itself was answered ${believed}`);
  });

  test('CVE-2026-6383: who may see a screen may not take a picture of it, nor anything else that begins like it', async () => {
    const metadata = { name: 'screens', namespace: 'default' };
    const roles = [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata,
        rules: [
          {
            apiGroups: ['subresources.kubevirt.io'],
            resources: ['virtualmachineinstances/vnc'],
            verbs: ['get'],
          },
        ],
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'screens' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer' }],
      },
    ];
    const manifest = join(victims, 'roles.yaml');
    writeFileSync(manifest, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: roles }));
    const applied = await instance.kubectl('apply', '-f', manifest);
    assert.equal(applied.code, 0, applied.stderr);
    const base = '/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/hostile';
    const words = async (path: string): Promise<string> => {
      const { code, stderr } = await instance.kubectl('--as=viewer', 'get', '--raw', `${base}/${path}`);
      assert.notEqual(code, 0, path);
      return stderr;
    };
    // What the role gives is given: only that it is no websocket is in the way.
    await eventually('the role counts', 30_000, async () =>
      REFUSED.test(await words('vnc')) ? undefined : true,
    );
    for (const path of ['vnc/screenshot', 'console', 'guestosinfo', 'portforward/80'])
      assert.match(await words(path), REFUSED, path);
    for (const path of ['vnc/../console', 'vnc%2fscreenshot', 'vncx'])
      assert.match(await words(path), /forbidden|cannot get|not find|NotFound|bad ?request|invalid/i, path);
  });

  test('CVE-2024-31420: a guest that asks for metrics while it is deleted takes nobody with it', async () => {
    const pid = await handlerPid();
    const ask = `exec 3<>${METRICS_PORT}; while :; do printf "GET /metrics/XML\\n\\n" >&3; dd bs=64k count=1 <&3 2>/dev/null >> /tmp/metrics; done`;
    for (let round = 0; round < 2; round += 1) {
      await shell.run(`sh -c '${ask}' > /dev/null 2>&1 & true`);
      await shell.run('until grep -q "<metric" /tmp/metrics; do sleep 1; done', 120_000);
      const { uid } = (await hostile.vmi()).metadata ?? {};
      await instance.client.delete(resources.virtualMachineInstances, {
        namespace: 'default',
        name: 'hostile',
      });
      await eventually('the VM has a new guest', 180_000, async () => {
        const vmi = await hostile.vmi();
        return vmi.metadata?.uid !== uid && vmi.status?.phase === 'Running' ? true : undefined;
      });
      await hostile.ready();
      await shell.close();
      shell = await GuestShell.open(instance, 'hostile');
    }
    assert.equal(await handlerPid(), pid, 'the node agent is the same');
    await eventually('the next guest answers', 120_000, () => hostile.page());
  });
});
