import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainContext, vmiOf } from '../testing/vmi.ts';
import { convertVmiToDomain, explainDomain } from './convert.ts';
import { mergeDomains } from './merge.ts';
import type { Domain } from './model/domain.ts';
import { domainFromXml, domainToXml } from './xml.ts';

const vmi = vmiOf(
  { cpu: { cores: 2 }, devices: { rng: {}, interfaces: [{ name: 'default', bridge: {} }] } },
  { networks: [{ name: 'default', pod: {} }] },
);

test('the parts, merged, are the whole', () => {
  const parts = explainDomain(vmi, plainContext);
  const merged = parts.reduce((domain: Domain, part) => mergeDomains(domain, part.domain), {});
  assert.deepEqual(merged, convertVmiToDomain(vmi, plainContext));
  assert.ok(parts.every((part) => part.fields.length > 0));
  assert.equal(new Set(parts.map(({ part }) => part)).size, parts.length);
});

test('what we write, we can read', () => {
  const domain = convertVmiToDomain(vmi, plainContext);
  const { inputs: _none, ...devices } = domain.devices ?? {};
  assert.deepEqual(domainFromXml(domainToXml(domain)), { ...domain, devices });
});
