import { systemClock } from '@podvisor/base';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Interface } from '@podvisor/api';
import { ipBatch, listLinks, listRoutes, nftTable, type Route, runInNetns } from '@podvisor/sys';
import { applyActions, observeNetns } from './apply.ts';
import type { Action, BindingPlan, BindingSpec } from './binding.ts';
import { undoBridge } from './bridge/undo.ts';
import { undoMasquerade } from './masquerade/undo.ts';
import { planBinding } from './plan.ts';
import { describePodNic, type PodNic } from './pod-nic.ts';
import { RouterAdvertiser } from './ra/advertiser.ts';
import { LAN_ADDRESS, LAN_ADDRESS6, POD_ADDRESS, POD_ADDRESS6, POD_MAC, PodStandIn } from './testing/pod.ts';

let net: PodStandIn;
let nic: PodNic;

beforeEach(async () => {
  net = await PodStandIn.create();
  const { links, routes } = await observeNetns(net.pod);
  const found = describePodNic('eth0', links, routes);
  assert.ok(found);
  nic = found;
});
afterEach(() => net.dispose());

function specOf(nicSpec: Partial<Interface>, queueCount = 1): BindingSpec {
  return {
    interface: { name: 'default', ...nicSpec },
    network: { name: 'default', pod: {} },
    index: 0,
    queueCount,
    guest: {
      hostname: 'hello',
      dnsServers: ['10.96.0.10'],
      dnsServers6: ['fd00:96::a'],
      searchDomains: ['shop.svc.cluster.local', 'cluster.local'],
    },
  };
}

async function bind(spec: BindingSpec): Promise<BindingPlan> {
  const plan = planBinding(spec, nic, await observeNetns(net.pod));
  await applyActions(net.pod, plan.actions);
  return plan;
}

/** Everything that a binding may change, in comparable form. */
async function snapshot(): Promise<unknown> {
  const links = await listLinks(net.pod);
  return {
    // The kernel gives a TAP its MAC address by chance.
    links: links.map((l) => [
      l.ifname,
      l.ifname === 'tap0' || l.address,
      l.mtu,
      l.master,
      l.addr_info.filter((a) => a.family === 'inet').map((a) => a.local),
    ]),
    routes: (await listRoutes(net.pod)).map((r) => [r.dst, r.gateway, r.dev]),
    nat: (await nftTable(net.pod, 'ip', 'nat'))?.replace(/packets \d+ bytes \d+/g, ''),
  };
}

async function ping(nsPath: string, address: string): Promise<void> {
  await runInNetns(nsPath, 'ping', ['-c', '1', '-W', '2', address]);
}

/** `ip` shows the name of an owner where the machine has one for the number. */
function asIpShows(file: 'passwd' | 'group', id: number): string | number {
  const line = readFileSync(`/etc/${file}`, 'utf8')
    .split('\n')
    .find((entry) => entry.split(':')[2] === String(id));
  return line?.split(':')[0] ?? id;
}

describe('masquerade', () => {
  test('lease, NAT both ways, TAP of the right owner, idempotent, undone without a trace', async () => {
    const before = await snapshot();
    const spec = specOf(
      { masquerade: {}, dhcpOptions: { bootFileName: 'pxe.0', ntpServers: ['10.1.1.1'] } },
      2,
    );
    const { attachment } = await bind(spec);
    const [tap] = JSON.parse((await runInNetns(net.pod, 'ip', ['-j', '-d', 'link', 'show', 'tap0'])).stdout);
    const { type, vnet_hdr, multi_queue, user, group, persist } = tap.linkinfo.info_data;
    assert.deepEqual(
      [type, vnet_hdr, multi_queue, user, group, persist],
      ['tap', true, true, asIpShows('passwd', 107), asIpShows('group', 107), true],
    );
    await net.plugGuest(attachment);
    await net.serveDhcp(attachment);
    const lease = await net.requestLease();
    assert.equal(lease['ip'], '10.0.2.2');
    assert.equal(lease['mask'], '24');
    assert.equal(lease['router'], '10.0.2.1');
    assert.equal(lease['dns'], '10.96.0.10');
    assert.equal(lease['mtu'], '1450');
    assert.equal(lease['hostname'], 'hello');
    assert.equal(lease['domain'], 'shop.svc.cluster.local');
    assert.equal(lease['search'], 'shop.svc.cluster.local cluster.local');
    assert.equal(lease['lease'], String(86400 * 999));
    assert.equal(lease['ntpsrv'], '10.1.1.1');

    await ping(net.guest, LAN_ADDRESS);
    await net.serveTcp(net.lan, 8080, 'world');
    assert.equal(await net.readTcp(net.guest, LAN_ADDRESS, 8080), `world ${POD_ADDRESS}`);
    await net.serveTcp(net.guest, 80, 'guest');
    assert.equal(await net.readTcp(net.lan, POD_ADDRESS, 80), `guest ${LAN_ADDRESS}`);
    assert.equal(await net.readTcp(net.pod, '127.0.0.1', 80), 'guest 10.0.2.1');

    const after = await snapshot();
    await bind(spec);
    assert.deepEqual(await snapshot(), after, 'a second time changes nothing');
    await ipBatch(net.pod, ['link del tap0']);
    await bind(spec);
    assert.ok(
      (await listLinks(net.pod)).some((l) => l.ifname === 'tap0'),
      'what is missing is made again',
    );

    await ipBatch(net.pod, ['link del guestport']);
    await applyActions(net.pod, undoMasquerade('eth0', await observeNetns(net.pod)));
    assert.deepEqual(await snapshot(), before);
  });

  test('with ports, only those reach the guest', async () => {
    const { attachment } = await bind(
      specOf({ masquerade: {}, ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] }),
    );
    await net.plugGuest(attachment);
    await net.serveDhcp(attachment);
    await net.requestLease();
    await net.serveTcp(net.guest, 80, 'guest');
    await net.serveTcp(net.guest, 81, 'hidden');
    assert.equal(await net.readTcp(net.lan, POD_ADDRESS, 80), `guest ${LAN_ADDRESS}`);
    assert.equal(await net.readTcp(net.lan, POD_ADDRESS, 81), 'ECONNREFUSED');
  });
});

describe('masquerade with IPv6', () => {
  for (const families of ['ipv6', 'dual'] as const)
    test(`${families}: address by DHCPv6, way out by router advertisement, NAT both ways`, async () => {
      await net.dispose();
      net = await PodStandIn.create(families);
      const { links, routes, routes6 } = await observeNetns(net.pod);
      const found = describePodNic('eth0', links, routes, routes6);
      assert.ok(found);
      nic = found;
      const spec = specOf({ masquerade: {}, ports: [{ port: 80 }] });
      const { attachment } = await bind(spec);
      assert.equal(attachment.dhcp !== undefined, families === 'dual');
      const { routerAdvertisement: config, bridge: device = '' } = attachment;
      assert.ok(config);
      const ended: string[] = [];
      using _advertiser = RouterAdvertiser.start({
        nsPath: net.pod,
        device,
        guestMac: attachment.mac,
        config,
        clock: systemClock,
        onEnd: (why) => ended.push(why),
      });
      await net.plugGuest(attachment);
      await net.serveDhcp(attachment);
      if (families === 'dual') assert.equal((await net.requestLease())['ip'], '10.0.2.2');
      const lease = await net.requestLease6();
      assert.equal(lease.address, 'fd10:0:2::2');
      assert.deepEqual(lease.options.toSorted(), [1, 2, 23, 24, 3, 39].toSorted());
      const learnt = await routeOfGuest();
      assert.deepEqual([learnt.gateway, learnt.protocol], ['fe80::1', 'ra']);
      const mtu = await runInNetns(net.guest, 'sysctl', ['-n', 'net.ipv6.conf.nic0.mtu']);
      assert.equal(mtu.stdout.trim(), '1450');

      await ping(net.guest, LAN_ADDRESS6);
      await net.serveTcp(net.lan, 8080, 'world');
      assert.equal(await net.readTcp(net.guest, LAN_ADDRESS6, 8080), `world ${POD_ADDRESS6}`);
      await net.serveTcp(net.guest, 80, 'guest');
      await net.serveTcp(net.guest, 81, 'hidden');
      assert.equal(await net.readTcp(net.lan, POD_ADDRESS6, 80), `guest ${LAN_ADDRESS6}`);
      assert.equal(await net.readTcp(net.lan, POD_ADDRESS6, 81), 'ECONNREFUSED');
      await bind(spec);
      assert.equal(await net.readTcp(net.lan, POD_ADDRESS6, 80), `guest ${LAN_ADDRESS6}`, 'repeated');
      assert.deepEqual(ended, []);
    });
});

/** The guest's IPv6 default route; the kernel asks a second after the link comes up. */
async function routeOfGuest(): Promise<Route> {
  for (let i = 0; ; i += 1) {
    const found = (await listRoutes(net.guest, 6)).find((r) => r.dst === 'default');
    if (found !== undefined) return found;
    assert.ok(i < 60, 'the guest has no default route');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('bridge', () => {
  test('the guest takes the address of the Pod; idempotent, completed when half done, undone', async () => {
    const before = await snapshot();
    const spec = specOf({ bridge: {} });
    const plan = planBinding(spec, nic, await observeNetns(net.pod));
    const commands = plan.actions.flatMap((a) => (a.kind === 'ip' ? a.commands : []));
    // As if the process had died between any two commands: the next attempt finishes the work.
    let done: unknown;
    for (let cut = 0; cut <= commands.length; cut += 1) {
      await ipBatch(net.pod, commands.slice(0, cut));
      await bind(spec);
      done ??= await snapshot();
      assert.deepEqual(await snapshot(), done, `after ${cut} commands`);
      await applyActions(net.pod, undoBridge(nic, await observeNetns(net.pod)));
      assert.deepEqual(await snapshot(), before, `undone after ${cut} commands`);
    }
    await bind(spec);
    await bind(spec);
    assert.deepEqual(await snapshot(), done);

    const { attachment } = plan;
    assert.equal(attachment.mac, POD_MAC);
    await net.plugGuest(attachment);
    await net.serveDhcp(attachment);
    const lease = await net.requestLease();
    assert.equal(lease['ip'], POD_ADDRESS);
    assert.equal(lease['router'], LAN_ADDRESS);
    assert.equal(lease['serverid'], '169.254.75.10');
    assert.match(lease['staticroutes'] ?? '', /^10\.96\.0\.0\/12 10\.244\.0\.1 0\.0\.0\.0\/0 10\.244\.0\.1$/);
    await ping(net.guest, LAN_ADDRESS);
    await net.serveTcp(net.guest, 80, 'guest');
    assert.equal(await net.readTcp(net.lan, POD_ADDRESS, 80), `guest ${LAN_ADDRESS}`);
    const seen = await runInNetns(net.lan, 'ip', ['-j', 'neigh', 'show', POD_ADDRESS]);
    assert.equal(JSON.parse(seen.stdout)[0].lladdr, POD_MAC, 'only the guest answers for the address');
    const placeholder = (await listLinks(net.pod)).find((l) => l.ifname === 'eth0');
    assert.equal(placeholder?.addr_info[0]?.local, POD_ADDRESS, 'the address stays visible in the Pod');

    await ipBatch(net.pod, ['link del guestport']);
    await applyActions(net.pod, undoBridge(nic, await observeNetns(net.pod)));
    assert.deepEqual(await snapshot(), before);
  });
});

describe('virt-handler dies between any two steps of phase 1', () => {
  /** Each command a step of its own, as the kernel sees them. */
  const stepsOf = ({ actions }: BindingPlan): readonly Action[] =>
    actions.flatMap((action): readonly Action[] =>
      action.kind === 'ip'
        ? action.commands.map((command) => ({ kind: 'ip', commands: [command] }))
        : [action],
    );
  /** Both families; what is private to the kernel left out. */
  const state = async (): Promise<unknown> => ({
    ...((await snapshot()) as object),
    nat6: (await nftTable(net.pod, 'ip6', 'nat'))?.replace(/packets \d+ bytes \d+/g, ''),
    talk: await nftTable(net.pod, 'bridge', 'k6t-eth0'),
    routes6: (await listRoutes(net.pod, 6))
      .filter(({ dst, dev }) => dst !== 'fe80::/64' && dev !== 'tap0')
      .map((r) => [r.dst, r.gateway, r.dev]),
  });
  for (const binding of ['masquerade', 'bridge'] as const)
    test(`${binding}, both families: completed by the next, or undone`, async () => {
      await net.dispose();
      net = await PodStandIn.create('dual');
      const { links, routes, routes6 } = await observeNetns(net.pod);
      nic = describePodNic('eth0', links, routes, routes6) ?? assert.fail('no eth0');
      const spec = specOf({ [binding]: {} });
      const undo = async (): Promise<void> => {
        const now = await observeNetns(net.pod);
        await applyActions(
          net.pod,
          binding === 'bridge' ? undoBridge(nic, now) : undoMasquerade('eth0', now),
        );
      };
      const before = await state();
      const steps = stepsOf(await bind(spec));
      const done = await state();
      await undo();
      assert.deepEqual(await state(), before, 'undone when whole');
      for (let cut = 1; cut < steps.length; cut += 1) {
        await applyActions(net.pod, steps.slice(0, cut));
        if (cut % 2 === 0) {
          await bind(spec);
          assert.deepEqual(await state(), done, `completed after ${cut} of ${steps.length} steps`);
        }
        await undo();
        assert.deepEqual(await state(), before, `undone after ${cut} of ${steps.length} steps`);
      }
    });
});
