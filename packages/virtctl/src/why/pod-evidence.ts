/** What a Pod and its containers say of a VM that does not run. */
import type { Pod } from '@podvisor/api';
import { plainOf, textOf } from '../plain.ts';
import { type Evidence, type Observed, time } from './observed.ts';

const WAITING_IS_FINE = ['ContainerCreating', 'PodInitializing'];

const IMAGE_REASONS = ['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName'];

/** What waits for an image is the image's trouble: which it is, and which volume names it. */
function waitingFor(container: string, message: string, { vm, vmi }: Observed): string {
  const image = /image "([^"]+)"/.exec(message)?.[1];
  if (image === undefined) return `container ${container}`;
  const volumes = vmi?.spec.volumes ?? vm?.spec.template?.spec?.volumes ?? [];
  const by = volumes.find(({ containerDisk }) => containerDisk?.image === image)?.name;
  return by === undefined ? `image ${image}` : `image ${image} of volume ${by}`;
}

export function containerEvidence(observed: Observed): readonly Evidence[] {
  const { pod } = observed;
  const statuses = [...(pod?.status?.initContainerStatuses ?? []), ...(pod?.status?.containerStatuses ?? [])];
  return statuses.flatMap(({ name, state }): Evidence[] => {
    const { waiting, terminated } = state ?? {};
    const isImage = IMAGE_REASONS.includes(waiting?.reason ?? '');
    const object = isImage ? waitingFor(name, waiting?.message ?? '', observed) : `container ${name}`;
    if (waiting !== undefined && !WAITING_IS_FINE.includes(waiting.reason ?? ''))
      return [{ source: 'container', object, reason: waiting.reason ?? '', message: waiting.message ?? '' }];
    if (terminated === undefined || terminated.exitCode === 0) return [];
    const message = `${terminated.message ?? ''} (exit code ${terminated.exitCode})`.trim();
    return [
      {
        source: 'container',
        object,
        reason: terminated.reason ?? 'Error',
        message,
        ...time(terminated.finishedAt),
      },
    ];
  });
}

export function podReason(pod: Pod | undefined): readonly Evidence[] {
  const { reason, message } = plainOf(pod?.status);
  if (textOf(reason) === undefined) return [];
  return [
    {
      source: 'pod',
      object: `Pod ${pod?.metadata.name}`,
      reason: String(reason),
      message: textOf(message) ?? '',
    },
  ];
}
