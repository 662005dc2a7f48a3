import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseRequestPath } from './request-path.ts';

test('plain paths are what they are', () => {
  for (const path of ['/', '/api', '/api/', '/apis/a.b/v1/namespaces/n/pods/x:y;z=1,@!$&()*+~'])
    assert.equal(parseRequestPath(path)?.path, path);
  assert.deepEqual(parseRequestPath('/a/b?c=/../d'), {
    segments: ['a', 'b'],
    path: '/a/b',
    search: '?c=/../d',
  });
});

test('escapes that say nothing else are written out', () => {
  assert.equal(parseRequestPath('/%61pi/%70ods')?.path, '/api/pods');
  assert.equal(parseRequestPath('/a/%C3%A9%20x')?.path, '/a/%C3%A9%20x');
  assert.equal(parseRequestPath('/a/%c3%a9')?.path, '/a/%C3%A9');
  assert.equal(parseRequestPath('/a/%3f%23')?.path, '/a/%3F%23');
});

test('what can be read in two ways is refused', () => {
  for (const path of [
    '',
    'api',
    'http://host/api',
    '*',
    '//api',
    '/a//b',
    '/a//',
    '/a/./b',
    '/a/../b',
    '/a/..',
    '/a/%2e%2e/b',
    '/a/.%2E/b',
    '/a/%2e/b',
    '/a%2fb',
    '/a%2Fb',
    '/a\\b',
    '/a%5cb',
    '/a%00b',
    '/a\u0000b',
    '/a%0ab',
    '/a%0d%0aX: y',
    '/a%7f',
    '/a%',
    '/a%zz',
    '/a%ff',
    '/a%c0%ae%c0%ae/b',
    '/a#b',
  ])
    assert.equal(parseRequestPath(path), undefined, path);
});

const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '%2f',
    '%5C',
    '\\',
    ';',
    ':',
    '%00',
    '%25',
    '%',
    'é',
    'a',
    'ns',
    '%6e',
    '?',
    '#',
    ' ',
  ),
  fc.string({ maxLength: 3 }),
);
const target = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`);

test('what is accepted means the same to every reader, and once more', () => {
  fc.assert(
    fc.property(target, (text) => {
      const parsed = parseRequestPath(text);
      if (parsed === undefined) return;
      const { path, segments, search } = parsed;
      // The canonical form is its own.
      assert.equal(parseRequestPath(path + search)?.path, path);
      assert.deepEqual(parseRequestPath(path)?.segments, segments);
      // The URL of browsers and of Node, which folds dot segments, changes nothing of it.
      const url = new URL(path, 'https://host');
      assert.equal(url.host, 'host');
      assert.deepEqual(
        url.pathname
          .split('/')
          .slice(1)
          .filter((part) => part !== '')
          .map(decodeURIComponent),
        segments,
      );
    }),
    { numRuns: 20_000 },
  );
});
