import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chosenImages,
  isPlainRegistry,
  prefixArgument,
  referenceOf,
  tagArgument,
  withRegistry,
} from './references.ts';

for (const [name, whole] of [
  ['mine:1', 'podvisor.local/mine:1'],
  ['team/mine', 'podvisor.local/team/mine'],
  ['localhost:5000/mine:V_1.2', 'localhost:5000/mine:V_1.2'],
  ['registry.example.com/a/b:1', 'registry.example.com/a/b:1'],
] as const)
  test(`${name} is an image`, () => assert.equal(withRegistry(name), whole));

for (const name of ['X_Y:1', 'mine:', '-mine', 'a b', '', 'mine:1:2', 'a//b', '../a'])
  test(`"${name}" is refused in words`, () =>
    assert.throws(() => withRegistry(name), /cannot be the name of an image: use small letters/));

test('a reference has prefix, name and tag', () =>
  assert.equal(
    referenceOf('registry.example.com/pv', 'virt-api', 'v1'),
    'registry.example.com/pv/virt-api:v1',
  ));

for (const prefix of [
  'registry.example.com',
  'localhost:5000',
  '[::1]:5000/a',
  'quay.io/some-one/pod__visor',
])
  test(`${prefix} is a prefix`, () => assert.equal(prefixArgument(prefix), prefix));

for (const [prefix, says] of [
  ['https://registry.example.com', /without a scheme/],
  ['docker://localhost:5000', /without a scheme/],
  ['registry.example.com/Podvisor', /small letters/],
  ['registry.example.com/pv:v1', /without a tag/],
  ['registry.example.com/', /REGISTRY/],
  ['', /REGISTRY/],
  ['a b', /REGISTRY/],
] as const)
  test(`"${prefix}" is no prefix`, () => assert.throws(() => prefixArgument(prefix), says));

test('tags are those of the distribution specification', () => {
  assert.equal(tagArgument('v1.2.3-rc_1'), 'v1.2.3-rc_1');
  for (const tag of ['', '-a', '.a', 'a/b', 'a:b', 'a'.repeat(129)])
    assert.throws(() => tagArgument(tag), /a tag has/);
});

test('only registries of this machine are spoken to without TLS', () => {
  for (const prefix of ['localhost:5000/pv', '127.0.0.1:5000', '[::1]:5000/pv', 'localhost'])
    assert.ok(isPlainRegistry(prefix), prefix);
  for (const prefix of ['localhost.example.com/pv', '10.0.0.1:5000', '1270.0.0.1'])
    assert.ok(!isPlainRegistry(prefix), prefix);
});

test('images are chosen by name, all without one; an unknown name is told with those there are', () => {
  assert.deepEqual(
    chosenImages(['virt-launcher', 'virt-api']).map(({ name }) => name),
    ['virt-api', 'virt-launcher'],
  );
  assert.ok(chosenImages([]).length >= 6);
  assert.throws(() => chosenImages(['virt-apl']), /no image "virt-apl"; there are virt-operator, virt-api/);
});
