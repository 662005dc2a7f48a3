/**
 * A VM whose web page `net` is its own view of its network, made anew for each visitor; `do` tries something from
 * inside: `ping=ADDRESS`, `get=URL`, `size=URL` (how many bytes come), `dns=NAME`, `send=N` (N blocks of 64 KiB).
 * Bulk that no pipe of an emulated guest slows down: `take=URL` throws away all that its headers announce and says how
 * many bytes the NIC counted meanwhile, and the file `/zeros` has `ZEROS_BYTES`, which are sent without being copied.
 */
import type { Interface, Network, VirtualMachine } from '@podvisor/api';
import { helloVm } from './hello-vm.ts';

/** A hole: it takes no memory. */
export const ZEROS_BYTES = 8 * 2 ** 30;

export function networkVm(
  name: string,
  interfaces: readonly Interface[],
  networks: readonly Network[],
  networkData?: string,
  /** At the end of the first boot. */
  more: readonly string[] = [],
): VirtualMachine {
  const page = [
    '#!/bin/sh',
    String.raw`printf "Content-type:text/plain\r\n\r\n"`,
    'ip addr',
    'ip route',
    'ip -6 route',
    'cat /etc/resolv.conf',
    'echo queues $(ls /sys/class/net/eth0/queues)',
  ];
  const actions = [
    '#!/bin/sh',
    String.raw`printf "Content-type:text/plain\r\n\r\n"`,
    'value=${QUERY_STRING#*=}',
    'case $QUERY_STRING in',
    'ping=*) ping -c 1 -W 3 "$value" ;;',
    'get=*) wget -qO- "$value" ;;',
    'size=*) wget -qO- "$value" | wc -c ;;',
    'take=*) nic=/sys/class/net/eth0/statistics/rx_bytes; before=$(cat $nic)',
    '  wget -qO /dev/null "$value" && echo $(($(cat $nic) - before)) ;;',
    'dns=*) nslookup "$value" ;;',
    'send=*) dd if=/dev/zero bs=65536 count="$value" 2>/dev/null ;;',
    'esac',
  ];
  // As any network manager does: a link that comes back may be another network. Ups are counted, not looked for: one
  // that comes while the last one is still being answered would not be seen.
  const watch = [
    'ups() { cat /sys/class/net/eth1/carrier_up_count 2>/dev/null || echo $seen; }',
    '(seen=$(ups); while sleep 0.2; do now=$(ups)',
    '[ "$now" = "$seen" ] || udhcpc -i eth1 -s /usr/sbin/lease -n -q -t 20 -T 1 -O mtu',
    'seen=$now; done) >/dev/null 2>&1 &',
  ].join('; ');
  return helloVm({
    name,
    memory: '160Mi',
    interfaces,
    networks,
    graceSeconds: 0,
    commands: [
      'mkdir -p /www/cgi-bin',
      ...page.map((line) => `echo '${line}' >> /www/cgi-bin/net`),
      ...actions.map((line) => `echo '${line}' >> /www/cgi-bin/do`),
      'chmod 755 /www/cgi-bin/net /www/cgi-bin/do',
      `truncate -s ${ZEROS_BYTES} /www/zeros`,
      'httpd -p 80 -h /www',
      'httpd -p 81 -h /www',
      ...(interfaces.length > 1 ? [watch] : []),
      ...more,
    ],
    networkData,
  });
}

/** The same VM with as many vCPUs, and a queue of its NICs for each. */
export function withQueues(vm: VirtualMachine, vcpus: number): VirtualMachine {
  const { template } = vm.spec;
  if (template.spec === undefined) return vm;
  const { domain } = template.spec;
  const devices = { ...domain.devices, networkInterfaceMultiqueue: true };
  const spec = { ...template.spec, domain: { ...domain, cpu: { cores: vcpus }, devices } };
  return { ...vm, spec: { ...vm.spec, template: { ...template, spec } } };
}
