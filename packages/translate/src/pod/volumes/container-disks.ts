/**
 * Container disks that are served by containers of the launcher Pod, one for each image: the way of clusters whose
 * nodes have no image volumes, or whose gate ImageVolume is off. A small program is copied into every image, keeps
 * the image's files at hand, and virt-handler mounts the disk out of it.
 */
import { isPullPolicy } from './pull-policy.ts';
import type { Container, ContainerDiskSource, PodResources, VirtualMachineInstance } from '@podvisor/api';
import { isGuaranteed } from '../resources/memory-overhead.ts';
import { imagePullPolicy, type LauncherPodOptions } from '../options.ts';
import { mountPaths } from '../mount-paths.ts';
import { helperSecurity, isNonRoot, LAUNCHER_USER } from '../security.ts';
import { supportResources } from '../resources/support-resources.ts';

const KERNEL_BOOT = 'kernel-boot';
const KERNEL_BOOT_VOLUME = `${KERNEL_BOOT}-volume`;
/** Where it is in the launcher's image, and where in every other. */
const PROGRAM_SOURCE = '/usr/lib/podvisor/container-disk';
const PROGRAM = '/usr/bin/container-disk';
const PROGRAM_VOLUME = 'virt-bin-share-dir';
const EPHEMERAL_STORAGE = '50M';

/** Whether images are volumes of the Pod, or containers. */
export function usesImageVolumes({ config, containerDisks }: LauncherPodOptions): boolean {
  return containerDisks === undefined ? config.gates.has('ImageVolume') : containerDisks === 'image-volumes';
}

/** An image that the Pod brings along, and the name under which its files are found. */
interface ImageOfPod {
  readonly volume: string;
  readonly file: string;
  readonly source: Pick<ContainerDiskSource, 'image' | 'imagePullPolicy'>;
}

/** Containers beside compute, which run as long as the guest. */
export function containerDiskContainers(
  vmi: VirtualMachineInstance,
  options: LauncherPodOptions,
): readonly Container[] {
  if (usesImageVolumes(options)) return [];
  return imagesOf(vmi).map((image) =>
    diskContainer(image, vmi, options, {
      name: `volume${image.volume}`,
      args: ['--copy-path', `${directoryOf(vmi)}/${image.file}`],
    }),
  );
}

/** The program for the images, and each image once for nothing: it is pulled before the launcher starts. */
export function containerDiskInitContainers(
  vmi: VirtualMachineInstance,
  options: LauncherPodOptions,
): readonly Container[] {
  const images = usesImageVolumes(options) ? [] : imagesOf(vmi);
  if (images.length === 0) return [];
  return [
    programContainer(vmi, options),
    ...images.map((image) =>
      diskContainer(image, vmi, options, { name: `volume${image.volume}-init`, args: ['--no-op'] }),
    ),
  ];
}

/** In the order of the volumes; a kernel comes last. */
function imagesOf({ spec }: VirtualMachineInstance): readonly ImageOfPod[] {
  const kernel = spec.domain.firmware?.kernelBoot?.container;
  return [
    ...(spec.volumes ?? []).flatMap(({ name, containerDisk }, index): ImageOfPod[] =>
      containerDisk === undefined || name === KERNEL_BOOT_VOLUME
        ? []
        : [{ volume: name, file: `disk_${index}`, source: containerDisk }],
    ),
    ...(kernel === undefined ? [] : [{ volume: KERNEL_BOOT_VOLUME, file: KERNEL_BOOT, source: kernel }]),
  ];
}

function diskContainer(
  { source, volume }: ImageOfPod,
  vmi: VirtualMachineInstance,
  options: LauncherPodOptions,
  { args, name }: { readonly name: string; readonly args: readonly string[] },
): Container {
  const pullPolicy = source.imagePullPolicy;
  return {
    name,
    image: options.migrationTarget?.imageIds?.[volume] ?? source.image,
    ...(isPullPolicy(pullPolicy) ? { imagePullPolicy: pullPolicy } : {}),
    command: [PROGRAM],
    args,
    volumeMounts: [
      { name: 'container-disks', mountPath: directoryOf(vmi) },
      { name: PROGRAM_VOLUME, mountPath: '/usr/bin' },
    ],
    resources: diskResources(vmi, options),
    securityContext: helperSecurity,
  };
}

function programContainer(vmi: VirtualMachineInstance, options: LauncherPodOptions): Container {
  return {
    name: 'container-disk-binary',
    image: options.launcherImage,
    imagePullPolicy: imagePullPolicy(options),
    command: ['/usr/bin/cp'],
    args: ['--preserve=mode', PROGRAM_SOURCE, `/init${PROGRAM}`],
    volumeMounts: [{ name: PROGRAM_VOLUME, mountPath: '/init/usr/bin' }],
    resources: programResources(vmi, options),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: isNonRoot(vmi)
      ? { ...helperSecurity, runAsGroup: LAUNCHER_USER }
      : { runAsUser: 0, runAsNonRoot: false, capabilities: { drop: ['ALL'] } },
  };
}

function directoryOf({ metadata }: VirtualMachineInstance): string {
  return `${mountPaths.containerDisks}/${metadata?.uid ?? ''}`;
}

function diskResources({ spec }: VirtualMachineInstance, { config }: LauncherPodOptions): PodResources {
  const own = supportResources(config.configuration, 'container-disk');
  const limits = { cpu: '10m', memory: '40M', ...own.limits };
  const requests = isGuaranteed(spec) ? limits : { cpu: '1m', memory: '1M', ...own.requests };
  return { limits, requests: { ...requests, 'ephemeral-storage': EPHEMERAL_STORAGE } };
}

function programResources({ spec }: VirtualMachineInstance, { config }: LauncherPodOptions): PodResources {
  const own = supportResources(config.configuration, 'container-disk');
  if (isGuaranteed(spec)) {
    const all = { cpu: '10m', memory: '40M', ...own.limits };
    return { limits: all, requests: all };
  }
  return {
    limits: { cpu: '100m', memory: '40M', ...own.limits },
    requests: { cpu: '10m', memory: '1M', ...own.requests },
  };
}
