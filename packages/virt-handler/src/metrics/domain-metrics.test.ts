/** Each number of a guest follows the statistic that it is made of, and no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOMAIN_DEFINITIONS, domainSamples } from './domain-metrics.ts';

const names = {
  labels: { node: 'n', namespace: 'd', name: 'a' },
  interfaceOf: (tap: string) => tap,
  driveOf: (target: string) => target,
};

/** libvirt's and the agent's figures of a guest with one of each device. */
const FIGURES = [
  ...['time', 'user', 'system'].map((key) => `cpu.${key}`),
  ...'current maximum rss available unused usable disk_caches swap_in swap_out major_fault minor_fault'
    .split(' ')
    .map((key) => `balloon.${key}`),
  'host.cpu_affinity',
  ...['1m', '5m', '15m'].map((key) => `guest.load.${key}`),
  ...['rx', 'tx'].flatMap((way) => ['bytes', 'pkts', 'errs', 'drop'].map((key) => `net.0.${way}.${key}`)),
  ...['rd', 'wr'].flatMap((way) => ['reqs', 'bytes', 'times'].map((key) => `block.0.${way}.${key}`)),
  ...['reqs', 'times'].map((key) => `block.0.fl.${key}`),
  ...['time', 'wait', 'delay'].map((key) => `vcpu.0.${key}`),
  ...['total', 'used'].map((key) => `guest.filesystem.0.${key}`),
];
const GUEST: Readonly<Record<string, number | string>> = {
  ...Object.fromEntries(FIGURES.map((key) => [key, 1_000])),
  'net.count': 1,
  'net.0.name': 'tap0',
  'block.count': 1,
  'block.0.name': 'vda',
  'vcpu.maximum': 1,
  'vcpu.0.state': 1,
  'guest.filesystem.count': 1,
  'guest.filesystem.0.mount': '/',
};
const values = (stats: Readonly<Record<string, number | string>>): ReadonlyMap<string, number> =>
  new Map(
    domainSamples(stats, names).map(([{ name }, { labels, value }]) => [
      `${name} ${labels?.['type'] ?? ''}`.trim(),
      value,
    ]),
  );
const changedBy = (key: string): readonly string[] => {
  const before = values(GUEST);
  return [...values({ ...GUEST, [key]: 2_000 })].flatMap(([name, value]) =>
    value === before.get(name) ? [] : [name],
  );
};

test('every family changes because its figure does', () => {
  const changed = new Set(FIGURES.flatMap((key) => changedBy(key).map((name) => name.split(' ')[0])));
  assert.deepEqual(
    DOMAIN_DEFINITIONS.map(({ name }) => name).filter((name) => !changed.has(name)),
    [],
  );
});

for (const key of FIGURES)
  test(`${key} doubles what is made of it, and nothing else`, () => {
    const changed = changedBy(key);
    // Bytes of the network are told twice: by direction, and under the older name with a label.
    assert.equal(changed.length, /net\.0\..x\.bytes/.test(key) ? 2 : 1, changed.join());
    const [before, after] = [values(GUEST), values({ ...GUEST, [key]: 2_000 })];
    for (const name of changed) assert.equal(after.get(name), 2 * (before.get(name) ?? 0), name);
  });
