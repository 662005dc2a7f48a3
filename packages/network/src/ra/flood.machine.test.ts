/** A guest that asks for its router again and again, in network namespaces. Needs root. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@podvisor/base';
import { createNetns, ipBatch, netnsPath, removeNetns, runInNetns } from '@podvisor/sys';
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

const FLOOD = `
import socket,time
s=socket.socket(socket.AF_INET6,socket.SOCK_RAW,58)
s.setsockopt(socket.SOL_SOCKET,25,b'nic0')
s.setsockopt(41,18,255)
end=time.time()+2
while time.time()<end:
    try: s.sendto(bytes([133,0,0,0,0,0,0,0]),('ff02::2',0,0,socket.if_nametoindex('nic0')))
    except OSError: pass
`;

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
  await runInNetns(netnsPath(GUEST), 'python3', ['-c', FLOOD]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.ok(looked > 2 && looked < 1000, `${looked} solicitations were looked at`);
});
