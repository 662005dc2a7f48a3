/** A guest that asks for its router again and again, in network namespaces. Needs root. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@podvisor/base';
import { createNetns, ipBatch, listLinks, netnsPath, removeNetns, run, runInNetns } from '@podvisor/sys';
import { routerSolicitation } from '../../../sys/src/testing/frames.ts';
import { RouterAdvertiser } from './advertiser.ts';

const [POD, GUEST] = [`pvt${process.pid}-ra-pod`, `pvt${process.pid}-ra-guest`];
before(async () => {
  for (const name of [POD, GUEST]) await createNetns(name);
  await ipBatch(netnsPath(POD), [
    `link add br0 type veth peer name nic0 netns ${GUEST}`,
    'addr add fe80::1/64 dev br0 nodad',
    'link set br0 up',
  ]);
  await ipBatch(netnsPath(GUEST), ['addr add fe80::2/64 dev nic0 nodad', 'link set nic0 up']);
});
after(() => {
  for (const name of [POD, GUEST]) removeNetns(name);
});

test('a flood of solicitations costs the process of all guests no more than a few of them', async () => {
  let looked = 0;
  const clock = {
    ...systemClock,
    now: () => systemClock.now(),
    after: (...args: Parameters<typeof systemClock.after>) => systemClock.after(...args),
    elapsed: () => {
      looked += 1;
      return systemClock.elapsed();
    },
  };
  await runInNetns(netnsPath(POD), 'sysctl', ['-qw', 'net.ipv6.conf.all.forwarding=1']);
  using _advertiser = RouterAdvertiser.start({
    nsPath: netnsPath(POD),
    device: 'br0',
    guestMac: '02:00:00:00:00:05',
    config: {
      prefix: 'fd10:0:2::/120',
      routerMac: '02:00:00:00:00:00',
      mtu: 1500,
      dnsServers: [],
      searchDomains: [],
    },
    clock,
    onEnd: assert.fail,
  });
  const nic = (await listLinks(netnsPath(GUEST))).find(({ ifname }) => ifname === 'nic0');
  const frame = Buffer.from(routerSolicitation(nic?.address ?? '', 'fe80::2')).toString('hex');
  const script = new URL('../../../sys/src/testing/flood.ts', import.meta.url).pathname;
  const { stdout } = await run(process.execPath, [script, netnsPath(GUEST), `${nic?.ifindex}`, frame]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.ok(Number(stdout) > 2000, `only ${stdout} solicitations were sent`);
  assert.ok(looked > 2 && looked < 1000, `${looked} solicitations were looked at`);
});
