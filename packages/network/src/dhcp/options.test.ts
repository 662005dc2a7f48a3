import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DhcpConfig } from '@podvisor/api';
import { ipv4Text } from '../address.ts';
import { configOptions, OPTION } from './options.ts';

const base: DhcpConfig = {
  clientCidr: '10.0.2.2/24',
  serverAddress: '10.0.2.1',
  router: '10.0.2.1',
  dnsServers: [],
  searchDomains: [],
  hostname: 'h',
  mtu: 1450,
};
const address = fc.nat(0xffff_ffff).map(ipv4Text);
/** Prefixes with no bit set behind their length, as routes have them. */
const prefix = fc
  .tuple(fc.nat(0xffff_ffff), fc.integer({ min: 1, max: 32 }))
  .map(([bits, length]) => `${ipv4Text((bits & ((0xffff_ffff << (32 - length)) >>> 0)) >>> 0)}/${length}`);
const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

/** A client's reading of RFC 3442. */
function readRoutes(bytes: Uint8Array): string[] {
  const routes: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    const significant = Math.ceil(length / 8);
    const part = [0, 1, 2, 3].map((i) => (i < significant ? bytes[at + 1 + i] : 0));
    const gateway = bytes.subarray(at + 1 + significant, at + 5 + significant);
    routes.push(`${part.join('.')}/${length} ${gateway.join('.')}`);
    at += 5 + significant;
  }
  return routes;
}

/** A client's reading of RFC 3397 without compression. */
function readDomains(bytes: Uint8Array): string[] {
  const domains: string[] = [];
  let labels: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    if (length === 0) {
      domains.push(labels.join('.'));
      labels = [];
    } else labels.push(Buffer.from(bytes.subarray(at + 1, at + 1 + length)).toString());
    at += 1 + length;
  }
  return domains;
}

test('every route arrives, the default route last; without routes there is no option 121', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ destination: prefix, gateway: address }), { maxLength: 12 }),
      (routes) => {
        const bytes = configOptions({ ...base, routes }).get(OPTION.classlessRoutes);
        const expected = routes.map(({ destination, gateway }) => `${destination} ${gateway}`);
        if (routes.length === 0) assert.equal(bytes, undefined);
        else assert.deepEqual(readRoutes(bytes ?? new Uint8Array()), [...expected, '0.0.0.0/0 10.0.2.1']);
      },
    ),
  );
});

test('search domains arrive whole and in order; what does not fit is left out', () => {
  fc.assert(
    fc.property(fc.array(domain, { minLength: 1, maxLength: 32 }), (searchDomains) => {
      const bytes = configOptions({ ...base, searchDomains }).get(OPTION.domainSearch) ?? new Uint8Array();
      const read = readDomains(bytes);
      assert.ok(bytes.length <= 512);
      assert.ok(read.every((name) => searchDomains.includes(name)));
      if (searchDomains.join('.').length < 400) assert.deepEqual(read, searchDomains);
    }),
  );
});

test('MTU, host name and extra options', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 68, max: 65_535 }),
      label,
      fc.integer({ min: 0, max: 255 }),
      (mtu, hostname, option) => {
        const privateOptions = [{ option, value: 'x' }];
        const options = configOptions({
          ...base,
          mtu,
          hostname,
          options: { privateOptions, bootFileName: 'pxe.0' },
        });
        assert.equal(Buffer.from(options.get(OPTION.mtu) ?? []).readUInt16BE(), mtu);
        assert.equal(Buffer.from(options.get(OPTION.hostname) ?? []).toString(), hostname);
        assert.equal(Buffer.from(options.get(OPTION.bootFile) ?? []).toString(), 'pxe.0');
        if (option >= 224 && option <= 254) assert.ok(options.has(option));
        else if (!Object.values(OPTION).some((known) => known === option)) assert.ok(!options.has(option));
      },
    ),
  );
});
