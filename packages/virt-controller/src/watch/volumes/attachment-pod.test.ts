import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, SELinuxOptions } from '@podvisor/api';
import { vmiWith } from '../../testing/objects.ts';
import { buildAttachmentPod } from './attachment-pod.ts';

const CLAIM = { volume: 'data', claimName: 'claim', claimUid: 'claim-uid', block: true };

function labelsOf(selinuxContext: string | undefined, launcher: SELinuxOptions | undefined): unknown {
  const pod: Pod = {
    metadata: { name: 'launcher', uid: 'u' },
    spec: {
      containers: [],
      ...(launcher === undefined ? {} : { securityContext: { seLinuxOptions: launcher } }),
    },
  };
  const vmi = vmiWith(selinuxContext === undefined ? {} : { selinuxContext });
  const { spec } = buildAttachmentPod({
    vmi,
    launcher: pod,
    claims: [CLAIM],
    others: [],
    launcherImage: 'i',
  });
  return spec.containers[0]?.securityContext?.seLinuxOptions;
}

const GUEST = 'system_u:system_r:container_t:s0:c12,c345';
const cases: readonly [string, string | undefined, SELinuxOptions | undefined, SELinuxOptions][] = [
  [
    'the categories of its guest, which must read what the kubelet labels for it',
    GUEST,
    undefined,
    { level: 's0:c12,c345' },
  ],
  [
    'the type of its launcher',
    GUEST,
    { type: 'my_launcher_t' },
    { type: 'my_launcher_t', level: 's0:c12,c345' },
  ],
  ['no categories where there is no SELinux', 'none', undefined, { level: 's0' }],
  ['no categories while those of the guest are not known', undefined, undefined, { level: 's0' }],
];

for (const [name, context, launcher, expected] of cases)
  test(`an attachment Pod has ${name}`, () => assert.deepEqual(labelsOf(context, launcher), expected));
