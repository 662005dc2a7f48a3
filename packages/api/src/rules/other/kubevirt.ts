/** Rules of the KubeVirt object. */
import { deepEqual, messageOf, memberOf, goDurationMs } from '@podvisor/base';
import { clusterConfig } from '../../config/cluster-config.ts';
import {
  enabledGates,
  type FeatureGate,
  type FeatureGateState,
  featureGates,
} from '../../config/feature-gates.ts';
import { inertWarnings } from '../../config/inert-settings.ts';
import type {
  KubeVirt,
  KubeVirtConfiguration,
  KubeVirtSelfSignConfiguration,
  SeccompConfiguration,
  TLSConfiguration,
} from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';
import { isJson } from '../json.ts';
import { type Cause, forbidden, invalid, notSupported, when } from '../rule.ts';

const DAY_MS = 86_400_000;
const KNOWN_GATES: Readonly<Record<string, FeatureGateState>> = featureGates;
/** Gates whose warning is not the common one. */
const GATE_WARNINGS: Readonly<Record<string, string>> = {
  Passt:
    'Passt network binding is discontinued since v1.3. Please refer to Kubevirt user guide for alternatives.',
  Macvtap:
    'Macvtap network binding is discontinued since v1.3. Please refer to Kubevirt user guide for alternatives.',
  ExperimentalVirtiofsSupport:
    'Virtiofs ExperimentalVirtiofsSupport feature gate is discontinued since v1.7. Please use EnableVirtioFsConfigVolumes or EnableVirtioFsPVC feature gates instead',
  DisableMDEVConfiguration: 'DisableMDEVConfiguration has been deprecated since v1.8.0',
  MultiArchitecture: 'MultiArchitecture has been deprecated since v1.8.0',
  DockerSELinuxMCSWorkaround: 'DockerSELinuxMCSWorkaround has been deprecated since v1.4.',
};
/** Gates by which launchers or guests ask for what our nodes do not have, and what comes of it. */
const UNSERVED_GATES: Readonly<Record<string, string>> = {
  GraceIOVirtualization: 'guests with these GPUs need IOMMUFD, which nodes do not offer; they do not start',
  IOMMUFD:
    'every launcher asks for devices.kubevirt.io/iommufd then, which nodes of this version do not offer; no guest starts',
};
const STATE_NAMES: Readonly<Record<string, string>> = {
  GA: 'General Availability',
  Deprecated: 'Deprecated',
  Discontinued: 'Discontinued',
};

/** Whether a KubeVirt object may be created: there is only one. */
export function validateKubeVirtCreate(existing: readonly KubeVirt[]): Admission {
  return existing.length > 0 ? refusal('Kubevirt is already created', 400) : admissionOf([]);
}

/** Whether a KubeVirt object may be changed. */
export function validateKubeVirtUpdate(kubevirt: KubeVirt, old: KubeVirt): Admission {
  const { configuration = {}, customizeComponents, infra } = kubevirt.spec;
  const before = old.spec.configuration ?? {};
  const devices = deviceWarnings(configuration);
  const warnings = [
    ...gateWarnings(configuration, before),
    ...devices,
    ...architectureWarnings(configuration),
    ...inertWarnings(configuration, before, devices.length === 0 ? [] : ['mediatedDevicesConfiguration']),
    ...portWarnings(kubevirt, old),
  ];
  const admission = admissionOf([
    ...(customizeComponents?.patches ?? []).flatMap(({ patch }) =>
      when(!isJson(patch), () => notSupported('', `patch ${JSON.stringify(patch)} is not valid JSON`)),
    ),
    ...certificateCauses(kubevirt.spec.certificateRotateStrategy?.selfSigned),
    ...ratioCauses(configuration.additionalGuestMemoryOverheadRatio),
    ...gatedCauses(configuration, before),
    ...(deepEqual(configuration.tlsConfiguration, before.tlsConfiguration)
      ? []
      : tlsCauses(configuration.tlsConfiguration)),
    ...(deepEqual(configuration.seccompConfiguration, before.seccompConfiguration)
      ? []
      : seccompCauses(configuration.seccompConfiguration)),
    ...when(infra?.replicas === 0, () => invalid('', "infra replica count can't be 0")),
    ...(gatesChanged(configuration, before) ? gateCauses(configuration) : []),
    ...unreadableCauses(kubevirt),
  ]);
  // Who is refused is warned as well.
  return { ...admission, warnings };
}

/**
 * Whether a KubeVirt object may be deleted: not while its strategy protects workloads that exist. One that is not
 * deployed has none of its own, and must not be in the way of its own end.
 */
export function validateKubeVirtDelete(kubevirt: KubeVirt, workloads: string | undefined): Admission {
  const isProtected =
    kubevirt.spec.uninstallStrategy === 'BlockUninstallIfWorkloadsExist' &&
    kubevirt.status?.phase === 'Deployed';
  return isProtected && workloads !== undefined
    ? refusal(
        `Rejecting the uninstall request, since there are still ${workloads} present. Either delete all KubeVirt related workloads or change the uninstall strategy before uninstalling KubeVirt.`,
        400,
      )
    : admissionOf([]);
}

/** Components could only keep the configuration before this one. */
function unreadableCauses(kubevirt: KubeVirt): readonly Cause[] {
  try {
    clusterConfig(kubevirt);
    return [];
  } catch (error) {
    return [invalid('spec.configuration', `the configuration cannot be read: ${messageOf(error)}`)];
  }
}

function gateCauses({ developerConfiguration }: KubeVirtConfiguration): readonly Cause[] {
  const disabled = new Set(developerConfiguration?.disabledFeatureGates);
  return (developerConfiguration?.featureGates ?? [])
    .filter((gate) => disabled.has(gate))
    .map((gate) =>
      forbidden(
        'spec.configuration.developerConfiguration.featureGates',
        `feature gate ${JSON.stringify(gate)} exists on both "FeatureGates" and "DisabledFeatureGates"`,
      ),
    );
}

/** Settings that mean something only while a gate is on. */
function gatedCauses(configuration: KubeVirtConfiguration, before: KubeVirtConfiguration): readonly Cause[] {
  const { developerConfiguration, roleAggregationStrategy = 'AggregateToDefault' } = configuration;
  const { featureGates: on = [], disabledFeatureGates: off = [] } = developerConfiguration ?? {};
  const gates = enabledGates(on, off);
  const isOn = (gate: FeatureGate): boolean => gates.has(gate);
  const downtime = configuration.migrations?.maxDowntimeMs;
  const isNewDowntime = downtime !== undefined && downtime !== before.migrations?.maxDowntimeMs;
  return [
    ...when(configuration.virtTemplateDeployment?.enabled === true && !isOn('Template'), () =>
      invalid(
        'spec.configuration.virtTemplateDeployment.enabled',
        'VirtTemplateDeployment cannot be enabled without enabling the Template feature gate',
      ),
    ),
    ...when(roleAggregationStrategy !== 'AggregateToDefault' && !isOn('OptOutRoleAggregation'), () =>
      invalid(
        'spec.configuration.roleAggregationStrategy',
        'RoleAggregationStrategy cannot be set to Manual without enabling the OptOutRoleAggregation feature gate',
      ),
    ),
    ...when(isNewDowntime && !isOn('MigrationStallDetection') && !isOn('MigrationDowntimeTuning'), () =>
      invalid(
        'spec.configuration.migrationConfiguration.maxDowntimeMs',
        'maxDowntimeMs cannot be modified without enabling the MigrationStallDetection or MigrationDowntimeTuning feature gate',
      ),
    ),
  ];
}

/** True when one of the lists is another one, in any order; who takes both away changes nothing. */
function gatesChanged(configuration: KubeVirtConfiguration, before: KubeVirtConfiguration): boolean {
  const now = configuration.developerConfiguration;
  const then = before.developerConfiguration;
  if (now === undefined) return false;
  return (
    then === undefined ||
    !deepEqual(now.featureGates ?? [], then.featureGates ?? []) ||
    !deepEqual(now.disabledFeatureGates ?? [], then.disabledFeatureGates ?? [])
  );
}

function gateWarnings(configuration: KubeVirtConfiguration, before: KubeVirtConfiguration): string[] {
  if (!gatesChanged(configuration, before)) return [];
  const named = before.developerConfiguration?.featureGates ?? [];
  return (configuration.developerConfiguration?.featureGates ?? []).flatMap((gate) => {
    const unserved = named.includes(gate) ? undefined : memberOf(UNSERVED_GATES, gate);
    if (unserved !== undefined) return [`feature gate ${gate}: ${unserved}`];
    const state = memberOf(STATE_NAMES, memberOf(KNOWN_GATES, gate) ?? '');
    if (!state) return [];
    const common = `feature gate ${gate} is deprecated (feature state is ${JSON.stringify(state)}), therefore it can be safely removed and is redundant. For more info, please look at: https://github.com/kubevirt/kubevirt/blob/main/docs/deprecation.md`;
    return [memberOf(GATE_WARNINGS, gate) ?? common];
  });
}

function deviceWarnings({ mediatedDevicesConfiguration: devices }: KubeVirtConfiguration): string[] {
  const field = 'spec.configuration.mediatedDevicesConfiguration';
  const deprecated = (path: string): string => `${path} is deprecated, use mediatedDeviceTypes`;
  return [
    ...(devices?.mediatedDevicesTypes ? [deprecated(`${field}.mediatedDevicesTypes`)] : []),
    ...(devices?.nodeMediatedDeviceTypes ?? []).flatMap((entry, index) =>
      entry.mediatedDevicesTypes
        ? [deprecated(`${field}.nodeMediatedDeviceTypes[${index}].mediatedDevicesTypes`)]
        : [],
    ),
  ];
}

function portWarnings({ spec: { synchronizationPort } }: KubeVirt, old: KubeVirt): string[] {
  return synchronizationPort === undefined || synchronizationPort === old.spec.synchronizationPort
    ? []
    : ['spec.synchronizationPort has no effect: there is no such component'];
}

function architectureWarnings({ architectureConfiguration }: KubeVirtConfiguration): string[] {
  return architectureConfiguration?.ppc64le
    ? ['spec.configuration.architectureConfiguration.ppc64le is deprecated and no longer supported.']
    : [];
}

function certificateCauses(config: KubeVirtSelfSignConfiguration | undefined): readonly Cause[] {
  if (!config) return [];
  const { ca, caOverlapInterval, caRotateInterval, certRotateInterval, server } = config;
  // The older fields win, so that an installation which sets them goes on as before.
  const hasOld = caRotateInterval ?? certRotateInterval ?? caOverlapInterval;
  const caMs = goDurationMs(caRotateInterval ?? ca?.duration) ?? 7 * DAY_MS;
  const caRenewMs = goDurationMs(caOverlapInterval ?? ca?.renewBefore) ?? caMs * 0.2;
  const certMs = goDurationMs(certRotateInterval ?? server?.duration) ?? DAY_MS;
  const certRenewMs = goDurationMs(server?.renewBefore) ?? certMs * 0.2;
  const path = 'spec.certificateRotationStrategy.selfSigned';
  return [
    ...when(hasOld && (ca ?? server), () =>
      notSupported(
        '',
        'caRotateInterval, certRotateInterval and caOverlapInterval are deprecated and conflict with CertConfig defined rotation parameters',
      ),
    ),
    ...when(caMs < caRenewMs, () =>
      invalid('', `CA RenewBefore cannot exceed Duration (${path}.ca.duration < ${path}.ca.renewBefore)`),
    ),
    ...when(certMs < certRenewMs, () =>
      invalid(
        '',
        `Cert RenewBefore cannot exceed Duration (${path}.server.duration < ${path}.server.renewBefore)`,
      ),
    ),
    ...when(certMs > caMs, () =>
      invalid('', `Certificate duration cannot exceed CA (${path}.server.duration > ${path}.ca.duration)`),
    ),
  ];
}

/** A number as Go and people write it; JavaScript would also take `0x10`, `` and `Infinity`. */
const DECIMAL = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

function ratioCauses(ratio: string | undefined): readonly Cause[] {
  if (ratio === undefined) return [];
  const value = DECIMAL.test(ratio) ? Number(ratio) : Number.NaN;
  if (!Number.isFinite(value)) {
    const reason = Number.isNaN(value) ? 'invalid syntax' : 'value out of range';
    const problem = `strconv.ParseFloat: parsing ${JSON.stringify(ratio)}: ${reason}`;
    return [notSupported('', `ratio provided, ${ratio}, cannot be parsed into float: ${problem}`)];
  }
  return when(value < 1, () => notSupported('', `ratio provided, ${ratio}, cannot be smaller than 1.0`));
}

/** What Go's TLS knows, secure or not. */
const CIPHERS: ReadonlySet<string> = new Set([
  'TLS_RSA_WITH_RC4_128_SHA',
  'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  'TLS_RSA_WITH_AES_128_CBC_SHA',
  'TLS_RSA_WITH_AES_256_CBC_SHA',
  'TLS_RSA_WITH_AES_128_CBC_SHA256',
  'TLS_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA',
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  ...['ECDSA', 'RSA'].flatMap((key) =>
    [
      'RC4_128_SHA',
      'AES_128_CBC_SHA',
      'AES_128_CBC_SHA256',
      'AES_256_CBC_SHA',
      'AES_128_GCM_SHA256',
      'AES_256_GCM_SHA384',
      'CHACHA20_POLY1305_SHA256',
    ].map((cipher) => `TLS_ECDHE_${key}_WITH_${cipher}`),
  ),
]);

function tlsCauses(tls: TLSConfiguration | undefined): readonly Cause[] {
  const ciphers = tls?.ciphers ?? [];
  const field = 'spec.configuration.tlsConfiguration.ciphers';
  if (ciphers.length === 0) return [];
  if (!tls?.minTLSVersion || tls.minTLSVersion === 'VersionTLS13') {
    return [
      notSupported(
        field,
        'You cannot specify ciphers when spec.configuration.tlsConfiguration.minTLSVersion is empty or VersionTLS13',
      ),
    ];
  }
  return ciphers.flatMap((cipher, index) =>
    when(!CIPHERS.has(cipher), () => notSupported(`${field}#${index}`, `${cipher} is not a valid cipher`)),
  );
}

function seccompCauses(seccomp: SeccompConfiguration | undefined): readonly Cause[] {
  const profile = seccomp?.virtualMachineInstanceProfile;
  if (!profile) return [];
  const field = 'spec.configuration.seccompConfiguration.virtualMachineInstanceProfile.customProfile';
  if (!profile.customProfile) return [invalid(field, `${field} needs to be set`)];
  const { localhostProfile, runtimeDefaultProfile } = profile.customProfile;
  if (localhostProfile === undefined || !runtimeDefaultProfile) return [];
  const [local, runtime] = [`${field}.localhostProfile`, `${field}.runtimeDefaultProfile`];
  return [
    invalid(local, `${local} cannot be set when ${runtime} is set`),
    invalid(runtime, `${runtime} cannot be set when ${local} is set`),
  ];
}
