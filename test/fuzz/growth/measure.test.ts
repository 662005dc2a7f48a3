import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthProblem } from './measure.ts';
import { placesOf } from './places.ts';
import { sizedObject } from './sized-object.ts';

const spin = (steps: number): number => {
  let sum = 0;
  for (let i = 0; i < steps; i += 1) sum = Math.imul(sum + i, 31);
  return sum;
};

test('what grows with the square is found, what grows with the size is not', async () => {
  const squared = await growthProblem(async (count) => spin(count * count * 3), 8_000);
  assert.match(squared ?? '', /^8000 entries take \d+ ms of CPU, 2000 take \d+$/);
  assert.equal(await growthProblem(async (count) => spin(count * 24_000), 8_000), undefined);
});

test('every list and map of a schema is a place, also behind references and in lists', () => {
  const components = { Item: { properties: { tags: { type: 'array', items: { type: 'string' } } } } };
  const schema = {
    properties: {
      items: { items: { $ref: '#/components/schemas/Item' } },
      labels: { additionalProperties: { type: 'string' } },
    },
  };
  const places = placesOf(schema, components);
  assert.deepEqual(
    places.map(({ path }) => path.join('.')),
    ['items', 'items.0.tags', 'labels'],
  );
  const [items, tags, labels] = places;
  assert.ok(items !== undefined && tags !== undefined && labels !== undefined);
  assert.deepEqual(sizedObject({ items: [{ name: 'a' }] }, tags, 2, 'apart', components), {
    items: [{ name: 'a', tags: ['n0', 'n1'] }],
  });
  assert.deepEqual(sizedObject({}, items, 1, 'alike', components), { items: [{ tags: ['n0'] }] });
  assert.deepEqual(sizedObject({}, labels, 2, 'alike', components), { labels: { k0: 'n0', k1: 'n0' } });
});
