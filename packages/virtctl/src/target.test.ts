import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientWords, DEFAULT_KNOWN_HOSTS, hostOf, parseSide, proxyWord } from './commands/streams/ssh.ts';
import { parsePort } from './streams/ports.ts';
import { parseTarget, parseUserTarget } from './target.ts';

test('targets', () => {
  assert.deepEqual(parseTarget('vm/a'), { kind: 'vm', name: 'a' });
  assert.deepEqual(parseTarget('VirtualMachineInstances/a/ns'), { kind: 'vmi', name: 'a', namespace: 'ns' });
  assert.deepEqual(parseUserTarget('joe@vmi/a'), { kind: 'vmi', name: 'a', user: 'joe' });
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ['', /target cannot be empty/],
  ['a', /target must contain type and name separated by '\/': vm\/a or vmi\/a$/],
  ['vm/a/b/c', /more than two '\/'/],
  ['vm/a/', /namespace cannot be empty/],
  ['vm/', /name cannot be empty/],
  ['pod/a', /unsupported resource type 'pod'/],
];
for (const [text, error] of WRONG)
  test(`target "${text}" is refused`, () => {
    assert.throws(() => parseTarget(text), error);
  });

test('users of targets', () => {
  assert.throws(() => parseUserTarget('@vm/a'), /expected username before '@'/);
  assert.throws(() => parseUserTarget('joe@'), /expected target after '@'/);
});

test('ports', () => {
  assert.deepEqual(parsePort('8080'), { protocol: 'tcp', local: 8080, remote: 8080 });
  assert.deepEqual(parsePort('udp/53:5353'), { protocol: 'udp', local: 53, remote: 5353 });
  assert.deepEqual(parsePort('0:22'), { protocol: 'tcp', local: 0, remote: 22 });
  for (const [text, error] of [
    ['sctp/1', /protocol 'sctp'/],
    ['1:2:3', /more than one ':'/],
    ['x', /not a number/],
    ['70000', /not a number/],
    ['0', /target port/],
  ] as const)
    assert.throws(() => parsePort(text), error);
});

test('scp sides: a guest has a kind before its colon, a file may look strange', () => {
  assert.deepEqual(parseSide('u@vm/a/ns:/etc/x'), {
    path: '/etc/x',
    target: { kind: 'vm', name: 'a', namespace: 'ns', user: 'u' },
  });
  assert.deepEqual(parseSide('./odd/name:1'), { path: './odd/name:1' });
  assert.deepEqual(parseSide('plain'), { path: 'plain' });
});

test('the words for ssh', () => {
  const flags = { port: '22', knownHosts: '/k', localSshOpts: ['-v'], identityFile: '/i' };
  const host = hostOf({ kind: 'vmi', name: 'a', namespace: 'ns' }, 'joe');
  assert.equal(host, 'joe@vmi.a.ns');
  assert.deepEqual(clientWords(flags, 'P', [host]), [
    '-o',
    'P',
    '-o',
    'UserKnownHostsFile=/k',
    '-v',
    '-i',
    '/i',
    host,
  ]);
  const plain = clientWords({ port: '22', acceptHostKey: true }, 'P', [host]);
  // The file that --help names, and what a script without a terminal needs.
  assert.deepEqual(plain.slice(2), [
    '-o',
    `UserKnownHostsFile=${DEFAULT_KNOWN_HOSTS}`,
    '-o',
    'StrictHostKeyChecking=accept-new',
    host,
  ]);
  assert.throws(
    () => clientWords({ port: '22', localSsh: false }, 'P', []),
    /--local-ssh=false is not possible/,
  );
  assert.equal(proxyWord("it's 5%"), "'it'\\''s 5%%'");
});
