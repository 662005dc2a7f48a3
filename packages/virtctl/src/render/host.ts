/** The host and the cluster that a machine is rendered for. Pure. */
import {
  type ClusterConfig,
  clusterConfig,
  type Interface,
  type InterfaceAttachment,
  isHotpluggable,
  type KubeVirt,
  launcherPaths,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { memberOf } from '@podvisor/base';
import {
  type AttachedInterface,
  backupAnnotations,
  type ClaimFacts,
  type ConverterContext,
  domainSettings,
  type EfiFirmware,
  type LauncherPodOptions,
  networkAnnotations,
  secondaryInterfaceName,
  type VolumeFacts,
} from '@podvisor/translate';

export const LAUNCHER_IMAGE = 'podvisor.local/virt-launcher:embedded';

/** A host as the options describe it. */
export interface RenderHost {
  readonly config: ClusterConfig;
  /** Hardware virtualisation is there. */
  readonly kvm: boolean;
  /** Image of launchers; the embedded home's unless told. */
  readonly launcherImage?: string;
  /** What is known better than by assumption. */
  readonly learn?: (assumed: ConverterContext) => ConverterContext;
}

/** `architecture` and `kvm` win over what the KubeVirt object says. */
export function hostOf(
  kubevirt: KubeVirt | undefined,
  { architecture, kvm }: { readonly architecture?: string; readonly kvm: boolean },
): RenderHost {
  const given = clusterConfig(kubevirt);
  return {
    kvm,
    config: {
      ...given,
      ...(architecture === undefined ? {} : { defaultArchitecture: architecture }),
      useEmulation: given.useEmulation || !kvm,
    },
  };
}

/** Claims that nobody described are taken for directories. */
export function podOptions(
  vmi: VirtualMachineInstance,
  { config, launcherImage = LAUNCHER_IMAGE }: RenderHost,
  claims: Readonly<Record<string, ClaimFacts>>,
): LauncherPodOptions {
  const assumed = claimNames(vmi).map((name): [string, ClaimFacts] => [
    name,
    claims[name] ?? { block: false },
  ]);
  return {
    launcherImage,
    config,
    containerDisks: 'image-volumes',
    claims: Object.fromEntries(assumed),
    annotations: { ...backupAnnotations(vmi), ...networkAnnotations(vmi, config) },
  };
}

/** What virt-handler and virt-launcher would find. */
export function converterContext(
  vmi: VirtualMachineInstance,
  { config, kvm, learn }: RenderHost,
  claims: Readonly<Record<string, ClaimFacts>>,
): ConverterContext {
  const efi = firmwareOf(vmi);
  const assumed: ConverterContext = {
    architecture: config.defaultArchitecture,
    ...domainSettings(vmi, config, kvm),
    interfaces: attachments(vmi, config),
    volumes: Object.fromEntries(
      (vmi.spec.volumes ?? []).map((volume) => [volume.name, volumeFacts(volume, claims)]),
    ),
    uid: vmi.metadata?.uid,
    // As on Debian 12, whose QEMU needs the script.
    emulator: launcherPaths().emulator,
    ...(efi === undefined ? {} : { efi }),
  };
  return learn === undefined ? assumed : learn(assumed);
}

type Volume = NonNullable<VirtualMachineInstance['spec']['volumes']>[number];

/** Volumes behave as on an ordinary file system; images are taken for qcow2. */
function volumeFacts(volume: Volume, claims: Readonly<Record<string, ClaimFacts>>): VolumeFacts {
  return {
    directIo: true,
    hotplugged: isHotpluggable(volume),
    block: claims[claimNameOf(volume) ?? '']?.block ?? false,
    ...(volume.containerDisk === undefined ? {} : { backing: { format: 'qcow2' } }),
  };
}

function claimNames({ spec }: VirtualMachineInstance): readonly string[] {
  return (spec.volumes ?? []).flatMap((volume) => claimNameOf(volume) ?? []);
}

function claimNameOf({ persistentVolumeClaim, dataVolume, ephemeral }: Volume): string | undefined {
  return (
    persistentVolumeClaim?.claimName ??
    dataVolume?.name ??
    ephemeral?.persistentVolumeClaim?.claimName ??
    undefined
  );
}

/** NICs with the names that network phase 1 would give them; the MAC of a running one is known. */
function attachments(
  { spec, status }: VirtualMachineInstance,
  config: ClusterConfig,
): readonly AttachedInterface[] {
  return (spec.domain.devices.interfaces ?? []).flatMap((nic): readonly AttachedInterface[] => {
    const binding = bindingOf(nic, config);
    if (binding === undefined) return [];
    const network = spec.networks?.find(({ name }) => name === nic.name);
    const isPrimary = network?.pod !== undefined || network?.multus?.default === true;
    const podInterface = isPrimary ? 'eth0' : secondaryInterfaceName(nic.name);
    const tapDevice = isPrimary ? 'tap0' : podInterface.replace(/^pod/, 'tap');
    const mac = nic.macAddress ?? status?.interfaces?.find(({ name }) => name === nic.name)?.mac;
    return [
      {
        ...{ name: nic.name, binding, podInterface },
        ...(binding === 'passt' ? {} : { tapDevice }),
        ...(mac === undefined ? {} : { mac }),
      },
    ];
  });
}

/** Undefined: network phase 1 makes nothing for it (SR-IOV, a plugin whose sidecar edits the domain). */
function bindingOf(
  nic: Interface,
  { networkBindings }: ClusterConfig,
): InterfaceAttachment['binding'] | undefined {
  if (nic.masquerade !== undefined) return 'masquerade';
  if (nic.bridge !== undefined) return 'bridge';
  if (nic.passtBinding !== undefined) return 'passt';
  const plugin = nic.binding === undefined ? undefined : memberOf(networkBindings, nic.binding.name);
  return plugin?.domainAttachmentType ? 'plugin' : undefined;
}

/** Debian's files: the launcher takes what it finds, these first. */
function firmwareOf({ spec }: VirtualMachineInstance): EfiFirmware | undefined {
  const efi = spec.domain.firmware?.bootloader?.efi;
  if (efi === undefined) return undefined;
  if (spec.architecture === 'arm64') {
    return {
      code: '/usr/share/AAVMF/AAVMF_CODE.fd',
      vars: '/usr/share/AAVMF/AAVMF_VARS.fd',
      secureLoader: false,
    };
  }
  const secureLoader = efi.secureBoot !== false;
  const suffix = secureLoader ? '.ms.fd' : '.fd';
  return {
    code: `/usr/share/OVMF/OVMF_CODE_4M${suffix}`,
    vars: `/usr/share/OVMF/OVMF_VARS_4M${suffix}`,
    secureLoader,
  };
}
