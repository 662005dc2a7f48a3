import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passtArguments } from './passt-link.ts';

const option = (args: readonly string[], name: string): string | undefined => args[args.indexOf(name) + 1];

test('passt listens at all ports, or at those that are listed', () => {
  const all = passtArguments('eth0', { tcpPorts: 'all', udpPorts: 'all', searchDomains: [] }, 1_000_000);
  assert.equal(option(all, '--tcp-ports'), 'all');
  assert.equal(option(all, '--search'), 'none');
  const listed = { tcpPorts: [80, 443], udpPorts: [], searchDomains: ['a.b', 'b'] };
  const some = passtArguments('eth0', listed, 1_000_000);
  assert.deepEqual(
    ['--tcp-ports', '--udp-ports', '--search', '--interface'].map((name) => option(some, name)),
    ['80,443', 'none', 'a.b', 'eth0'],
  );
});

test('few descriptors: the lowest ports are served, and some are left for connections', () => {
  const few = passtArguments('eth0', { tcpPorts: 'all', udpPorts: 'all', searchDomains: [] }, 20_000);
  assert.equal(option(few, '--tcp-ports'), '1-4500');
});
