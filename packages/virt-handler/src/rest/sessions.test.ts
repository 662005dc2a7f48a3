import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_SHARED, Sessions } from './sessions.ts';

const route = (verb: 'console' | 'vnc' | 'usbredir', name = 'web') =>
  ({ kind: 'stream', verb, namespace: 'shop', name }) as const;

function enter(sessions: Sessions, verb: 'console' | 'vnc' | 'usbredir', query = '', name = 'web') {
  const admission = sessions.admit(route(verb, name), new URLSearchParams(query));
  if (admission.kind === 'refused') return { refused: admission.why };
  let closed = false;
  const leave = admission.enter({ close: () => (closed = true) });
  return { target: admission.target, scrollback: admission.scrollback, leave, isClosed: () => closed };
}

test('a new VNC viewer takes the place of the old one, unless it is polite', () => {
  const sessions = new Sessions();
  const first = enter(sessions, 'vnc');
  assert.match(enter(sessions, 'vnc', 'preserveSession=true').refused ?? '', /Active VNC connection/);
  const second = enter(sessions, 'vnc');
  assert.equal(first.isClosed?.(), true);
  // The one who was put out does not take the place along.
  first.leave?.();
  assert.ok(enter(sessions, 'vnc', 'preserveSession=true').refused);
  second.leave?.();
  assert.equal(enter(sessions, 'vnc', 'preserveSession=true').target, 'vnc');
});

test('four USB slots, each for one client; other VMIs have their own', () => {
  const sessions = new Sessions();
  const four = [0, 1, 2, 3].map(() => enter(sessions, 'usbredir'));
  assert.deepEqual(
    four.map(({ target }) => target),
    ['usbredir0', 'usbredir1', 'usbredir2', 'usbredir3'],
  );
  assert.match(enter(sessions, 'usbredir').refused ?? '', /all 4 slots/);
  assert.equal(enter(sessions, 'usbredir', '', 'other').target, 'usbredir0');
  four[2]?.leave?.();
  assert.equal(enter(sessions, 'usbredir').target, 'usbredir2');
});

test('a new viewer of the console takes the place of the old one, without the last output', () => {
  const sessions = new Sessions();
  const first = enter(sessions, 'console');
  const other = enter(sessions, 'console', '', 'other');
  const second = enter(sessions, 'console', 'preserveSession=true');
  assert.equal(second.target, 'serial0');
  assert.deepEqual([first.isClosed?.(), second.isClosed?.(), other.isClosed?.()], [true, false, false]);
  assert.equal(second.scrollback, false);
});

test('viewers that share the console end nobody, and nobody ends them; they get the last output', () => {
  const sessions = new Sessions();
  const alone = enter(sessions, 'console');
  const shared = enter(sessions, 'console', 'share=true');
  const another = enter(sessions, 'console', 'share=true');
  assert.deepEqual(
    [alone, shared, another].map((viewer) => viewer.isClosed?.()),
    [false, false, false],
  );
  assert.equal(shared.scrollback, true);
  enter(sessions, 'console');
  assert.deepEqual(
    [alone, shared, another].map((viewer) => viewer.isClosed?.()),
    [true, false, false],
  );
});

test('viewers that share the screen end nobody, and nobody ends them', () => {
  const sessions = new Sessions();
  const alone = enter(sessions, 'vnc');
  const [shared, another] = [enter(sessions, 'vnc', 'share=true'), enter(sessions, 'vnc', 'share=true')];
  assert.equal(shared.target, 'vnc');
  enter(sessions, 'vnc');
  assert.deepEqual(
    [alone, shared, another].map((viewer) => viewer.isClosed?.()),
    [true, false, false],
  );
});

test('of those who share a console or a screen there is a limit for each VMI; who leaves makes room once', () => {
  for (const verb of ['console', 'vnc'] as const) {
    const sessions = new Sessions();
    const viewers = Array.from({ length: MAX_SHARED }, () => enter(sessions, verb, 'share=true'));
    assert.ok(viewers.every(({ refused }) => refused === undefined));
    assert.match(enter(sessions, verb, 'share=true').refused ?? '', /32 viewers/);
    assert.equal(enter(sessions, verb).refused, undefined, 'the one who looks alone is not one of them');
    assert.equal(enter(sessions, verb, 'share=true', 'other').refused, undefined);
    viewers[0]?.leave?.();
    viewers[0]?.leave?.();
    assert.equal(enter(sessions, verb, 'share=true').refused, undefined);
    assert.ok(enter(sessions, verb, 'share=true').refused);
  }
});
