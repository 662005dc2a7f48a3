import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originProblem } from './same-origin.ts';

const PORT = 7000;

test('the page itself', () => {
  for (const host of ['127.0.0.1:7000', 'localhost:7000']) {
    assert.equal(originProblem({ host }, PORT, true), undefined);
    assert.equal(
      originProblem({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, PORT, false),
      undefined,
    );
  }
});

test('others', () => {
  const own = { host: '127.0.0.1:7000' };
  for (const [title, headers, isNavigation] of [
    ['a name that leads here', { host: 'evil.example:7000' }, true],
    ['another port', { host: '127.0.0.1:7001' }, true],
    ['no host', {}, true],
    ['a form or script of another site', { ...own, origin: 'https://evil.example' }, false],
    ['another page of this machine', { ...own, origin: 'http://127.0.0.1:8000' }, false],
    ['a sandboxed frame', { ...own, origin: 'null' }, false],
    ['an image or script tag', { ...own, 'sec-fetch-site': 'cross-site' }, false],
    ['another port of the same site', { ...own, 'sec-fetch-site': 'same-site' }, false],
  ] as const)
    assert.notEqual(originProblem(headers, PORT, isNavigation), undefined, title);
});

test('a link on another page may lead to the page', () => {
  assert.equal(
    originProblem({ host: '127.0.0.1:7000', 'sec-fetch-site': 'cross-site' }, PORT, true),
    undefined,
  );
});
