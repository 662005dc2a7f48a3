import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { judge, TARGETS } from './targets.ts';

test('a figure is held, over within its noise, or missed', () => {
  assert.equal(judge(TARGETS.delete, 1.3), 'held');
  assert.equal(judge(TARGETS.delete, 1.4), 'over, within noise');
  assert.equal(judge(TARGETS.delete, 1.6), 'missed');
  assert.equal(judge(TARGETS.vmPostRate, 260), 'held');
  assert.equal(judge(TARGETS.vmPostRate, 230), 'over, within noise');
  assert.equal(judge(TARGETS.vmPostRate, 150), 'missed');
  assert.equal(judge(TARGETS.versions, 4), 'missed');
});

test('SPECIFICATION.md has every limit, with its bench', () => {
  const text = readFileSync(join(import.meta.dirname, '../SPECIFICATION.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  for (const { bench, limit, unit, what } of Object.values(TARGETS)) {
    const said = rows.some((row) => row.includes(`\`${bench}\``) && row.includes(limitText(limit, unit)));
    assert.ok(said, `${what}: ${limitText(limit, unit)} by ${bench}`);
  }
});

function limitText(limit: number, unit: string): string {
  const isSeconds = unit === 'ms' && limit >= 1000;
  if (unit === 'µs') return `${limit / 1000} ms`;
  return `${isSeconds ? limit / 1000 : limit} ${isSeconds ? 's' : unit}`.trim();
}
