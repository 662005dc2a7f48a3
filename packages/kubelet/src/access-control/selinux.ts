/** SELinux labels of a container whose Pod names them. Pure. */
import type { Container, Pod, SELinuxOptions } from '@podvisor/api';

export interface SeLinuxLabels {
  /** Of the container's processes. */
  readonly process: string;
  /** Of file systems that the runtime mounts for it. */
  readonly mount: string;
}

/** What container runtimes take where the Pod leaves a part open (container-selinux). */
const DEFAULTS = { user: 'system_u', role: 'system_r', type: 'container_t', level: 's0' };

/**
 * The container's own options, else the Pod's. Undefined where the node has no SELinux (kubelets pass the options
 * over then), for privileged containers and where nobody names one.
 */
export function seLinuxLabels(
  pod: Pod,
  container: Container,
  host: { readonly hasSeLinux: boolean },
): SeLinuxLabels | undefined {
  const options: SELinuxOptions | undefined =
    container.securityContext?.seLinuxOptions ?? pod.spec.securityContext?.seLinuxOptions;
  const isNamed = options !== undefined && Object.values(options).some((part) => part !== '');
  if (!host.hasSeLinux || !isNamed || container.securityContext?.privileged === true) return undefined;
  const part = (name: keyof typeof DEFAULTS): string => options[name] || DEFAULTS[name];
  return {
    process: [part('user'), part('role'), part('type'), part('level')].join(':'),
    mount: [part('user'), 'object_r', 'container_file_t', part('level')].join(':'),
  };
}
