/**
 * SELinux labels of containers, and of the volumes that their Pods bring. As container runtimes do it: who names no
 * level gets two categories that no other Pod of the node has, so that a process that got out of its container, and
 * past everything else, still reads no file of another VM. Pure.
 */
import { createHash } from 'node:crypto';
import type { Container, Pod, SELinuxOptions } from '@podvisor/api';
import { USER_RANGE_SIZE } from '@podvisor/sys';

export interface SeLinuxLabels {
  /** Of the container's processes. */
  readonly process: string;
  /** Of file systems that the runtime mounts for it. */
  readonly mount: string;
}

/** What container runtimes take where the Pod leaves a part open (container-selinux). */
const DEFAULTS = { user: 'system_u', role: 'system_r', type: 'container_t', level: 's0' };
const CATEGORIES = 1024;
const PAIRS = (CATEGORIES * (CATEGORIES - 1)) / 2;

/**
 * The container's own options, else the Pod's; parts that nobody names are the runtime's. Undefined where the node has
 * no SELinux (kubelets pass the options over then), for privileged containers, and for those who share processes with
 * the node and name nothing.
 */
export function seLinuxLabels(
  pod: Pod,
  container: Container,
  host: { readonly hasSeLinux: boolean },
  place: PodPlace,
): SeLinuxLabels | undefined {
  const options = container.securityContext?.seLinuxOptions ?? pod.spec.securityContext?.seLinuxOptions ?? {};
  const isNamed = Object.values(options).some((part) => part !== '');
  if (!host.hasSeLinux || container.securityContext?.privileged === true) return undefined;
  if (!isNamed && (pod.spec.hostPID === true || pod.spec.hostIPC === true)) return undefined;
  const part = (name: keyof typeof DEFAULTS): string => options[name] || DEFAULTS[name];
  const level = levelOf(options, place);
  return {
    process: [part('user'), part('role'), part('type'), level].join(':'),
    mount: fileLabel(level, part('user')),
  };
}

/** What tells a Pod from the others of its node. */
export interface PodPlace {
  readonly uid: string;
  /** First id of its user namespace, which no other Pod of the machine has. */
  readonly userRange?: number | undefined;
}

function levelOf(options: SELinuxOptions, place: PodPlace): string {
  return options.level || `s0:${categoriesOf(place)}`;
}

/** Two of 1024. By the Pod's range of ids, which is its own; without one by its UID, which two Pods may share once in half a million. */
export function categoriesOf({ uid, userRange }: PodPlace): string {
  const number =
    userRange === undefined
      ? createHash('sha256').update(uid).digest().readUInt32BE(0) % PAIRS
      : Math.floor(userRange / USER_RANGE_SIZE) % PAIRS;
  // The n-th pair (low, high) with low < high: 0,1  0,2  1,2  0,3 …
  const high = Math.floor((1 + Math.sqrt(1 + 8 * number)) / 2);
  return `c${number - (high * (high - 1)) / 2},c${high}`;
}

function fileLabel(level: string, user = DEFAULTS.user): string {
  return [user, 'object_r', 'container_file_t', level].join(':');
}

/** Kinds of volumes that are one Pod's alone. */
const OWN_KINDS = ['emptyDir', 'configMap', 'secret', 'projected', 'downwardAPI'];

/**
 * The label for each volume by name. What is the node's (hostPath) keeps the node's labels, and is not here: whoever
 * wants it in a container labels it himself, as kubelets have it. Claims have no categories: they go from Pod to Pod,
 * and a guest that moves has two at a time, whose levels differ.
 */
export function volumeLabels(pod: Pod, place: PodPlace): ReadonlyMap<string, string> {
  const level = levelOf(pod.spec.securityContext?.seLinuxOptions ?? {}, place);
  return new Map(
    (pod.spec.volumes ?? []).flatMap((volume): [string, string][] => {
      if (volume.persistentVolumeClaim !== undefined) return [[volume.name, fileLabel(DEFAULTS.level)]];
      const isOwn = OWN_KINDS.some((kind) => Reflect.get(volume, kind) !== undefined);
      return isOwn ? [[volume.name, fileLabel(level)]] : [];
    }),
  );
}
