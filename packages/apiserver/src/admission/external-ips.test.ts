import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { KubeObject } from '../wire/json.ts';
import type { Attributes } from './attributes.ts';
import { externalIps } from './external-ips.ts';

const plugin = externalIps({ allowedCidrs: ['192.0.2.0/24', '10.0.0.0/8'], serviceCidrs: ['10.96.0.0/20'] });

function service(externalIPs: string[]): KubeObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { externalIPs } };
}

function ask(now: string[], before?: string[]): void {
  const attributes: Attributes = {
    operation: before === undefined ? 'CREATE' : 'UPDATE',
    // Only its name is looked at.
    definition: { group: '', plural: 'services' } as ResourceDefinition,
    subresource: '',
    namespace: 'ns',
    name: 's',
    object: service(now),
    oldObject: before === undefined ? undefined : service(before),
    user: { username: 'tenant', groups: [] },
    dryRun: false,
    options: {},
    warn: () => undefined,
  };
  void plugin.validate?.(attributes);
}

const cases: readonly (readonly [string, string[], string[] | undefined, boolean])[] = [
  ['none', [], undefined, true],
  ['an address of the range', ['192.0.2.7'], undefined, true],
  ['an address of the outside', ['8.8.8.8'], undefined, false],
  ['one of each', ['192.0.2.7', '8.8.8.8'], undefined, false],
  ['the address of a Service, also in a range', ['10.96.0.10'], undefined, false],
  ['what is no address', ['x'], undefined, false],
  ['one that it had', ['8.8.8.8'], ['8.8.8.8', '1.1.1.1'], true],
  ['another one than it had', ['8.8.4.4'], ['8.8.8.8'], false],
];
for (const [name, now, before, allowed] of cases)
  test(`externalIPs: ${name} is ${allowed ? 'let in' : 'refused'}`, () => {
    if (allowed) ask(now, before);
    else assert.throws(() => ask(now, before), /Use of external IPs is denied by admission control\./);
  });
