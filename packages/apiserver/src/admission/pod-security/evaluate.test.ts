/** Every check of the Pod Security Standards, and what each version of them says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../wire/json.ts';
import { NEWEST_MINOR, STANDARD_CHECKS } from './checks.ts';
import { inDetail, inShort, violations } from './evaluate.ts';
import type { LevelVersion } from './levels.ts';

const hardened = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
/** A Pod that `restricted` lets in, with changes to its spec. */
const pod = (spec: JsonObject = {}, annotations: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p', annotations },
  spec: { containers: [{ name: 'a', image: 'x', securityContext: hardened }], ...spec },
});
/** The same with changes to its container. */
const container = (change: JsonObject): JsonObject =>
  pod({ containers: [{ name: 'a', image: 'x', securityContext: hardened, ...change }] });
/** The same with changes to the security context of its container. */
const secured = (change: JsonObject): JsonObject =>
  container({ securityContext: { ...hardened, ...change } });

const latest = (level: LevelVersion['level']): LevelVersion => ({ level, version: 'latest' });
const told = (level: LevelVersion, object: JsonObject): string => inDetail(violations(level, object));

test('a hardened Pod breaks no rule of any level and version', () => {
  for (const level of ['privileged', 'baseline', 'restricted'] as const)
    for (const version of ['latest', 0, 19, 25, NEWEST_MINOR, 99] as const)
      assert.deepEqual(violations({ level, version }, pod()), []);
});

const ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/a';
const baseline: readonly (readonly [id: string, JsonObject, string])[] = [
  [
    'appArmorProfile',
    secured({ appArmorProfile: { type: 'Unconfined' } }),
    'forbidden AppArmor profile (container "a" must not set AppArmor profile type to "Unconfined")',
  ],
  [
    'appArmorProfile',
    pod({ securityContext: { appArmorProfile: { type: 'Unconfined' } } }, { [ANNOTATION]: 'unconfined' }),
    `forbidden AppArmor profiles (pod and annotation must not set AppArmor profile type to "Unconfined", "${ANNOTATION}="unconfined"")`,
  ],
  [
    'capabilities_baseline',
    secured({ capabilities: { drop: ['ALL'], add: ['SYS_ADMIN', 'CHOWN', 'NET_RAW'] } }),
    'non-default capabilities (container "a" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)',
  ],
  [
    'hostNamespaces',
    pod({ hostPID: true, hostNetwork: true, hostIPC: true }),
    'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
  ],
  [
    'hostPathVolumes',
    pod({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
    'hostPath volumes (volume "v")',
  ],
  [
    'hostPorts',
    container({ ports: [{ hostPort: 80 }, { hostPort: 443 }, { hostPort: 0 }] }),
    'hostPort (container "a" uses hostPorts 443, 80)',
  ],
  [
    'hostProbesAndHostLifecycle',
    container({
      livenessProbe: { httpGet: { host: '169.254.169.254' } },
      lifecycle: { preStop: { tcpSocket: { host: 'localhost' } } },
    }),
    'probe or lifecycle host (container "a" uses probe or lifecycle hosts "169.254.169.254", "localhost")',
  ],
  [
    'privileged',
    secured({ privileged: true }),
    'privileged (container "a" must not set securityContext.privileged=true)',
  ],
  [
    'procMount',
    secured({ procMount: 'Unmasked' }),
    'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
  ],
  [
    'seLinuxOptions',
    secured({ seLinuxOptions: { type: 'spc_t', user: 'system_u', role: 'r' } }),
    'seLinuxOptions (container "a" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; role may not be set)',
  ],
  [
    'seccompProfile_baseline',
    pod({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'sysctls',
    pod({ securityContext: { sysctls: [{ name: 'kernel.msgmax' }, { name: 'net.ipv4.tcp_rmem' }] } }),
    'forbidden sysctls (kernel.msgmax)',
  ],
  [
    'windowsHostProcess',
    pod({ securityContext: { windowsOptions: { hostProcess: true } } }),
    'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
  ],
];
for (const [id, object, text] of baseline)
  test(`baseline refuses ${id}: ${text.slice(0, 60)}`, () => {
    assert.equal(told(latest('baseline'), object), text);
    assert.equal(told(latest('privileged'), object), '');
    assert.notEqual(told(latest('restricted'), object), '', 'restricted contains baseline');
  });

const restricted: readonly (readonly [id: string, JsonObject, string])[] = [
  [
    'allowPrivilegeEscalation',
    secured({ allowPrivilegeEscalation: true }),
    'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)',
  ],
  [
    'capabilities_restricted',
    secured({ capabilities: { drop: ['NET_RAW'], add: ['CHOWN'] } }),
    'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]; container "a" must not include "CHOWN" in securityContext.capabilities.add)',
  ],
  [
    'procMount_restricted',
    pod({
      hostUsers: false,
      containers: [{ name: 'a', securityContext: { ...hardened, procMount: 'Unmasked' } }],
    }),
    'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
  ],
  [
    'restrictedVolumes',
    pod({ volumes: [{ name: 'v', hostPath: { path: '/' } }, { name: 'n', nfs: {} }, { name: 'odd' }] }),
    'restricted volume types (volumes "v", "n", "odd" use restricted volume types "hostPath", "nfs", "unknown")',
  ],
  [
    'runAsNonRoot',
    pod({ containers: [{ name: 'a', securityContext: { ...hardened, runAsNonRoot: undefined } }] }),
    'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)',
  ],
  [
    'runAsNonRoot',
    secured({ runAsNonRoot: false }),
    'runAsNonRoot != true (container "a" must not set securityContext.runAsNonRoot=false)',
  ],
  ['runAsUser', secured({ runAsUser: 0 }), 'runAsUser=0 (container "a" must not set runAsUser=0)'],
  [
    'seccompProfile_restricted',
    secured({ seccompProfile: undefined }),
    'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
];
for (const [id, object, text] of restricted)
  test(`restricted refuses ${id}: ${text.slice(0, 60)}`, () => {
    assert.equal(told(latest('restricted'), object), text);
  });

test('every check of the standards has a case', () => {
  const seen = new Set([...baseline, ...restricted].map(([id]) => id));
  assert.deepEqual(
    STANDARD_CHECKS.map(({ id }) => id).filter((id) => !seen.has(id)),
    [],
  );
});

test('init and ephemeral containers count as containers', () => {
  const bad = { name: 'b', securityContext: { ...hardened, privileged: true } };
  for (const key of ['initContainers', 'ephemeralContainers'])
    assert.match(told(latest('baseline'), pod({ [key]: [bad] })), /privileged \(container "b" must not/);
});

const versions: readonly (readonly [string, LevelVersion['level'], JsonObject, number, string, string])[] = [
  [
    'a sysctl is safe since 1.29',
    'baseline',
    pod({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_fin_timeout' }] } }),
    29,
    'forbidden sysctls',
    '',
  ],
  [
    'hosts of probes are forbidden since 1.34',
    'baseline',
    container({ readinessProbe: { tcpSocket: { host: 'x' } } }),
    34,
    '',
    'probe or lifecycle host',
  ],
  [
    'container_engine_t is allowed since 1.31',
    'baseline',
    secured({ seLinuxOptions: { type: 'container_engine_t' } }),
    31,
    'seLinuxOptions',
    '',
  ],
  [
    'capabilities must be dropped since 1.22',
    'restricted',
    secured({ capabilities: undefined }),
    22,
    '',
    'unrestricted capabilities',
  ],
  ['runAsUser=0 is forbidden since 1.23', 'restricted', secured({ runAsUser: 0 }), 23, '', 'runAsUser=0'],
  [
    'a user namespace makes root harmless since 1.35',
    'restricted',
    pod({ hostUsers: false, securityContext: { runAsUser: 0, runAsNonRoot: false } }),
    35,
    'runAsNonRoot != true, runAsUser=0',
    '',
  ],
  [
    'Windows needs no Linux settings since 1.25',
    'restricted',
    pod({ os: { name: 'windows' }, containers: [{ name: 'a', securityContext: { runAsNonRoot: true } }] }),
    25,
    'allowPrivilegeEscalation != false, unrestricted capabilities, seccompProfile',
    '',
  ],
  [
    'seccomp is a field since 1.19, and was an annotation',
    'baseline',
    pod({}, { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' }),
    19,
    'seccompProfile',
    '',
  ],
];
for (const [name, level, object, since, before, after] of versions)
  test(`versions: ${name}`, () => {
    assert.equal(inShort(violations({ level, version: since - 1 }, object)), before);
    assert.equal(inShort(violations({ level, version: since }, object)), after);
  });
