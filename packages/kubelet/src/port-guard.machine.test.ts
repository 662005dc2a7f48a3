/** A Pod that sends what policies do not see, or under another's address, to another Pod of its node. Needs root. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { createNetns, netnsPath, nftApply, nftTable, removeNetns, runInNetns } from '@podvisor/sys';
import { podNetns } from './network/sandbox.ts';
import { Harness } from './testing/harness.ts';

const NETNS = 'pvt23-node';
const harness = new Harness(23, NETNS);
before(async () => {
  await createNetns(NETNS);
  await harness.start();
});
after(async () => {
  await harness.close();
  removeNetns(NETNS);
});

/** Sends one UDP datagram to port 9999 in a frame of its own making: interface, MACs, addresses, bytes before IP. */
const SEND = `
import socket,struct,sys
dev,dmac,smac,dip,sip,tag,dport=sys.argv[1:8]
h=bytes.fromhex
def ck(d):
    s=sum(struct.unpack('!%dH'%((len(d)+1)//2),d+b'\\0'*(len(d)%2)))
    while s>>16: s=(s&0xffff)+(s>>16)
    return ~s&0xffff
six=':' in sip
f=socket.AF_INET6 if six else socket.AF_INET
a=socket.inet_pton(f,sip)+socket.inet_pton(f,dip)
p=('tag'+tag+sip).encode()
u=struct.pack('!HHHH',5000,int(dport),8+len(p),0)+p
u=u[:6]+struct.pack('!H',ck(a+struct.pack('!II' if six else '!HH',*((len(u),17) if six else (17,len(u))))+u))+u[8:]
if six: ip=struct.pack('!IHBB',0x60000000,len(u),17,64)+a+u
else:
    ip=struct.pack('!BBHHHBBH',0x45,0,20+len(u),1,0,64,17,0)+a
    ip=ip[:10]+struct.pack('!H',ck(ip))+ip[12:]+u
s=socket.socket(socket.AF_PACKET,socket.SOCK_RAW);s.bind((dev,0))
s.send(h(dmac)+h(smac)+h(tag)+h('86dd' if six else '0800')+ip)
`;
const HEAR = `
import socket,time
s=socket.socket(socket.AF_INET6,socket.SOCK_DGRAM);s.setsockopt(socket.IPPROTO_IPV6,socket.IPV6_V6ONLY,0)
s.bind(('::',9999));print('ready',flush=True)
while True: print(s.recvfrom(100)[1][0],flush=True)
`;

interface Party {
  readonly ip: string;
  readonly linkLocal: string;
  readonly mac: string;
  readonly netns: string;
}

async function party(name: string): Promise<Party> {
  harness.create(harness.pod(name, { command: ['/bin/sleep', '1000'] }));
  const pod = await harness.phase(name, 'Running');
  const netns = podNetns(harness.context, pod.metadata.uid ?? '') ?? '';
  const { stdout } = await runInNetns(netns, 'ip', ['-j', 'addr', 'show', 'dev', 'eth0']);
  const [link] = JSON.parse(stdout) as { address: string; addr_info: { local: string }[] }[];
  const linkLocal = link?.addr_info.find(({ local }) => local.startsWith('fe80'))?.local ?? '';
  return { ip: pod.status?.podIP ?? '', linkLocal, mac: link?.address.replaceAll(':', '') ?? '', netns };
}

test('a Pod cannot go past policies by tags, link-local addresses or addresses of others', async () => {
  const [evil, victim] = [await party('evil'), await party('victim')];
  // As the enforcer of policies writes it: nobody may reach the victim, but for 10.251.23.77.
  await nftApply(
    netnsPath(NETNS),
    `table inet t {\n chain c {\n ip saddr 10.251.23.77 return\n drop\n }\n chain forward {\n type filter hook forward priority filter; policy accept;\n ip daddr ${victim.ip} jump c\n }\n}\n`,
  );
  const listener = spawn('nsenter', [`--net=${victim.netns}`, 'python3', '-c', HEAR], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let heard = '';
  listener.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  try {
    await once(listener.stdout, 'data');
    const send = (to: string, from: string, tag = '', port = '9999'): Promise<unknown> =>
      runInNetns(evil.netns, 'python3', ['-c', SEND, 'eth0', victim.mac, evil.mac, to, from, tag, port]);
    // The duplicate address detection of the link-local address takes two seconds.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await send(victim.ip, evil.ip);
    for (const tag of ['81000000', '88a80000', '88a8000081000000']) await send(victim.ip, evil.ip, tag);
    await send(victim.linkLocal, evil.linkLocal);
    await send(victim.ip, '10.251.23.77');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(heard.replace('ready\n', ''), '');
    // What is allowed still passes.
    await nftApply(netnsPath(NETNS), 'delete table inet t\n');
    const arrived = once(listener.stdout, 'data', { signal: AbortSignal.timeout(10_000) });
    await send(victim.ip, evil.ip);
    await arrived;
    assert.match(heard, new RegExp(`ffff:${evil.ip}\n`));
  } finally {
    listener.kill();
  }
  const table = (): Promise<string | undefined> => nftTable(netnsPath(NETNS), 'bridge', 'podvisor-t23');
  assert.equal((await table())?.match(/chain p-veth/g)?.length, 2);
  await harness.delete('evil', 0);
  await harness.delete('victim', 0);
  assert.doesNotMatch((await table()) ?? '', /veth/);
});
