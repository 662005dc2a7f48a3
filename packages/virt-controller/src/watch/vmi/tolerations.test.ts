import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterConfig, type Toleration } from '@podvisor/api';
import { vmiWith } from '../../testing/objects.ts';
import { buildLauncherPod } from './launcher-pod.ts';

const STAYS = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' } as const;

function tolerationsOf(own: readonly Toleration[] | undefined): unknown {
  const vmi = vmiWith({});
  return buildLauncherPod(
    { ...vmi, spec: { ...vmi.spec, ...(own === undefined ? {} : { tolerations: own }) } },
    {
      launcherImage: 'launcher',
      config: clusterConfig(),
      containerDisks: 'containers',
      volumes: { claim: () => undefined, dataVolumePhase: () => undefined },
    },
  ).spec.tolerations;
}

const other = { key: 'vms', operator: 'Exists' } as const;
const limited = { ...STAYS, tolerationSeconds: 60 };
const { effect: _, ...everyEffect } = limited;
const cases: readonly [string, readonly Toleration[] | undefined, readonly Toleration[]][] = [
  ['stays on a node that cannot be reached', undefined, [STAYS]],
  ['tolerates what its VM tolerates, too', [other], [other, STAYS]],
  ['goes when its VM says after how long', [limited], [limited]],
  ['goes then for whatever effect', [everyEffect], [everyEffect]],
  [
    'stays for a VM that speaks of scheduling only',
    [{ ...STAYS, effect: 'NoSchedule' }],
    [{ ...STAYS, effect: 'NoSchedule' }, STAYS],
  ],
];

for (const [name, own, expected] of cases)
  test(`a launcher ${name}`, () => assert.deepEqual(tolerationsOf(own), expected));
