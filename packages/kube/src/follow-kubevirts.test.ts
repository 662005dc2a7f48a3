import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeVirt } from '@podvisor/api';
import { followLogLevel } from './follow-kubevirts.ts';
import type { Informer } from './informer/informer.ts';

type Handlers = Parameters<Informer<KubeVirt>['on']>[0];

function kubeVirt(logVerbosity: object, phase = 'Deployed'): KubeVirt {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt', uid: 'u' },
    spec: { configuration: { developerConfiguration: { logVerbosity } } },
    status: { phase },
  } as unknown as KubeVirt;
}

test('the level of a log follows the verbosity of its component, and no other', () => {
  let handlers: Handlers = {};
  const silent = (): void => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent, fatal: silent, level: 'info' };
  followLogLevel({ on: (given) => (handlers = given) as never }, 'virtOperator', log);
  const see = (now: KubeVirt): string => {
    handlers.update?.(now, now);
    return log.level;
  };
  handlers.add?.(kubeVirt({ virtOperator: 3 }), true);
  assert.equal(log.level, 'debug');
  assert.equal(see(kubeVirt({ virtOperator: 9 })), 'trace');
  assert.equal(see(kubeVirt({ virtController: 9 })), 'info');
  assert.equal(see(kubeVirt({ virtOperator: 5 }, '')), 'info', 'an object that does not count yet');
});
