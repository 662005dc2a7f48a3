import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  isPortName,
  qualifiedNameProblems,
} from './kubernetes-names.ts';

test('labels and subdomains', () => {
  assert.deepEqual(dnsLabelProblems('a-1'), []);
  assert.equal(dnsLabelProblems('a.b').length, 1);
  assert.equal(dnsLabelProblems('A').length, 1);
  assert.equal(dnsLabelProblems('a'.repeat(64)).length, 1);
  assert.deepEqual(dnsSubdomainProblems('a.b-c.d'), []);
  assert.equal(dnsSubdomainProblems('a..b').length, 1);
});

test('port names', () => {
  for (const good of ['http', 'a-1']) assert.ok(isPortName(good), good);
  for (const bad of ['80', 'HTTP', 'a--b', '-a', 'a-', 'a'.repeat(16)]) assert.ok(!isPortName(bad), bad);
});

test('qualified names', () => {
  assert.deepEqual(qualifiedNameProblems('kubernetes.io/hostname'), []);
  assert.equal(qualifiedNameProblems('hostname=host1').length, 1);
  assert.equal(qualifiedNameProblems('').length, 2);
  assert.equal(qualifiedNameProblems('a/b/c').length, 1);
});
