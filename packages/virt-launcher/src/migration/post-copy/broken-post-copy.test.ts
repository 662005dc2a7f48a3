import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Remedy,
  remedyFor,
  type SourceEnd,
  sourceEnd,
  type TargetEnd,
  targetEnd,
} from './broken-post-copy.ts';

const RUNNING = 1;
const PAUSED = 3;
const OFF = 5;

test('the ends as libvirt names them', () => {
  const sources: readonly (readonly [number, number, SourceEnd])[] = [
    [RUNNING, 1, 'runs'],
    [PAUSED, 2, 'still'],
    [PAUSED, 12, 'post-copy'],
    [PAUSED, 13, 'broken'],
    [OFF, 4, 'gone'],
  ];
  for (const [state, reason, end] of sources) assert.equal(sourceEnd({ state, reason }), end);
  const targets: readonly (readonly [number, number, TargetEnd])[] = [
    [PAUSED, 2, 'waiting'],
    [RUNNING, 10, 'post-copy'],
    [RUNNING, 11, 'broken'],
    [PAUSED, 13, 'broken'],
    [RUNNING, 2, 'arrived'],
    [OFF, 5, 'gone'],
  ];
  for (const [state, reason, end] of targets) assert.equal(targetEnd({ state, reason }), end);
  assert.deepEqual([sourceEnd(undefined), targetEnd(undefined)], ['gone', 'gone']);
});

test('only an end that is gone makes the guest a lost one', () => {
  const table: readonly (readonly [SourceEnd, TargetEnd, boolean, Remedy])[] = [
    // All of it came before the answer was lost.
    ['gone', 'arrived', true, 'handed-over'],
    ['unknown', 'arrived', true, 'handed-over'],
    // The memory was never split.
    ['runs', 'unknown', false, 'stayed'],
    ['still', 'waiting', false, 'stayed'],
    // The last pass ended before the switch: the target may run it, or is gone.
    ['still', 'unknown', true, 'wait'],
    ['still', 'gone', true, 'stayed'],
    ['post-copy', 'waiting', false, 'finish'],
    ['broken', 'waiting', false, 'finish'],
    ['gone', 'waiting', false, 'lost'],
    // Only the answer is missing, or one end has not noticed yet.
    ['post-copy', 'post-copy', true, 'wait'],
    ['gone', 'post-copy', true, 'wait'],
    ['post-copy', 'broken', true, 'wait'],
    ['broken', 'broken', true, 'resume'],
    ['broken', 'unknown', true, 'wait'],
    ['unknown', 'broken', true, 'wait'],
    ['broken', 'gone', true, 'lost'],
    ['gone', 'broken', true, 'lost'],
    ['gone', 'gone', true, 'lost'],
  ];
  for (const [source, target, asked, remedy] of table)
    assert.equal(
      remedyFor(source, target, { isFinishAsked: asked, isOverdue: false }),
      remedy,
      `${source} ${target}`,
    );
});

test('a guest whose ends answer and do not come together is lost; one that is not reached is waited for', () => {
  const late = { isFinishAsked: true, isOverdue: true };
  assert.equal(remedyFor('broken', 'post-copy', late), 'lost');
  assert.equal(remedyFor('broken', 'broken', late), 'lost');
  assert.equal(remedyFor('gone', 'post-copy', late), 'lost');
  assert.equal(remedyFor('broken', 'unknown', late), 'wait');
  assert.equal(remedyFor('unknown', 'broken', late), 'wait');
  // Only the answer is missing: the memory still moves.
  assert.equal(remedyFor('post-copy', 'post-copy', late), 'wait');
});
