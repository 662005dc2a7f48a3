/**
 * Hook sidecars: containers of the Pod that have a say in the domain and in the cloud-init data. They are looked
 * for when the first call needs them, and a virtual machine does not start without all that it declares.
 */
import type { VirtualMachineInstance } from '@podvisor/api';
import { type Clock, messageOf } from '@podvisor/base';
import type { CloudInitEditor } from '@podvisor/storage';
import { LauncherError } from '../launcher-error.ts';
import type { Log } from '../log.ts';
import { askInfo, onDefineDomain, preCloudInitIso, tellShutdown } from './client.ts';
import { cloudInitForSidecar, cloudInitFromSidecar } from './cloud-init.ts';
import { discoverSidecars } from './discover.ts';
import { callsAt, type SidecarInfo } from './sidecar.ts';

/** What the rest of the launcher asks of hooks. */
export interface Hooks {
  /** The domain XML after every sidecar has seen it. */
  onDefineDomain(xml: string, vmi: VirtualMachineInstance, signal: AbortSignal): Promise<string>;
  preCloudInitIso(vmi: VirtualMachineInstance, signal: AbortSignal): CloudInitEditor;
  /** The launcher is about to end. Never fails. */
  shutdown(): Promise<void>;
}

export interface HooksOptions {
  readonly directory: string;
  readonly count: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

const SHUTDOWN_TIMEOUT_MS = 1_000;

/** Hooks of a Pod without sidecars. */
const NO_HOOKS: Hooks = {
  onDefineDomain: async (xml) => xml,
  preCloudInitIso: () => async (_kind, data) => data,
  shutdown: async () => {},
};

export function podHooks(options: HooksOptions): Hooks {
  if (options.count === 0) return NO_HOOKS;
  let found: Promise<readonly SidecarInfo[]> | undefined;
  const sidecars = (signal: AbortSignal): Promise<readonly SidecarInfo[]> =>
    (found ??= find(options, signal).catch((error: unknown) => {
      found = undefined; // the next sync looks again
      throw error;
    }));
  return {
    onDefineDomain: async (xml, vmi, signal) => {
      let domainXml = Buffer.from(xml);
      for (const call of callsAt('OnDefineDomain', await sidecars(signal))) {
        const params = { domainXml, vmi: Buffer.from(JSON.stringify(vmi)) };
        domainXml = Buffer.from((await onDefineDomain(call, params, signal)).domainXml);
        if (domainXml.length === 0)
          throw new LauncherError(`hook sidecar ${call.sidecar.name} answered with an empty domain`);
      }
      return domainXml.toString('utf8');
    },
    preCloudInitIso: (vmi, signal) => async (kind, original, volume) => {
      let data = original;
      for (const call of callsAt('PreCloudInitIso', await sidecars(signal))) {
        const params = {
          ...cloudInitForSidecar(kind, vmi, data, volume),
          vmi: Buffer.from(JSON.stringify(vmi)),
        };
        data = cloudInitFromSidecar(kind, data, await preCloudInitIso(call, params, signal));
      }
      return data;
    },
    shutdown: async () => {
      if (found === undefined) return;
      const signal = AbortSignal.timeout(SHUTDOWN_TIMEOUT_MS);
      await Promise.all(
        callsAt('Shutdown', await found).map((call) => tellShutdown(call, SHUTDOWN_TIMEOUT_MS, signal)),
      ).catch((error: unknown) =>
        options.log.warn({ error: messageOf(error) }, 'a hook sidecar did not take the end well'),
      );
    },
  };
}

async function find(options: HooksOptions, signal: AbortSignal): Promise<readonly SidecarInfo[]> {
  const sidecars = await discoverSidecars({ ...options, ask: askInfo }, signal);
  options.log.info(
    { sidecars: sidecars.map(({ name, hookPoints }) => ({ name, hookPoints })) },
    'hook sidecars found',
  );
  return sidecars;
}
