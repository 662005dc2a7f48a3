/**
 * A VM that counts: port 7000 of the guest sends 0, 1, 2 … for as long as a connection lasts. A reader that misses
 * nothing over one connection knows that neither guest nor network noticed a move.
 */
import { connect, type Socket } from 'node:net';
import type { VirtualMachine, VMISpec } from '@podvisor/api';
import { bootIdVm } from './boot-id-vm.ts';

const COUNT = 'i=0; while :; do echo $i; i=$((i+1)); usleep 100000; done';

/** `more`: fields of the VMI's spec beside those of `bootIdVm`. */
export function countingVm(name: string, more: Partial<VMISpec> = {}): VirtualMachine {
  const vm = bootIdVm(name);
  const { template } = vm.spec;
  const userData = [
    '#cloud-config',
    'password: hello',
    'runcmd:',
    `  - echo '#!/bin/sh' > /bin/count`,
    `  - echo '${COUNT}' >> /bin/count`,
    '  - chmod 755 /bin/count',
    '  - (while :; do nc -l -p 7000 -e /bin/count; done) < /dev/null > /dev/null 2>&1 &',
    '',
  ].join('\n');
  const volumes = template.spec?.volumes?.map((volume) =>
    volume.cloudInitNoCloud === undefined ? volume : { ...volume, cloudInitNoCloud: { userData } },
  );
  const spec = { ...template.spec, domain: template.spec?.domain ?? { devices: {} }, volumes, ...more };
  return { ...vm, spec: { ...vm.spec, template: { ...template, spec } } };
}

/** One connection to a counting guest. */
export class Counter implements Disposable {
  readonly #socket: Socket;
  #text = '';
  #broken: Error | undefined;

  constructor(address: string) {
    this.#socket = connect(7000, address);
    this.#socket.on('data', (chunk) => (this.#text += chunk.toString('latin1')));
    this.#socket.on('error', (error) => (this.#broken = error));
    this.#socket.on('end', () => (this.#broken ??= new Error('the guest closed the connection')));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  /** The last whole number; throws when the connection broke or a number is missing. Undefined before the first. */
  last(): number | undefined {
    if (this.#broken !== undefined) throw this.#broken;
    const numbers = this.#text.split('\n').slice(0, -1).map(Number);
    const gap = numbers.findIndex((value, place) => value !== place);
    if (gap >= 0) throw new Error(`after ${gap - 1} came ${numbers[gap]}`);
    return numbers.at(-1);
  }
}
