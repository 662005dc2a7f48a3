/**
 * No regular expression of a component takes much longer than its text is long: texts of tenants, guests and networks are
 * held against them, and JavaScript's engine tries all ways. A field of a Pod may have a million characters: what takes the
 * square of that keeps a process from everybody else for minutes.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { crds } from '@podvisor/api/crds';
import { isAmbiguous } from './ambiguity.ts';
import { growsFast } from './growth.ts';
import { expressionsOf, goSource } from './sources.ts';

/** Run by who uses the command line or the page, on his own machine. */
const OWN_MACHINE = /^packages\/(virtctl|console)\//;
/** Serves one guest: what keeps it busy is its own. */
const OWN_GUEST = /^packages\/virt-launcher\//;

/** Expressions that may take the square of their text, with what bounds that text. */
const SHORT_TEXTS: Readonly<Record<string, string>> = {
  'packages/apiserver/src/crd/cel/cel.ts': 'a message of our own evaluator',
  'packages/apiserver/src/registry/notation.ts': 'a line of our own tables',
  'packages/base/src/ip.ts': 'the eight groups of an address',
  'packages/network/src/masquerade/undo.ts': "our table, as the kernel's tool prints it",
  'packages/sys/src/network/nft.ts': "our tables, as the kernel's tool prints them",
  'packages/virt-handler/src/node/labels.ts': "what the node's own libvirtd says of its machine",
};

/** Where expressions are made of texts when the program runs, and whose texts those are. None is a tenant's, or a guest's. */
const MADE: Readonly<Record<string, string>> = {
  'packages/api/src/rules/kubernetes-names.ts': 'constants of the file',
  'packages/api/src/rules/vmi/machine.ts': "the administrator's, in the KubeVirt object",
  'packages/api/src/schema-problems.ts': 'patterns of our own CRDs (looked at below)',
  'packages/apiserver/src/crd/cel/cel-problem.ts': 'one of a few names',
  'packages/apiserver/src/crd/cel/functions/versions.ts': 'constants of the file',
  'packages/apiserver/src/crd/pattern/pattern-classes.ts': 'one class of characters',
  'packages/apiserver/src/crd/pattern/pattern-escapes.ts': 'one class of characters',
  'packages/apiserver/src/crd/pattern/pattern-program.ts': 'one class of characters',
  'packages/apiserver/src/registry/kinds/pod/security.ts': 'constants of the file',
  'packages/cluster/src/local-volumes/local-data.ts': 'constants of the file',
  'packages/sys/src/cgroups/machine-usage.ts': "names of the kernel's",
  'packages/sys/src/confinement/capabilities.ts': "names of the kernel's",
  'packages/virt-handler/src/node/labels.ts': 'names of attributes',
  'packages/virt-launcher/src/downward-metrics/host-metrics.ts': "names of the kernel's",
};

const known: readonly [source: string, exponential: boolean, grows: boolean][] = [
  ['^(a+)+$', true, false],
  ['^(a|a)*$', true, false],
  ['^(a|ab|b)*$', true, false],
  ['(a*)*b', true, true],
  ['^[^;]*(;\\s*([^\\s;=]+=("[^"]*"|[^\\s;"]*))?\\s*)*$', true, true],
  ['^(\\d+(\\.\\d+)?(ns|us|ms|s|m|h))+$', false, false],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$', false, false],
  ['^(a+b)+$', false, false],
  ['a*a*a*', false, false],
  ['a*a*$', false, true],
  ['^a*b*$', false, false],
  ['^\\d+\\.?\\d*$', false, true],
  ['^\\d+(\\.\\d*)?$', false, false],
  ['\\s*,?\\s*$', false, true],
  ['\\s+$', false, true],
  ['^\\s+', false, false],
  ['x+', false, false],
  ['a+b', false, true],
  ['.*x.*y', false, true],
  ['^.*:.*$', false, true],
  ['^[^:]*:.*$', false, false],
  ['(?m)^\\s*x', false, true],
  ['(?m)^[ \\t]*x', false, false],
];

for (const [source, exponential, grows] of known)
  test(`${source} is ${exponential ? '' : 'not '}ambiguous, and ${grows ? 'grows' : 'does not grow'} fast`, () => {
    assert.equal(isAmbiguous(source), exponential);
    if (!exponential) assert.equal(growsFast(source), grows);
  });

test('what JavaScript has and Go has not is read as what it may match', () => {
  const read = (source: string, flags = ''): string => goSource({ source, flags });
  assert.equal(read('^0+(?=\\d(x))(?<!a)b'), '^0+\\b\\bb');
  assert.equal(read('\\u0041[^]', 'gs'), '(?s)\\x{0041}[\\s\\S]');
  assert.equal(read(`(['"])a+\\1`), `(['"])a+['"]?`);
  assert.equal(growsFast(read('a+b', 'g')), true);
  assert.equal(growsFast(read('a+b', 'gy')), false);
});

test('no expression of a component takes much longer than its text is long', () => {
  const [doubling, growing, made]: [string[], string[], string[]] = [[], [], []];
  const short = new Set<string>();
  let looked = 0;
  for (const file of globSync('packages/*/src/**/*.{ts,tsx}').toSorted()) {
    if (OWN_MACHINE.test(file) || /\.test\.ts$|\/testing\/|\/gen\//.test(file)) continue;
    const found = expressionsOf(file);
    if (found.areMade) made.push(file);
    for (const expression of found.written) {
      looked += 1;
      const source = goSource(expression);
      if (isAmbiguous(source)) doubling.push(`${file}: ${expression.source}`);
      else if (!OWN_GUEST.test(file) && growsFast(source))
        if (Object.hasOwn(SHORT_TEXTS, file)) short.add(file);
        else growing.push(`${file}: ${expression.source}`);
    }
  }
  assert.ok(looked > 300, `${looked} expressions`);
  assert.deepEqual(doubling, []);
  assert.deepEqual(growing, []);
  assert.deepEqual([...short], Object.keys(SHORT_TEXTS), 'a file that is listed has such expressions');
  assert.deepEqual(made, Object.keys(MADE));
});

test('no pattern in our CRDs takes much longer than its text is long', () => {
  const patterns = new Set<string>();
  JSON.stringify(crds, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  assert.ok(patterns.size > 2, `${patterns.size} patterns`);
  const isBad = (source: string): boolean => isAmbiguous(source) || growsFast(source);
  assert.deepEqual([...patterns].filter(isBad), []);
});
