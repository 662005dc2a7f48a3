/** Frames of own making arrive at a program: the tests of what must not pass build theirs the same way. Needs root. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { udpFrame } from '../testing/frames.ts';
import { ipBatch, listLinks } from './ip.ts';
import { createNetns, netnsPath, removeNetns } from './netns.ts';
import { sendFrames } from './send-frames.ts';

const [FROM, TO] = [`pvt${process.pid}-frames-a`, `pvt${process.pid}-frames-b`];
const MACS = { fromMac: '02:00:00:00:00:01', toMac: '02:00:00:00:00:02' };

before(async () => {
  for (const name of [FROM, TO]) await createNetns(name);
  await ipBatch(netnsPath(FROM), [
    `link add nic0 address ${MACS.fromMac} type veth peer name nic0 address ${MACS.toMac} netns ${TO}`,
    'link set nic0 up',
  ]);
  const addresses = ['addr add 10.251.249.2/24 dev nic0', 'addr add fd00:251::2/64 dev nic0 nodad'];
  await ipBatch(netnsPath(TO), [...addresses, 'link set nic0 up']);
});
after(() => {
  for (const name of [FROM, TO]) removeNetns(name);
});

test('frames of UDP over IPv4 and IPv6 are heard, whether their length is even or odd', async () => {
  const script = new URL('../testing/hear-datagrams.ts', import.meta.url).pathname;
  const listener = spawn('nsenter', [`--net=${netnsPath(TO)}`, process.execPath, script, '9999'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(listener.stdout, 'data');
    const link = (await listLinks(netnsPath(FROM))).find(({ ifname }) => ifname === 'nic0');
    let heard = '';
    listener.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    const pairs = [
      ['10.251.249.1', '10.251.249.2'],
      ['fd00:251::1', 'fd00:251::2'],
    ] as const;
    const frames = pairs.flatMap(([from, to]) =>
      ['even', 'odd'].map((text) => udpFrame(MACS, { from, to, port: 9999, text })),
    );
    sendFrames(netnsPath(FROM), link?.ifindex ?? 0, frames);
    while (heard.split('\n').length <= frames.length)
      await once(listener.stdout, 'data', { signal: AbortSignal.timeout(10_000) });
    const [v4, v6] = ['::ffff:10.251.249.1', 'fd00:251::1'];
    assert.equal(heard, `${v4}\n${v4}\n${v6}\n${v6}\n`);
  } finally {
    listener.kill();
  }
});
