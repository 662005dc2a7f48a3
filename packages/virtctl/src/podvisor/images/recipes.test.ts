import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POD_LIB, POD_PROGRAMS } from '../home/pod-programs.ts';
import { pushFailure } from './carry.ts';
import { assertSizes } from './command.ts';
import { IMAGES, packagesOf, SETS, setsOf, setsOfAll } from './recipes.ts';

for (const image of IMAGES) {
  test(`${image.name} has what it starts, and a numeric user`, () => {
    assert.match(image.user, /^\d+:\d+$/);
    for (const word of image.entrypoint.filter((one) => one.endsWith('.mjs')))
      assert.ok(
        image.bundles.some((bundle) => word === `${POD_LIB}/${bundle}.mjs`),
        word,
      );
    for (const script of image.scripts)
      for (const [, bundle = ''] of POD_PROGRAMS[script].matchAll(/\/usr\/lib\/podvisor\/([\w-]+)\.mjs/g))
        assert.ok(image.bundles.includes(bundle), `${script} starts ${bundle}`);
  });
  test(`${image.name} has a shell only if its scripts need one`, () => {
    const programs = setsOf(image).flatMap((set) => set.programs);
    assert.equal(programs.includes('sh'), image.scripts.length > 0);
  });
}

test('only the node agent is root', () =>
  assert.deepEqual(
    IMAGES.filter(({ user }) => user.startsWith('0:')).map(({ name }) => name),
    ['virt-handler'],
  ));

test('names are there once, with those of other names for the same image', () => {
  const names = IMAGES.flatMap(({ name, aliases }) => [name, ...aliases]);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.includes('virt-exportserver'));
});

test('a set asks for its packages and those of all sets below it', () => {
  assert.ok(packagesOf(setsOf({ set: 'launcher' })).includes('ca-certificates'));
  assert.ok(!packagesOf(setsOf({ set: 'importer' })).includes('qemu-system-x86'));
  assert.ok(!packagesOf(setsOf({ set: 'handler' })).includes('qemu-system-x86'));
  for (const { set } of IMAGES) {
    const packages = packagesOf(setsOf({ set }));
    assert.equal(packages.length, new Set(packages).size);
  }
});

test('what several images need is each set once, after the one that it is on', () => {
  const names = (of: readonly { readonly set: string }[]): readonly string[] =>
    setsOfAll(of).map(({ name }) => name);
  assert.deepEqual(names([{ set: 'handler' }]), ['control-plane', 'handler']);
  assert.deepEqual(
    names(IMAGES),
    SETS.map(({ name }) => name),
  );
  for (const [index, { on }] of SETS.entries())
    assert.ok(on === undefined || SETS.findIndex(({ name }) => name === on) < index, on);
});

test('an image beyond its limit is named with both figures', () => {
  const image = { name: 'virt-api', bytes: 61 * 1024 ** 2, limitBytes: 60 * 1024 ** 2 };
  assert.throws(() => assertSizes([image]), /virt-api has 61\.0 of 60\.0 MiB/);
  assertSizes([{ ...image, bytes: 60 * 1024 ** 2 }]);
});

for (const [said, hint] of [
  ['unauthorized: authentication required', /skopeo login r\.example/],
  ['dial tcp: lookup r.example: no such host', /r\.example does not answer/],
  ['http: server gave HTTP response to HTTPS client', /r\.example does not speak TLS.*registries\.conf\.d/],
  ['tls: failed to verify certificate: x509: unknown authority', /certs\.d\/r\.example/],
  ['500', /refused/],
] as const)
  test(`a push that fails with "${said}" says what to do`, () =>
    assert.match(pushFailure('r.example/pv/virt-api:v1', said), hint));
