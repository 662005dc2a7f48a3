import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingParts, type NamespaceParts } from './reconcile.ts';

const whole: NamespaceParts = {
  namespace: { metadata: { name: 'ns' } },
  serviceAccount: { metadata: { namespace: 'ns', name: 'default' } },
  rootCa: { metadata: { namespace: 'ns', name: 'kube-root-ca.crt' }, data: { 'ca.crt': 'PEM' } },
  clusterCa: 'PEM',
};
const kinds = (parts: Partial<NamespaceParts>): readonly string[] =>
  missingParts({ ...whole, ...parts }).map(({ kind }) => kind);

const CASES: readonly [string, Partial<NamespaceParts>, readonly string[]][] = [
  ['is whole', {}, []],
  ['is new', { serviceAccount: undefined, rootCa: undefined }, ['service-account', 'new-root-ca']],
  ['has lost its account', { serviceAccount: undefined }, ['service-account']],
  ['trusts another CA', { clusterCa: 'NEW' }, ['changed-root-ca']],
  ['is gone', { namespace: undefined, serviceAccount: undefined }, []],
  [
    'ends',
    { namespace: { metadata: { name: 'ns', deletionTimestamp: 'now' } }, serviceAccount: undefined },
    [],
  ],
];

for (const [name, parts, expected] of CASES)
  test(`a namespace that ${name}`, () => assert.deepEqual(kinds(parts), expected));
