/** What the network of VMs finds on this machine: nothing here keeps a VM from starting, all of it limits one. */
import { existsSync, readFileSync } from 'node:fs';
import type { Check } from './doctor.ts';
import { canLoadModule } from './kernel-modules.ts';

/** Where programs and kernel features are looked for; a test has its own. */
export interface NetworkFacts {
  readonly hasFile: (path: string) => boolean;
  readonly canLoad: (module: string) => boolean;
  readonly fileLimit: number;
}

/** Descriptors that passt needs to listen at every port (packages/virt-launcher/src/network/passt-link.ts). */
const PASST_ALL_PORTS = 152_000;

/** What the kernel has or has not, seen by a file. */
interface KernelFeature {
  readonly what: string;
  readonly file: string;
  readonly found: string;
  readonly missing: string;
  readonly fix: string;
  /** A module that `podvisor up` loads, and what is so when it has. */
  readonly brought?: readonly [module: string, found: string];
}

const FEATURES: readonly KernelFeature[] = [
  {
    what: 'vhost-net',
    file: '/dev/vhost-net',
    found: '/dev/vhost-net: the kernel carries the packets of guests',
    missing: 'no /dev/vhost-net: QEMU carries the packets of guests itself, which costs CPU',
    fix: 'modprobe vhost_net',
  },
  {
    what: 'policies',
    file: '/proc/sys/net/bridge/bridge-nf-call-iptables',
    found: 'NetworkPolicies hold, also between Pods of one node',
    missing: 'no br_netfilter: NetworkPolicies do not hold between Pods of the same node',
    fix: 'modprobe br_netfilter, then restart',
    brought: ['br_netfilter', 'br_netfilter is a module, which a home loads when it starts'],
  },
  {
    what: 'IPv6',
    file: '/proc/sys/net/ipv6/conf/all/forwarding',
    found: 'known to the kernel (--pod-cidr V4,V6 gives both families, V6 that one alone)',
    missing: 'not in this kernel: guests have IPv4 only',
    fix: 'boot without ipv6.disable=1',
  },
];

export function networkChecks(facts: NetworkFacts = thisMachine()): readonly Check[] {
  return [passtCheck(facts), ...FEATURES.map((feature) => featureCheck(feature, facts))];
}

function passtCheck({ hasFile, fileLimit }: NetworkFacts): Check {
  const what = 'passt';
  if (!hasFile('/usr/bin/passt'))
    return {
      level: 'WARN',
      what,
      found: 'not installed: no VM with passtBinding',
      fix: 'apt-get install passt',
    };
  return fileLimit >= PASST_ALL_PORTS
    ? { level: 'PASS', what, found: 'installed; may serve every port' }
    : {
        level: 'WARN',
        what,
        found: `installed; ${fileLimit} open files allow only the lowest ports unless a VM lists its own`,
        fix: `raise the limit of open files to ${PASST_ALL_PORTS}, or name ports in the interface`,
      };
}

function featureCheck(feature: KernelFeature, { hasFile, canLoad }: NetworkFacts): Check {
  const { what, file, found, missing, fix, brought } = feature;
  if (hasFile(file)) return { level: 'PASS', what, found };
  return brought !== undefined && canLoad(brought[0])
    ? { level: 'PASS', what, found: brought[1] }
    : { level: 'WARN', what, found: missing, fix };
}

function thisMachine(): NetworkFacts {
  const hard = /^Max open files\s+\d+\s+(\d+|unlimited)/m.exec(
    readFileSync('/proc/self/limits', 'utf8'),
  )?.[1];
  return {
    hasFile: existsSync,
    canLoad: canLoadModule,
    fileLimit: hard === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(hard ?? 0),
  };
}
