import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Dhcp6Config } from '@podvisor/api';
import { ipv6Bytes, ipv6FromBytes } from '../address.ts';
import { answerMessage6, isLease6, serverDuid } from './answer.ts';
import {
  decodeMessage6,
  decodeOptions6,
  encodeMessage6,
  encodeOptions6,
  MESSAGE6,
  type Message6,
  Message6Error,
  type Option6,
  OPTION6,
} from './codec.ts';

const config: Dhcp6Config = {
  clientAddress: 'fd10:0:2::2',
  serverMac: '02:00:00:00:00:00',
  dnsServers: ['fd00:96::a', 'fd00:96::b'],
  searchDomains: ['cluster.local'],
  hostname: 'hello',
};
const client: Option6 = { code: OPTION6.clientId, value: Uint8Array.of(0, 3, 0, 1, 1, 2, 3, 4, 5, 6) };
const server: Option6 = { code: OPTION6.serverId, value: serverDuid(config) };
const stranger: Option6 = { code: OPTION6.serverId, value: Uint8Array.of(9) };
const rapid: Option6 = { code: OPTION6.rapidCommit, value: new Uint8Array() };

function association(id: number, ...held: string[]): Option6 {
  const inner = held.map((address) => ({
    code: OPTION6.address,
    value: Buffer.concat([ipv6Bytes(address), new Uint8Array(8)]),
  }));
  const head = Buffer.alloc(12);
  head.writeUInt32BE(id);
  return { code: OPTION6.identityAssociation, value: Buffer.concat([head, encodeOptions6(inner)]) };
}

function ask(type: number, ...options: Option6[]): Message6 | undefined {
  return answerMessage6({ type, transactionId: 0x123456, options }, config);
}
const valuesOf = (message: Message6 | undefined, code: number): readonly Uint8Array[] =>
  (message?.options ?? []).filter((o) => o.code === code).map((o) => o.value);

/** `address lifetime` of what an answer gives to each association, or its status. */
function given(message: Message6 | undefined): string[] {
  return valuesOf(message, OPTION6.identityAssociation).flatMap((value) =>
    decodeOptions6(value.subarray(12)).map(({ code, value: inner }) =>
      code === OPTION6.address
        ? `${ipv6FromBytes(inner.subarray(0, 16))} ${Buffer.from(inner).readUInt32BE(20)}`
        : `status ${inner[1]}`,
    ),
  );
}
const LEASE = 'fd10:0:2::2 86313600';

test('who gets which answer', () => {
  const { solicit, request, renew, rebind, confirm, release, decline, informationRequest } = MESSAGE6;
  const { advertise, reply } = MESSAGE6;
  const ours = association(1, 'fd10:0:2::2');
  const cases: readonly [string, Message6 | undefined, number | undefined, string[]][] = [
    ['solicit', ask(solicit, client, association(1)), advertise, [LEASE]],
    ['solicit, rapid commit', ask(solicit, client, rapid, association(1)), reply, [LEASE]],
    ['solicit without client id', ask(solicit, association(1)), undefined, []],
    ['request', ask(request, client, server, association(1)), reply, [LEASE]],
    ['request to another server', ask(request, client, stranger, association(1)), undefined, []],
    ['request to nobody', ask(request, client, association(1)), undefined, []],
    ['renew', ask(renew, client, server, ours), reply, [LEASE]],
    [
      'rebind with a former address',
      ask(rebind, client, association(1, 'fd99::1')),
      reply,
      [LEASE, 'fd99::1 0'],
    ],
    [
      'two associations',
      ask(solicit, client, association(1), association(2)),
      advertise,
      [LEASE, 'status 2'],
    ],
    ['confirm', ask(confirm, client, ours), reply, []],
    ['confirm without an address', ask(confirm, client, association(1)), undefined, []],
    ['release', ask(release, client, server, ours), reply, []],
    ['decline to another server', ask(decline, client, stranger, ours), undefined, []],
    ['information', ask(informationRequest), reply, []],
    ['an answer of somebody else', ask(reply, client, server), undefined, []],
  ];
  for (const [what, answer, type, leases] of cases) {
    assert.equal(answer?.type, type, what);
    assert.deepEqual(given(answer), leases, what);
    if (answer !== undefined) assert.equal(answer.transactionId, 0x123456);
  }
});

test('an offer is no lease, and neither is thanks', () => {
  const leases = Object.entries(MESSAGE6).filter(([, type]) => {
    const request = { type, transactionId: 1, options: [client, association(1)] };
    const toUs = { ...request, options: [...request.options, server] };
    return [request, toUs].some((asked) => {
      const answer = answerMessage6(asked, config);
      return answer !== undefined && isLease6(asked, answer);
    });
  });
  assert.deepEqual(leases.map(([name]) => name).toSorted(), ['rebind', 'renew', 'request']);
  const asked = { type: MESSAGE6.solicit, transactionId: 1, options: [client, rapid, association(1)] };
  assert.ok(isLease6(asked, answerMessage6(asked, config) ?? assert.fail('no answer')));
});

test('confirm says whether the address is right', () => {
  const status = (address: string): number | undefined =>
    valuesOf(ask(MESSAGE6.confirm, client, association(1, address)), OPTION6.status)[0]?.[1];
  assert.deepEqual([status('fd10:0:2::2'), status('fd99::1')], [0, 4]);
});

test('name servers, domains, and the host name for who asks', () => {
  const wanted = { code: OPTION6.requested, value: Uint8Array.of(0, 39) };
  const answer = ask(MESSAGE6.solicit, client, association(1), wanted);
  assert.equal(valuesOf(answer, OPTION6.dnsServers)[0]?.length, 32);
  assert.match(
    Buffer.from(valuesOf(answer, OPTION6.domainSearch)[0] ?? []).toString('latin1'),
    /cluster\x05local\0$/,
  );
  assert.deepEqual(Buffer.from(valuesOf(answer, OPTION6.fqdn)[0] ?? []).toString('latin1'), '\x04\x05hello');
  assert.deepEqual(valuesOf(ask(MESSAGE6.solicit, client), OPTION6.fqdn), []);
});

test('what is written is read back', () => {
  const option = fc.record(
    { code: fc.nat(65535), value: fc.uint8Array({ maxLength: 20 }) },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(
      fc.nat(255),
      fc.nat(0xffffff),
      fc.array(option, { maxLength: 20 }),
      (type, transactionId, options) => {
        const message = { type, transactionId, options };
        assert.deepEqual(decodeMessage6(encodeMessage6(message)), message);
      },
    ),
  );
});

test('what is not a message is refused, never worse', () => {
  for (const bytes of [
    [],
    [1, 2, 3],
    [1, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 1, 0, 9],
    Array.from({ length: 2000 }, () => 0),
  ])
    assert.throws(() => decodeMessage6(Uint8Array.from(bytes)), Message6Error);
});
