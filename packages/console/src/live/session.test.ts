import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heardCode, onSessionEnd, openSession, sessionMark } from './session.ts';

test('that nobody knows the user any more is told, but not by an answer to the session before', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => new Response('{"namespace":"a","opensWith":"token"}'));
  const heard: (string | undefined)[] = [];
  const stop = onSessionEnd((words) => heard.push(words));
  const before = sessionMark();
  heardCode(403, 'something else', before);
  heardCode(401, 'over', before);
  await openSession('a new token');
  heardCode(401, 'a question of before was answered late', before);
  assert.deepEqual(heard, [undefined, 'over', undefined]);
  heardCode(401, 'over again', sessionMark());
  assert.equal(heard.at(-1), 'over again');
  await openSession('another one');
  assert.equal(heard.at(-1), undefined);
  stop();
});
