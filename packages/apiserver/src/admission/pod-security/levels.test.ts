import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLevel, policyOf } from './levels.ts';

const of = (labels: Readonly<Record<string, string>>): string => {
  const prefixed = Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]);
  const { policy, errors } = policyOf(Object.fromEntries(prefixed));
  const modes = [policy.enforce, policy.audit, policy.warn].map(formatLevel).join(' ');
  return [modes, ...errors.map(({ field, message }) => `${field}: ${message}`)].join(' | ');
};

const P = 'privileged:latest';
const cases: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['no labels', {}, `${P} ${P} ${P}`],
  ['enforce warns as well', { enforce: 'restricted' }, `restricted:latest ${P} restricted:latest`],
  [
    'a pinned version goes with the level',
    { enforce: 'baseline', 'enforce-version': 'v1.24' },
    `baseline:v1.24 ${P} baseline:v1.24`,
  ],
  [
    'a warn label of its own stays',
    { enforce: 'baseline', warn: 'restricted', 'warn-version': 'v1.30' },
    `baseline:latest ${P} restricted:v1.30`,
  ],
  [
    'a level that nobody knows enforces the strictest',
    { enforce: 'tight' },
    `restricted:latest ${P} ${P} | metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "tight": must be one of privileged, baseline, restricted`,
  ],
  [
    'what cannot be read neither audits nor warns',
    { audit: 'x', warn: 'y' },
    `${P} ${P} ${P} | metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: "x": must be one of privileged, baseline, restricted | metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: "y": must be one of privileged, baseline, restricted`,
  ],
  [
    'a version that is none is the latest',
    { enforce: 'baseline', 'enforce-version': '1.24' },
    `baseline:latest ${P} baseline:latest | metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: "1.24": must be "latest" or "v1.x"`,
  ],
];
for (const [name, labels, expected] of cases)
  test(`labels of a namespace: ${name}`, () => assert.equal(of(labels), expected));
