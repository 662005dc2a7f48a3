/** A Pod that sends what policies do not see, or under another's address, to another Pod of its node. Needs root. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import {
  createNetns,
  listLinks,
  netnsPath,
  nftApply,
  nftTable,
  removeNetns,
  runInNetns,
  sendFrames,
} from '@podvisor/sys';
import { udpFrame } from '../../sys/src/testing/frames.ts';
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

interface Party {
  readonly ip: string;
  readonly linkLocal: string;
  readonly mac: string;
  readonly netns: string;
  readonly ifindex: number;
}

async function party(name: string): Promise<Party> {
  harness.create(harness.pod(name, { command: ['/bin/sleep', '1000'] }));
  const pod = await harness.phase(name, 'Running');
  const netns = podNetns(harness.context, pod.metadata.uid ?? '') ?? '';
  const link = (await listLinks(netns)).find(({ ifname }) => ifname === 'eth0');
  const linkLocal = link?.addr_info.find(({ local }) => local.startsWith('fe80'))?.local ?? '';
  const { address: mac = '', ifindex = 0 } = link ?? {};
  return { ip: pod.status?.podIP ?? '', linkLocal, mac, netns, ifindex };
}

test('a Pod cannot go past policies by tags, link-local addresses or addresses of others', async () => {
  const [evil, victim] = [await party('evil'), await party('victim')];
  // As the enforcer of policies writes it: nobody may reach the victim, but for 10.251.23.77.
  await nftApply(
    netnsPath(NETNS),
    `table inet t {\n chain c {\n ip saddr 10.251.23.77 return\n drop\n }\n chain forward {\n type filter hook forward priority filter; policy accept;\n ip daddr ${victim.ip} jump c\n }\n}\n`,
  );
  const script = new URL('../../sys/src/testing/hear-datagrams.ts', import.meta.url).pathname;
  const listener = spawn('nsenter', [`--net=${victim.netns}`, process.execPath, script, '9999'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let heard = '';
  listener.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  try {
    await once(listener.stdout, 'data');
    const send = (to: string, from: string, tags = ''): void => {
      const header = { fromMac: evil.mac, toMac: victim.mac, tags: Buffer.from(tags, 'hex') };
      sendFrames(evil.netns, evil.ifindex, [
        udpFrame(header, { from, to, port: 9999, text: `tag${tags}${from}` }),
      ]);
    };
    // The duplicate address detection of the link-local address takes two seconds.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    send(victim.ip, evil.ip);
    for (const tags of ['81000000', '88a80000', '88a8000081000000']) send(victim.ip, evil.ip, tags);
    send(victim.linkLocal, evil.linkLocal);
    send(victim.ip, '10.251.23.77');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(heard.replace('ready\n', ''), '');
    // What is allowed still passes.
    await nftApply(netnsPath(NETNS), 'delete table inet t\n');
    const arrived = once(listener.stdout, 'data', { signal: AbortSignal.timeout(10_000) });
    send(victim.ip, evil.ip);
    await arrived;
    assert.match(heard, new RegExp(`ffff:${evil.ip}\n`));
  } finally {
    listener.kill();
  }
  const table = (): Promise<string | undefined> => nftTable(netnsPath(NETNS), 'bridge', 'podvisor-t23');
  const send = (fromMac: string, from: string, to: string): void =>
    sendFrames(evil.netns, evil.ifindex, [
      udpFrame({ fromMac, toMac: victim.mac, tags: Buffer.alloc(0) }, { from, to, port: 9999, text: 'x' }),
    ]);
  // The bridge learns where a Pod is by what comes from it.
  const portOfVictim = async (): Promise<unknown> => {
    const { stdout } = await runInNetns(netnsPath(NETNS), 'bridge', ['-j', 'fdb', 'show']);
    const entries = JSON.parse(stdout) as readonly { readonly mac: string; readonly ifname: string }[];
    return entries.find(({ mac, ifname }) => mac === victim.mac && ifname.startsWith('veth'))?.ifname;
  };
  sendFrames(victim.netns, victim.ifindex, [
    udpFrame(
      { fromMac: victim.mac, toMac: evil.mac, tags: Buffer.alloc(0) },
      { from: victim.ip, to: evil.ip, port: 9, text: 'here' },
    ),
  ]);
  const port = await portOfVictim();
  assert.notEqual(port, undefined);
  send(victim.mac, evil.ip, victim.ip);
  assert.equal(await portOfVictim(), port);
  // A policy of the sender's knows it by its address, so nothing is said from none.
  send(evil.mac, '0.0.0.0', victim.ip);
  send(evil.mac, '::', victim.linkLocal);
  assert.match((await table()) ?? '', /ip saddr 0\.0\.0\.0 counter packets 1 /);
  assert.match((await table()) ?? '', /ip6 saddr :: counter packets 1 /);
  assert.equal((await table())?.match(/chain p-veth/g)?.length, 2);
  await harness.delete('evil', 0);
  await harness.delete('victim', 0);
  assert.doesNotMatch((await table()) ?? '', /veth/);
});
