import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from './random.ts';
import { matchesStars } from './glob.ts';

/** As an expression says it. */
function expected(text: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(text);
}

test('stars stand for any characters, as in an expression', () => {
  const random = randomFrom(7);
  const word = (letters: string, most: number): string =>
    Array.from(
      { length: Math.floor(random() * most) },
      () => letters[Math.floor(random() * letters.length)],
    ).join('');
  for (let i = 0; i < 5_000; i += 1) {
    const [text, pattern] = [word('ab.', 9), word('ab.**', 7)];
    assert.equal(matchesStars(text, pattern), expected(text, pattern), `${text} ${pattern}`);
  }
});

test('a pattern of very many stars is looked at once', () => {
  const before = process.cpuUsage();
  assert.equal(matchesStars('a'.repeat(60_000), `${'*a'.repeat(20_000)}*b`), false);
  const { user } = process.cpuUsage(before);
  assert.ok(user < 500_000, `${user} µs of CPU`);
});
