import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIP, isIPv4, isIPv6, isPciAddress, macAddressProblem } from './addresses.ts';

test('IPv4', () => {
  for (const good of ['0.0.0.0', '10.0.2.15', '255.255.255.255']) assert.ok(isIPv4(good), good);
  for (const bad of ['', '1.2.3', '1.2.3.4.5', '256.1.1.1', '01.2.3.4', 'a.b.c.d', '::1'])
    assert.ok(!isIPv4(bad), bad);
});

test('IPv6', () => {
  for (const good of ['::', '::1', 'fe80::1', '1:2:3:4:5:6:7:8', '::ffff:10.0.0.1'])
    assert.ok(isIPv6(good), good);
  for (const bad of ['', '1:2:3', '1::2::3', 'fe80::1%eth0', '1:2:3:4:5:6:7:8:9', 'g::1'])
    assert.ok(!isIP(bad), bad);
});

test('MAC addresses: six bytes in any of the three spellings', () => {
  for (const good of ['de:ad:00:00:be:af', 'DE-AD-00-00-BE-AF', 'dead.0000.beaf'])
    assert.equal(macAddressProblem(good), undefined, good);
  assert.match(macAddressProblem('de:ad:00:00:be') ?? '', /malformed/);
  assert.match(macAddressProblem('de:ad:00:00:be:af:be:af') ?? '', /too long/);
  assert.match(macAddressProblem('de:ad-00:00:be:af') ?? '', /malformed/);
});

test('PCI addresses', () => {
  for (const good of ['0000:81:11.1', '0001:02:00.0']) assert.ok(isPciAddress(good), good);
  for (const bad of ['0000:80.10.1', '0000:80:80:1.0', '0000:80:11.15', '81:11.1'])
    assert.ok(!isPciAddress(bad), bad);
});
