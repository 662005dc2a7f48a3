import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TickJudge } from './tick-watch.ts';

type Look = readonly (readonly [run: number, count: number, nonce?: number])[];

const cases: readonly {
  readonly name: string;
  readonly looks: readonly Look[];
  readonly problem?: RegExp;
}[] = [
  {
    name: 'one run after the other',
    looks: [
      [[1, 5]],
      [[1, 9]],
      [
        [1, 9],
        [2, 1],
      ],
      [
        [1, 9],
        [2, 4],
      ],
    ],
  },
  {
    name: 'the last entry of the run before is seen with the first of the next: a look is not one instant',
    looks: [
      [[1, 5]],
      [
        [1, 5],
        [2, 1],
      ],
      [
        [1, 6],
        [2, 1],
      ],
      [
        [1, 6],
        [2, 2],
      ],
    ],
  },
  {
    name: 'two runs at once',
    looks: [
      [[1, 5]],
      [
        [1, 5],
        [2, 1],
      ],
      [
        [1, 6],
        [2, 1],
      ],
      [
        [1, 7],
        [2, 2],
      ],
    ],
    problem: /run 1 wrote entry 7 after run 2 had begun/,
  },
  { name: 'two that began at once', looks: [[[1, 5, 77]], [[1, 2, 78]]], problem: /two runs have number 1/ },
  { name: 'an entry is lost', looks: [[[1, 5]], [[1, 4]]], problem: /entry 5 of run 1 was on the disk/ },
  {
    name: 'all of a run is lost',
    looks: [
      [
        [1, 5],
        [2, 1],
      ],
      [[2, 2]],
    ],
    problem: /what run 1 wrote is gone/,
  },
];

for (const { name, looks, problem } of cases)
  test(name, () => {
    const judge = new TickJudge();
    looks.forEach((look, index) =>
      judge.see(
        look.map(([run, count, nonce = run]) => ({ run, count, nonce })),
        index,
      ),
    );
    if (problem === undefined) assert.deepEqual(judge.problems, []);
    else assert.match(judge.problems.join('\n'), problem);
  });

test('it writes when its count is another one', () => {
  const judge = new TickJudge();
  for (const [atMs, count] of [
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 3],
  ] as const)
    judge.see([{ run: 1, nonce: 1, count }], atMs);
  assert.deepEqual([judge.writesSince(0), judge.writesSince(1), judge.writesSince(4)], [3, 2, 0]);
});
