import assert from 'node:assert/strict';
import { test } from 'node:test';
import { npmPackages } from './npm-packages.ts';
import { spdxDocument } from './spdx.ts';

const input = {
  image: 'virt-api',
  version: 'v1',
  created: 1_700_000_000,
  debian: [{ name: 'libstdc++6', version: '12.2.0-14+deb12u1', architecture: 'amd64', source: 'gcc-12' }],
  npm: [{ name: '@grpc/grpc-js', version: '1.2.3', license: 'Apache-2.0', integrity: 'sha512-AAE=' }],
};

interface Document {
  readonly documentNamespace: string;
  readonly creationInfo: { readonly created: string };
  readonly packages: readonly {
    readonly SPDXID: string;
    readonly checksums?: readonly { readonly checksumValue: string }[];
    readonly externalRefs?: readonly { readonly referenceLocator: string }[];
  }[];
  readonly relationships: readonly { readonly relatedSpdxElement: string }[];
}

test('a document names every package once, with its purl, and is contained in the image', () => {
  const document = JSON.parse(spdxDocument(input)) as Document;
  assert.equal(document.creationInfo.created, '2023-11-14T22:13:20Z');
  assert.deepEqual(
    document.packages.map(({ SPDXID }) => SPDXID),
    ['SPDXRef-Image', 'SPDXRef-deb-libstdc.plus..plus.6', 'SPDXRef-npm--grpc-grpc-js'],
  );
  for (const { SPDXID } of document.packages) assert.match(SPDXID, /^SPDXRef-[A-Za-z0-9.-]+$/);
  assert.deepEqual(
    document.packages.flatMap(({ externalRefs = [] }) => externalRefs.map((ref) => ref.referenceLocator)),
    ['pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64', 'pkg:npm/%40grpc/grpc-js@1.2.3'],
  );
  assert.equal(document.packages[2]?.checksums?.[0]?.checksumValue, '0001');
  assert.deepEqual(
    document.relationships.map(({ relatedSpdxElement }) => relatedSpdxElement),
    document.packages.map(({ SPDXID }) => SPDXID),
  );
});

test('one input gives one text; other packages another namespace', () => {
  assert.equal(spdxDocument(input), spdxDocument(input));
  const other = JSON.parse(spdxDocument({ ...input, npm: [] })) as Document;
  assert.notEqual(other.documentNamespace, (JSON.parse(spdxDocument(input)) as Document).documentNamespace);
});

test('versions and licences are those of the lock file, and what it does not have is an error', () => {
  const lock = { packages: { 'node_modules/ws': { version: '8.0.0', license: 'MIT' } } };
  assert.deepEqual(npmPackages(['ws', 'ws'], lock), [{ name: 'ws', version: '8.0.0', license: 'MIT' }]);
  assert.throws(() => npmPackages(['gone'], lock), /does not have gone/);
});
