/** Kernel settings that a Pod may have. Pure. */
import type { Pod } from '@podvisor/api';
import type { Refusal } from './admission.ts';

/** Those that Kubernetes calls safe: of the Pod alone, and without weight for the node. */
const SAFE = new Set([
  'kernel.shm_rmid_forced',
  ...[
    'ip_local_port_range',
    'ip_local_reserved_ports',
    'ip_unprivileged_port_start',
    'ping_group_range',
    'tcp_fin_timeout',
    'tcp_keepalive_intvl',
    'tcp_keepalive_probes',
    'tcp_keepalive_time',
    'tcp_rmem',
    'tcp_syncookies',
    'tcp_wmem',
  ].map((name) => `net.ipv4.${name}`),
]);

/** Others are refused, as every kubelet does whose administrator allows none. Names may be written with slashes. */
export function sysctlRefusal(pod: Pod): Refusal | undefined {
  const names = (pod.spec.securityContext?.sysctls ?? []).map(({ name }) => name);
  const forbidden = names.find((name) => !SAFE.has(name.replaceAll('/', '.')));
  if (forbidden === undefined) return undefined;
  return { reason: 'SysctlForbidden', message: `forbidden sysctl: "${forbidden}" not allowlisted` };
}
