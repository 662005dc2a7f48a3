import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject, VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import type { KubeClient, Resource } from '@podvisor/kube';
import { readGraphFacts } from './graph-facts.ts';

const signal = new AbortController().signal;
const vm = (devices: object): VirtualMachine =>
  ({
    metadata: { name: 'a', namespace: 'n' },
    spec: { template: { spec: { domain: { devices } } } },
  }) as never;
const vmi = { metadata: { name: 'a', namespace: 'n', uid: 'u' } } as VirtualMachineInstance;

/** Notes what is listed; what is asked of claims fails. */
function listing(asked: string[]): Pick<KubeClient, 'list'> {
  const list = async <T extends KubernetesObject>(
    { plural }: Resource<T>,
    options: Parameters<KubeClient['list']>[1],
  ) => {
    asked.push(`${plural} ${options?.namespace} ${options?.labelSelector}`);
    if (plural !== 'pods') throw new Error('no answer');
    return { metadata: {}, items: [{ metadata: { name: 'p' } }] as unknown as T[] };
  };
  return { list } as Pick<KubeClient, 'list'>;
}

test('only what the graph tells of is listed', async () => {
  const asked: string[] = [];
  const none = await readGraphFacts(listing(asked), vm({}), undefined, signal);
  assert.deepEqual(
    [none.launchers, none.stateClaims, asked],
    [{ kind: 'found', object: [] }, { kind: 'found', object: [] }, []],
  );
  const all = await readGraphFacts(listing(asked), vm({ tpm: { persistent: true } }), vmi, signal);
  assert.deepEqual(asked, [
    'pods n kubevirt.io/created-by=u',
    'persistentvolumeclaims n persistent-state-for=a',
  ]);
  assert.deepEqual(all, {
    launchers: { kind: 'found', object: [{ metadata: { name: 'p' } }] },
    stateClaims: { kind: 'failed', message: 'no answer' },
  });
});
