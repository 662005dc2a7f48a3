import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from '@podvisor/base';
import { epochsAbove, isEpoch, keptEpochs, searchHighest } from './lease-epochs.ts';

/** Runs a search on `files`; `between` is called before each answer. */
function search(files: ReadonlySet<number>, between: (asked: number) => void = () => undefined) {
  const steps = searchHighest();
  let asked = 0;
  for (let step = steps.next(); ; ) {
    if (step.done === true) return { epoch: step.value?.epoch ?? 0, asked };
    between(asked);
    asked += 1;
    step = steps.next(files.has(step.value) ? String(step.value) : undefined);
  }
}

/** Takes the next epoch, and removes what it makes needless. */
function take(files: Set<number>, isKept: (epoch: number) => boolean = () => false): void {
  const next = Math.max(0, ...files) + 1;
  files.add(next);
  const kept = keptEpochs(next);
  for (const epoch of files) if (!kept.includes(epoch) && !isKept(epoch)) files.delete(epoch);
}

test('thirteen keeps its powers and its beginnings; one of these has a file if there is more', () => {
  assert.deepEqual(keptEpochs(13), [1, 2, 4, 8, 12, 13]);
  assert.deepEqual(epochsAbove(13), [14, 16]);
  assert.deepEqual([keptEpochs(0), epochsAbove(0)], [[], [1]]);
  assert.deepEqual([1, 2 ** 31 - 1, 0, -1, 2 ** 31, 1.5, '1'].map(isEpoch), [
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('the highest is found by few names, however many there were', () => {
  const files = new Set<number>();
  for (let epoch = 1; epoch <= 5_000; epoch += 1) {
    take(files);
    assert.deepEqual(
      [...files].toSorted((a, b) => a - b),
      keptEpochs(epoch),
    );
    const found = search(files);
    assert.equal(found.epoch, epoch);
    assert.ok(found.asked <= 3 * epoch.toString(2).length, `${found.asked} for ${epoch}`);
  }
});

test('takers between any two looks: what is found was the highest while it was looked for', () => {
  const random = randomFrom(13);
  const below = (limit: number): number => Math.floor(random() * limit);
  for (let start = 0; start < 70; start += 3)
    for (let at = 0; at < 12; at += 1)
      for (let round = 0; round < 6; round += 1) {
        const files = new Set<number>();
        for (let epoch = 0; epoch < start; epoch += 1) take(files);
        let last = start;
        let bursts = 3;
        const found = search(files, (asked) => {
          if (bursts === 0 || (asked !== at && below(6) > 0)) return;
          bursts -= 1;
          // Takers that end before they have tidied leave files behind; a search does not mind.
          for (let n = below(round < 2 ? 2 : 40); n > 0; n -= 1) take(files, () => below(3) === 0);
          last = Math.max(0, ...files);
        });
        assert.ok(found.epoch >= start && found.epoch <= last, `${start} ${found.epoch} ${last}`);
      }
});

test('without the second look takers between two looks hide the highest', () => {
  const files = new Set<number>();
  for (let epoch = 1; epoch <= 7; epoch += 1) take(files);
  let isTold = false;
  const found = search(files, (asked) => {
    // The powers 1, 2, 4, 8 have been asked for: eight is missing. Now it comes, and makes 6 and 7 needless.
    if (asked === 4) take(files);
    isTold ||= asked > 8;
  });
  assert.deepEqual([found.epoch, isTold], [8, true]);
});
