import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type MonitorMemory,
  NOTHING_SAID,
  questionsNow,
  withAnswers,
  withEvent,
} from './monitor-questions.ts';

const ALL = ['disks', 'balloon', 'guest'] as const;

/** Asked when the conversation was ten minutes old. */
function after(guest: unknown, balloon: unknown = { actual: 4096 }): MonitorMemory {
  const old = withAnswers(NOTHING_SAID, ALL, [[], balloon, guest], -600_000);
  return withAnswers(old, ALL, [[], balloon, guest], 0);
}

test('at first everything is asked', () => {
  assert.deepEqual(questionsNow(NOTHING_SAID, 0), ALL);
});

test('a driver that tells numbers is asked each time, one that does not once a minute', () => {
  const speaks = after({ 'last-update': 1_700_000_000, stats: {} });
  assert.deepEqual(questionsNow(speaks, 1), ['disks', 'guest']);
  for (const guest of [undefined, {}, { 'last-update': 0 }, { 'last-update': 'now' }, 'x']) {
    assert.deepEqual(questionsNow(after(guest), 59_999), ['disks'], JSON.stringify(guest));
    assert.deepEqual(questionsNow(after(guest), 60_000), ['disks', 'guest'], JSON.stringify(guest));
  }
});

test('one that does not tell is asked more and more seldom from the beginning', () => {
  let memory = NOTHING_SAID;
  const asked: number[] = [];
  for (let seconds = 0; seconds <= 300; seconds += 5) {
    const questions = questionsNow(memory, seconds * 1000);
    if (questions.includes('guest')) asked.push(seconds);
    memory = withAnswers(
      memory,
      questions,
      questions.map(() => undefined),
      seconds * 1000,
    );
  }
  assert.deepEqual(asked, [0, 5, 10, 20, 40, 80, 140, 200, 260]);
});

test('the size of the balloon is asked once in five minutes, whether there is one or not', () => {
  for (const balloon of [{ actual: 1 }, undefined]) {
    assert.deepEqual(questionsNow(after({ 'last-update': 0 }, balloon), 30_000), ['disks']);
    assert.deepEqual(questionsNow(after({ 'last-update': 0 }, balloon), 300_000), ALL);
  }
});

test('an event of the balloon is its newest size; others and nonsense change nothing', () => {
  const memory = after({});
  assert.deepEqual(memory.balloon, { 'balloon.current': 4 });
  assert.deepEqual(withEvent(memory, { event: 'BALLOON_CHANGE', data: { actual: 2048 } }).balloon, {
    'balloon.current': 2,
  });
  assert.equal(withEvent(memory, { event: 'RESUME', data: { actual: 2 } }), memory);
  assert.deepEqual(withEvent(memory, { event: 'BALLOON_CHANGE', data: 7 }).balloon, {});
});

test('of what QEMU says numbers are kept, never its words', () => {
  const words = { actual: 4096, 'last-update': 1, stats: { 'stat-swap-in': 1024, more: 'x'.repeat(1000) } };
  const memory = withAnswers(NOTHING_SAID, ALL, [words, words, words], 0);
  const later = withEvent(memory, { event: 'BALLOON_CHANGE', data: { ...words, actual: 1024 } });
  assert.deepEqual(later, {
    balloon: { 'balloon.current': 1 },
    guest: { 'balloon.swap_in': 1 },
    hasDriverSpoken: true,
    askedMs: { disks: 0, balloon: 0, guest: 0 },
    beganMs: 0,
  });
});
