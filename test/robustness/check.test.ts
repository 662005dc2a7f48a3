/** The checker itself: a sound history passes, and every way to break it is noticed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from './check.ts';
import type { History, ListRead, WatchEvent, WatchRun, Write } from './history.ts';

const empty: ListRead = { startedAt: 0, endedAt: 1, revision: 10, items: [] };
const seen = (revision: number, value: string, key = 'key-1') => ({ key, revision, value });
const event = (type: WatchEvent['type'], revision: number, value: string): WatchEvent => ({
  type,
  ...seen(revision, value),
});
const write = (verb: Write['verb'], value: string, at: number, more: Partial<Write>): Write => ({
  key: 'key-1',
  verb,
  value,
  startedAt: at,
  endedAt: at + 5,
  outcome: { kind: 'unknown' },
  ...more,
});

const events = [
  event('ADDED', 11, 'a'),
  event('MODIFIED', 12, 'b'),
  event('DELETED', 14, 'b'),
  event('ADDED', 15, 'c'),
];
const watchOf = (watcher: number, heard: readonly WatchEvent[]): WatchRun => ({
  watcher,
  start: empty,
  events: heard,
  upTo: 15,
});
const sound: History = {
  writes: [
    write('create', 'a', 10, { outcome: { kind: 'done', revision: 11 } }),
    write('update', 'b', 20, { expects: 11 }),
    write('update', 'x', 26, { expects: 11, outcome: { kind: 'refused', code: 409 } }),
    write('delete', 'd', 30, { expects: 12, outcome: { kind: 'done' } }),
    write('create', 'c', 40, { outcome: { kind: 'done', revision: 15 } }),
  ],
  lists: [{ startedAt: 27, endedAt: 28, revision: 12, items: [seen(12, 'b')] }],
  watches: [watchOf(1, events), watchOf(2, events)],
};
const withWrite = (index: number, more: Partial<Write>): History => ({
  ...sound,
  writes: sound.writes.map((old, i) => (i === index ? { ...old, ...more } : old)),
});
const withList = (more: Partial<ListRead>): History => ({
  ...sound,
  lists: sound.lists.map((list) => ({ ...list, ...more })),
});
const withWatch = (heard: readonly WatchEvent[]): History => ({
  ...sound,
  watches: [watchOf(1, events), watchOf(2, heard)],
});

test('a sound history has no problems', () => assert.deepEqual(check(sound), []));

const broken: Readonly<Record<string, readonly [History, RegExp]>> = {
  'an acknowledged write is lost': [
    withWrite(0, { value: 'z', outcome: { kind: 'done', revision: 13 } }),
    /\(z\) was acknowledged and is lost/,
  ],
  'a write has another revision than acknowledged': [
    withWrite(4, { outcome: { kind: 'done', revision: 16 } }),
    /acknowledged as 16 and is 15/,
  ],
  'a refused write happened': [
    withWrite(1, { outcome: { kind: 'refused', code: 409 } }),
    /\(b\) was refused with 409 and happened as 12/,
  ],
  'an update did not meet its condition': [withWrite(1, { expects: 9 }), /from 11, not from 9/],
  'a deletion never happened': [withWrite(3, { expects: 11 }), /never happened/],
  'a later write has a lower revision': [
    withWrite(4, { startedAt: 1, endedAt: 2 }),
    /a got revision 11 after 15 was acknowledged/,
  ],
  'something happened that nobody asked for': [
    { ...sound, writes: sound.writes.filter(({ value }) => value !== 'b') },
    /\(b\) was asked for by nobody/,
  ],
  'a list shows an old state': [
    withList({ items: [seen(11, 'a')] }),
    /shows .*11 \(a\) instead of .*12 \(b\)/,
  ],
  'a list lacks an object': [withList({ items: [] }), /lacks key-1/],
  'a list is older than what was acknowledged': [
    withList({ startedAt: 50, revision: 14, items: [] }),
    /shows revision 14 after 15/,
  ],
  'a watch loses an event': [
    withWatch(events.filter(({ revision }) => revision !== 12)),
    /never heard .* 12/,
  ],
  'a watch loses the last event': [withWatch(events.slice(0, -1)), /never heard .* 15/],
  'a watch repeats an event': [withWatch([...events, ...events.slice(-1)]), /heard of 15 after 15/],
  'a watch is out of order': [withWatch(events.toReversed()), /heard of 14 after 15/],
  'two watchers hear different things': [
    withWatch(events.map((old) => (old.revision === 12 ? { ...old, value: 'y' } : old))),
    /to one watcher/,
  ],
  'a watch calls a change an addition': [
    {
      ...sound,
      watches: [
        watchOf(
          1,
          events.map((old) => (old.revision === 12 ? { ...old, type: 'ADDED' } : old)),
        ),
      ],
    },
    /heard that .* which existed/,
  ],
};

for (const [name, [history, pattern]] of Object.entries(broken))
  test(`noticed: ${name}`, () => assert.match(check(history).join('\n'), pattern));
