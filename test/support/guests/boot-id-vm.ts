/** A VM whose web page is its boot id: the same page after a fault means that the guest never noticed. */
import type { VirtualMachine } from '@podvisor/api';
import { helloVm } from './hello-vm.ts';

/** `nodeSelector`: labels of the node that it must run on. */
export function bootIdVm(name: string, nodeSelector: Readonly<Record<string, string>> = {}): VirtualMachine {
  return helloVm({
    name,
    memory: '192Mi',
    interfaces: [{ name: 'default', masquerade: {} }],
    networks: [{ name: 'default', pod: {} }],
    nodeSelector,
    graceSeconds: 10,
    commands: [
      'mkdir -p /www',
      'cat /proc/sys/kernel/random/boot_id > /www/index.html',
      'httpd -p 80 -h /www',
    ],
  });
}
