/** What Kubernetes refuses of a Pod that names its operating system. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../wire/json.ts';
import { systemErrors } from './systems.ts';

const TABLE: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['no system is named', { securityContext: { windowsOptions: {}, runAsUser: 1 } }, []],
  [
    "Windows' options on Linux",
    {
      os: { name: 'linux' },
      securityContext: { windowsOptions: {} },
      containers: [{ name: 'c', securityContext: { windowsOptions: {} } }],
    },
    ['spec.securityContext.windowsOptions', 'spec.containers[0].securityContext.windowsOptions'],
  ],
  [
    "Linux' options on Windows",
    {
      os: { name: 'windows' },
      hostPID: true,
      hostIPC: false,
      hostUsers: false,
      securityContext: { runAsUser: 0, sysctls: [], windowsOptions: {} },
      initContainers: [{ name: 'i', securityContext: { privileged: false } }],
    },
    [
      'spec.securityContext.runAsUser',
      'spec.hostUsers',
      'spec.hostPID',
      'spec.initContainers[0].securityContext.privileged',
    ],
  ],
];

for (const [what, spec, fields] of TABLE)
  test(what, () =>
    assert.deepEqual(
      systemErrors(spec, 'spec').map(({ field }) => field),
      fields,
    ),
  );
