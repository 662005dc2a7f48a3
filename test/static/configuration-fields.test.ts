/**
 * Every field of the cluster's configuration, with the file that reads it. A field that nobody reads would be accepted
 * in silence: it must act, or be among the inert settings, of which a webhook warns.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { INERT_SETTINGS } from '../../packages/api/src/config/inert-settings.ts';

const packages = new URL('../../packages/', import.meta.url).pathname;
const textOf = (path: string): string => readFileSync(packages + path, 'utf8');

/** Refused in other words: it is deprecated, and the webhook says so. */
const DEPRECATED = ['architectureConfiguration.ppc64le'];

/** By the file that reads them. */
const READ_IN: Readonly<Record<string, readonly string[]>> = {
  'virt-operator/src/catalogue/apply-catalogue.ts': ['commonInstancetypesDeployment.enabled'],
  'api/src/lifecycle/node-loss.ts': ['nodeLoss.leaseSeconds', 'nodeLoss.silenceSeconds'],
  'api/src/config/architectures.ts': [
    'architectureConfiguration.amd64.emulatedMachines',
    'architectureConfiguration.amd64.machineType',
    'architectureConfiguration.amd64.ovmfPath',
    'architectureConfiguration.arm64.emulatedMachines',
    'architectureConfiguration.arm64.machineType',
    'architectureConfiguration.arm64.ovmfPath',
    'architectureConfiguration.s390x.emulatedMachines',
    'architectureConfiguration.s390x.machineType',
    'architectureConfiguration.s390x.ovmfPath',
    'emulatedMachines',
    'machineType',
    'ovmfPath',
  ],
  'api/src/config/migration-settings.ts': [
    'migrations.allowAutoConverge',
    'migrations.allowPostCopy',
    'migrations.allowWorkloadDisruption',
    'migrations.bandwidthPerMigration',
    'migrations.completionTimeoutPerGiB',
    'migrations.disableTLS',
    'migrations.matchSELinuxLevelOnMigration',
    'migrations.maxDowntimeMs',
    'migrations.network',
    'migrations.nodeDrainTaintKey',
    'migrations.parallelMigrationsPerCluster',
    'migrations.parallelOutboundMigrationsPerNode',
    'migrations.progressTimeout',
    'migrations.unsafeMigrationOverride',
  ],
  'api/src/config/cluster-config.ts': [
    'architectureConfiguration.defaultArchitecture',
    'cpuModel',
    'cpuRequest',
    'developerConfiguration.cpuAllocationRatio',
    'developerConfiguration.disabledFeatureGates',
    'developerConfiguration.diskVerification.memoryLimit',
    'developerConfiguration.featureGates',
    'developerConfiguration.memoryOvercommit',
    'developerConfiguration.nodeSelectors',
    'developerConfiguration.useEmulation',
    'evictionStrategy',
    'imagePullPolicy',
    'instancetype.referencePolicy',
    'liveUpdateConfiguration.maxCpuSockets',
    'liveUpdateConfiguration.maxGuest',
    'liveUpdateConfiguration.maxHotplugRatio',
    'memBalloonStatsPeriod',
    'network.defaultNetworkInterface',
    'network.permitBridgeInterfaceOnPodNetwork',
    'obsoleteCPUModels',
    'persistentReservationConfiguration.enabled',
    'virtualMachineInstancesPerNode',
    'virtualMachineOptions.disableFreePageReporting',
    'virtualMachineOptions.disableSerialConsoleLog',
    'vmRolloutStrategy',
  ],
  'api/src/config/log-level.ts': ['developerConfiguration.logVerbosity.nodeVerbosity'],
  'api/src/defaults/vmi/index.ts': ['confidentialCompute.tdx.attestation.qgsSocketPath'],
  'api/src/rules/vmi/networks/bindings.ts': ['network.binding.migration.method'],
  'network/src/plan.ts': ['network.binding.domainAttachmentType'],
  'translate/src/domain/platform/sysinfo.ts': [
    'smbios.family',
    'smbios.manufacturer',
    'smbios.product',
    'smbios.sku',
    'smbios.version',
  ],
  'virt-handler/src/device-plugins/host/discover.ts': [
    'permittedHostDevices.mediatedDevices.externalResourceProvider',
    'permittedHostDevices.pciHostDevices.externalResourceProvider',
    'permittedHostDevices.usb.externalResourceProvider',
  ],
  'virt-handler/src/device-plugins/host/mediated.ts': [
    'permittedHostDevices.mediatedDevices.mdevNameSelector',
  ],
  'virt-handler/src/device-plugins/host/usb.ts': [
    'permittedHostDevices.usb.selectors.product',
    'permittedHostDevices.usb.selectors.vendor',
  ],
  'api/src/rules/vmi/grace-io.ts': ['permittedHostDevices.pciHostDevices.pciVendorSelector'],
  'translate/src/pod/resources/device-resources.ts': [
    'hypervisors.name',
    'permittedHostDevices.mediatedDevices.resourceName',
    'permittedHostDevices.pciHostDevices.resourceName',
    'permittedHostDevices.usb.resourceName',
  ],
  'translate/src/pod/environment.ts': ['developerConfiguration.logVerbosity.virtLauncher'],
  'translate/src/pod/resources/memory-overhead.ts': ['additionalGuestMemoryOverheadRatio'],
  'translate/src/pod/networks/network-annotations.ts': ['network.binding.networkAttachmentDefinition'],
  'translate/src/pod/networks/network-overhead.ts': ['network.binding.computeResourceOverhead'],
  'translate/src/pod/render.ts': ['defaultRuntimeClass'],
  'translate/src/pod/resources/resources.ts': ['autoCPULimitNamespaceLabelSelector'],
  'translate/src/pod/security.ts': [
    'seccompConfiguration.virtualMachineInstanceProfile.customProfile.localhostProfile',
    'seccompConfiguration.virtualMachineInstanceProfile.customProfile.runtimeDefaultProfile',
    'selinuxLauncherType',
  ],
  'translate/src/pod/sidecars.ts': ['network.binding.downwardAPI', 'network.binding.sidecarImage'],
  'translate/src/pod/resources/support-resources.ts': [
    'supportContainerResources.resources',
    'supportContainerResources.type',
  ],
  'virt-api/src/main.ts': ['developerConfiguration.logVerbosity.virtAPI'],
  'virt-controller/src/main.ts': ['developerConfiguration.logVerbosity.virtController'],
  'virt-controller/src/watch/backend-storage/state-claim.ts': ['vmStateStorageClass'],
  'virt-controller/src/watch/vm/volumes/changed-block-tracking.ts': [
    'changedBlockTrackingLabelSelectors.namespaceLabelSelector',
    'changedBlockTrackingLabelSelectors.virtualMachineLabelSelector',
  ],
  'virt-handler/src/handler.ts': [
    'developerConfiguration.logVerbosity.virtHandler',
    'ksmConfiguration.nodeLabelSelector',
  ],
};

/** Paths of all fields below an interface of the configuration's types. */
function fieldsOf(types: ReadonlyMap<string, string>, name: string, prefix = ''): string[] {
  const body = types.get(name) ?? '';
  return [...body.matchAll(/^ {2}readonly (\w+)\??: ([^;]+);/gm)].flatMap(([, field = '', type = '']) => {
    const path = prefix === '' ? field : `${prefix}.${field}`;
    const inner = type.replaceAll(/readonly |\[\]|Readonly<Record<string, |>/g, '').trim();
    return types.has(inner) ? fieldsOf(types, inner, path) : [path];
  });
}

const source = ['kubevirt-configuration', 'kubevirt-host-devices']
  .map((name) => textOf(`api/src/types/kubevirt/${name}.ts`))
  .join('\n');
const interfaces = new Map(
  [...source.matchAll(/export interface (\w+) \{(.*?)\n\}/gs)].map(([, name = '', body = '']) => [
    name,
    body,
  ]),
);
const isBelow = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(`${root}.`));

test('every field is read in the file that is named here, or is known to be inert', () => {
  const inert = [...Object.keys(INERT_SETTINGS), ...DEPRECATED];
  const listed = new Set(Object.values(READ_IN).flat());
  const all = fieldsOf(interfaces, 'KubeVirtConfiguration');
  assert.ok(all.length > 80, 'the types were read');
  for (const path of all)
    assert.notEqual(
      listed.has(path),
      isBelow(path, inert),
      `spec.configuration.${path}: say in READ_IN where it is read, or add it to INERT_SETTINGS`,
    );
  for (const path of [...listed, ...inert])
    assert.ok(
      all.some((field) => isBelow(field, [path])),
      `${path} is no field`,
    );
  for (const [file, paths] of Object.entries(READ_IN)) {
    const text = textOf(file);
    for (const path of paths)
      assert.match(text, new RegExp(`\\b${path.split('.').at(-1)}\\b`), `${file} does not read ${path}`);
  }
});

test('what clusterConfig decides is used outside of it', () => {
  const config = textOf('api/src/config/cluster-config.ts');
  const body = /export interface ClusterConfig \{(.*?)\n\}/s.exec(config)?.[1] ?? '';
  const texts = readdirSync(packages).flatMap((name) =>
    sources(`${name}/src`).map((path) => (path.endsWith('cluster-config.ts') ? '' : textOf(path))),
  );
  for (const [, field = ''] of body.matchAll(/^ {2}readonly (\w+)\??:/gm))
    assert.ok(
      texts.some((text) => new RegExp(`\\b${field}\\b`).test(text)),
      `nobody reads ClusterConfig.${field}`,
    );
});

/** Files of the product below a folder. */
function sources(folder: string): readonly string[] {
  return readdirSync(packages + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['gen', 'types', 'testing'].includes(entry.name) ? [] : sources(path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
}
