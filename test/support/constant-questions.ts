/**
 * Somebody who never stops asking: a webhook of virt-api by a VM that is not to be made, and virt-handler by a
 * subresource, over and over. Nothing of it may fail while what lies between changes.
 */
import { messageOf } from '@podvisor/base';
import { resources } from '@podvisor/kube';
import { bootIdVm } from './guests/boot-id-vm.ts';
import type { Instance } from './instance.ts';

export class ConstantQuestions {
  readonly failures: string[] = [];
  #answered = 0;
  #stopped = false;
  readonly #lines: readonly Promise<void>[];

  constructor({ client }: Instance, guest: string) {
    const guestInfo = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/${guest}/guestosinfo`;
    this.#lines = [
      this.#ask('webhook', () =>
        client.create(resources.virtualMachines, bootIdVm('not-to-be-made'), { dryRun: true }),
      ),
      this.#ask('virt-handler', () => client.request({ method: 'GET', path: guestInfo })),
    ];
  }

  get answered(): number {
    return this.#answered;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#lines);
  }

  async #ask(whom: string, question: () => Promise<unknown>): Promise<void> {
    while (!this.#stopped) {
      try {
        await question();
        this.#answered += 1;
      } catch (error) {
        this.failures.push(`${new Date().toISOString()} ${whom}: ${messageOf(error)}`);
      }
    }
  }
}
