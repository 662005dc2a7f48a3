import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originProblem } from './same-origin.ts';

const HOST = '0f0f.localhost:7000';
const access = { scheme: 'http', isOwnHost: (host: string) => host === HOST } as const;

test('the page itself', () => {
  assert.equal(originProblem({ host: HOST }, access, true), undefined);
  const own = { host: HOST, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' };
  assert.equal(originProblem(own, access, false), undefined);
});

test('others', () => {
  const own = { host: HOST };
  for (const [title, headers, isNavigation] of [
    ['a name that leads here', { host: 'evil.example:7000' }, true],
    ['the address, which cookies of others have too', { host: '127.0.0.1:7000' }, true],
    ['another port', { host: '0f0f.localhost:7001' }, true],
    ['no host', {}, true],
    ['a form or script of another site', { ...own, origin: 'https://evil.example' }, false],
    ['another page of this machine', { ...own, origin: 'http://127.0.0.1:8000' }, false],
    ['our name on another port', { ...own, origin: 'http://0f0f.localhost:8000' }, false],
    ['our name with another scheme', { ...own, origin: `https://${HOST}` }, false],
    ['a sandboxed frame', { ...own, origin: 'null' }, false],
    ['an image or script tag', { ...own, 'sec-fetch-site': 'cross-site' }, false],
    ['another port of the same site', { ...own, 'sec-fetch-site': 'same-site' }, false],
  ] as const) {
    const problem = originProblem(headers, access, isNavigation);
    assert.notEqual(problem, undefined, title);
    if ((headers as { host?: string }).host !== HOST)
      assert.ok(!problem?.includes('0f0f.localhost:7000'), title);
  }
});

test('a link on another page may lead to the page', () => {
  assert.equal(originProblem({ host: HOST, 'sec-fetch-site': 'cross-site' }, access, true), undefined);
});
