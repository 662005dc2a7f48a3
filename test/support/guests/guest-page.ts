/** A running guest whose web page is its boot id, and what of it a fault must not change. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { bootIdVm } from './boot-id-vm.ts';
import { eventually } from '../eventually.ts';
import type { Instance } from '../instance.ts';
import { podProcess } from '../pod-processes.ts';

export class GuestPage {
  readonly #instance: Instance;
  readonly name: string;

  private constructor(instance: Instance, name: string) {
    this.#instance = instance;
    this.name = name;
  }

  /** Brings the home up with the guest; resolves when its page is there. */
  static async up(instance: Instance, name: string): Promise<GuestPage> {
    const manifest = join(instance.home, 'vm.json');
    writeFileSync(manifest, JSON.stringify(bootIdVm(name)));
    const { code, stdout, stderr } = await instance.up(manifest);
    assert.equal(code, 0, stdout + stderr);
    const guest = new GuestPage(instance, name);
    await guest.ready();
    return guest;
  }

  /** The guest of a new VM in a home that is up; it has yet to boot. */
  static async create(instance: Instance, vm: VirtualMachine): Promise<GuestPage> {
    await instance.client.create(resources.virtualMachines, vm);
    return new GuestPage(instance, vm.metadata?.name ?? '');
  }

  /** The guest of a VM that is there already. */
  static of(instance: Instance, name: string): GuestPage {
    return new GuestPage(instance, name);
  }

  /** Resolves when its page is there. */
  async ready(): Promise<void> {
    await eventually('the guest serves its page', 240_000, () => this.page());
  }

  vmi(): Promise<VirtualMachineInstance> {
    const key = { namespace: 'default', name: this.name };
    return this.#instance.client.get(resources.virtualMachineInstances, key);
  }

  /** Its boot id; fails while the guest does not answer. `address` where the API cannot be asked. */
  async page(address?: string): Promise<string> {
    const at = address ?? (await this.vmi()).status?.interfaces?.[0]?.ipAddress;
    assert.ok(at, 'the guest has an address');
    return (await fetch(`http://${at}/`, { signal: AbortSignal.timeout(2_000) })).text();
  }

  async address(): Promise<string> {
    const address = (await this.vmi()).status?.interfaces?.[0]?.ipAddress;
    assert.ok(address);
    return address;
  }

  /** Pid of a process of its launcher Pod. */
  async pidOf(pattern: RegExp): Promise<number> {
    const owner = (await this.vmi()).metadata?.uid;
    const selector = `kubevirt.io=virt-launcher,kubevirt.io/created-by=${owner}`;
    const { items } = await this.#instance.client.list(resources.pods, { labelSelector: selector });
    return podProcess(items[0]?.metadata.uid ?? '', pattern).pid;
  }

  /** A command goes all the way down and back. */
  async obeys(): Promise<void> {
    for (const verb of ['pause', 'unpause'])
      await eventually(`${verb} works`, 60_000, async () => {
        const { code, stderr } = await this.#instance.virtctl(verb, 'vmi', this.name);
        // A pause whose answer was lost on the way may have been obeyed.
        if (code !== 0 && !stderr.includes('already paused')) throw new Error(stderr);
        return true;
      });
  }
}
