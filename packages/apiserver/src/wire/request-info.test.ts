import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isTrue, parseRequest, requestInfoOf } from './request-info.ts';

test('a path is authorised in the form in which it is passed on', () => {
  const info = parseRequest('GET', '/apis/a.b/v1/namespaces/%6es/things/x%20y/sub?a=%2e%2e/b');
  assert.equal(info.path, '/apis/a.b/v1/namespaces/ns/things/x%20y/sub');
  assert.equal(info.search, '?a=%2e%2e/b');
  assert.deepEqual([info.namespace, info.name, info.subresource], ['ns', 'x y', 'sub']);
});

test('a flag of a query is off when it is not there, 0, or false in any case', () => {
  for (const off of [null, '0', 'false', 'False', 'FALSE']) assert.ok(!isTrue(off), String(off));
  for (const on of ['', '1', 'true', 'True', 'no']) assert.ok(isTrue(on), on);
});

test('what is not normal is refused with 400', () => {
  for (const path of ['/api/../apis', '/api//v1', '/api/v1/pods/a%2fb', '/api/v1/pods/%', 'http://x/api'])
    assert.throws(() => parseRequest('GET', path), { code: 400 }, path);
});

test('what follows a proxy belongs to the server behind it', () => {
  const pods = '/api/v1/namespaces/proxy/pods/https:p:8443/proxy';
  const info = parseRequest('GET', `${pods}/a%2Fb//../c?x=/proxy`);
  assert.equal(info.proxied, '/a%2Fb//../c');
  assert.deepEqual([info.namespace, info.name, info.subresource], ['proxy', 'https:p:8443', 'proxy']);
  assert.equal(parseRequest('GET', pods).proxied, '');
  assert.equal(parseRequest('GET', `${pods}/`).proxied, '/');
  for (const path of [
    '/api/v1/namespaces/a%2fb/pods/p/proxy/x',
    '/api/v1/namespaces/../pods/p/proxy/x',
    '/api/v1/namespaces/n/pods/../proxy/x',
    '/apis/v1/namespaces/n/pods/p/proxy/../x',
  ])
    assert.equal(requestInfoOf('GET', path), undefined, path);
});

test('the path that is passed on asks for the same', () => {
  const piece = fc.constantFrom(
    '/',
    '..',
    '.',
    '%2e',
    '%2f',
    ';',
    ':',
    '%25',
    'a',
    'ns',
    '%6e',
    'proxy',
    '/x/',
  );
  const target = fc
    .array(piece, { maxLength: 8 })
    .map((pieces) => `/apis/g/v1/namespaces/${pieces.join('')}/things/x`);
  fc.assert(
    fc.property(target, (text) => {
      const info = requestInfoOf('GET', text);
      if (info === undefined) return;
      assert.deepEqual(requestInfoOf('GET', info.path + info.search), info);
    }),
    { numRuns: 5_000 },
  );
});
