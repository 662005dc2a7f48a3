/** Lifecycle hooks of containers. */
import type { Container, LifecycleHandler, Pod } from '@podvisor/api';
import { sleep } from '@podvisor/base';
import type { PodEvents } from '../client.ts';
import { killRun } from '../container/stop.ts';
import type { KubeletContext } from '../context.ts';
import { check } from '../probes/check.ts';
import { addressesOf } from '../network/sandbox.ts';
import { readPodRecord } from './records.ts';
import type { ContainerRun } from './types.ts';

const HOOK_TIMEOUT_MS = 600_000;

export interface HooksOptions {
  readonly context: KubeletContext;
  readonly events: PodEvents;
}

export class Hooks {
  readonly #options: HooksOptions;

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  /** Runs postStart beside the container; Kubernetes ends a container whose hook fails. */
  postStart(pod: Pod, container: Container, run: ContainerRun): void {
    const handler = container.lifecycle?.postStart;
    if (handler === undefined) return;
    const { context, events } = this.#options;
    void this.#run(handler, container, run).catch(async (error: unknown) => {
      events.event(pod, 'Warning', 'FailedPostStartHook', `PostStartHook failed: ${String(error)}`);
      await killRun(context, run);
    });
  }

  /** What to run before the container is asked to end, if anything. */
  preStop(pod: Pod, container: Container, run: ContainerRun): (() => Promise<void>) | undefined {
    const handler = container.lifecycle?.preStop;
    if (handler === undefined || run.state.kind !== 'running') return undefined;
    return async () => {
      try {
        await this.#run(handler, container, run);
      } catch (error) {
        this.#options.events.event(
          pod,
          'Warning',
          'FailedPreStopHook',
          `PreStopHook failed: ${String(error)}`,
        );
      }
    };
  }

  async #run(handler: LifecycleHandler, container: Container, run: ContainerRun): Promise<void> {
    const { context } = this.#options;
    if (handler.sleep !== undefined) return await sleep(context.clock, handler.sleep.seconds * 1000);
    const record = readPodRecord(context, run.record.podUid);
    const [ip = '127.0.0.1'] = addressesOf(record?.network);
    const hostNetwork = record?.hostNetwork === true;
    const target = { context, record: run.record, container, ip, hostNetwork };
    const result = await check(handler, target, HOOK_TIMEOUT_MS);
    if (!result.ok) throw new Error(result.message);
  }
}
