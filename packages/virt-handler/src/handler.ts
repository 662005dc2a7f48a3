/** Puts the parts of virt-handler together and runs them until told to stop. VMs never depend on that. */
import { mkdirSync } from 'node:fs';
import { freemem, networkInterfaces, totalmem } from 'node:os';
import { join } from 'node:path';
import {
  GRANTED_CAPABILITIES_CACHE,
  handlerRenewMs,
  isGateEnabled,
  type LogLevel,
  logLevel,
} from '@podvisor/api';
import { backoffMs, type Clock, messageOf, sleep } from '@podvisor/base';
import {
  ComponentHealth,
  EventRecorder,
  KubeClient,
  type Log,
  MetricsAccess,
  SpanExporter,
  tellTrouble,
} from '@podvisor/kube';
import { type KvmFacts, kvmFacts, machineTimeMs } from '@podvisor/sys';
import { deviceResources } from './device-plugins/resources.ts';
import { HostDevices } from './device-plugins/host/host-devices.ts';
import { PluginServer } from './device-plugins/plugin-server.ts';
import { Registrar } from './device-plugins/registrar.ts';
import { type SharedDevice, sharedDevice } from './device-plugins/shared-device.ts';
import type { Flags } from './flags.ts';
import { certificatesByLease } from './identity/certificates-by-lease.ts';
import { Journal } from './ghost-records/journal.ts';
import { ksmKernel } from './ksm/kernel.ts';
import { Ksm } from './ksm/ksm.ts';
import {
  capabilityLabels,
  DEFAULT_OBSOLETE_MODELS,
  deprecatedMachineTypes,
  hasHostModel,
} from './node/labels.ts';
import { probeLibvirt, type ProbeResult } from './node/libvirt-probe.ts';
import { readAnswer } from './node/node-answer.ts';
import { Metrics } from './metrics/metrics.ts';
import { migrationAddress } from './migration/address.ts';
import { Holds } from './node/holds.ts';
import { OtherNodes } from './node/other-nodes.ts';
import { NodeAgent } from './node/node-agent.ts';
import { RestServer } from './rest/server.ts';
import { NodeVmiController } from './sync/controller.ts';
import { NodeCaches } from './sync/node-caches.ts';
import { PastElsewhere } from './usage/past-elsewhere.ts';
import { UsageAnswer } from './usage/usage-answer.ts';
import { UsageFiles } from './usage/usage-files.ts';
import { UsageKeeper } from './usage/usage-keeper.ts';
import { MemoryStore } from './shared-memory/store.ts';
import { ClaimWorkers } from './volumes/claim-workers.ts';
import { unpack } from './shared-memory/unpack.ts';

export interface HandlerOptions {
  readonly flags: Flags;
  readonly clock: Clock;
  readonly log: Log;
  /** The KubeVirt object says how much is logged. */
  onLogLevel?(level: LogLevel): void;
}

/** Found out once, when libvirt has been asked. */
interface LibvirtFacts {
  deprecated: readonly string[];
  lacksHostModel: boolean;
}

export async function runHandler(options: HandlerOptions, signal: AbortSignal): Promise<void> {
  const { flags, clock, log } = options;
  const { nodeName, namespace } = flags;
  const metrics = new Metrics();
  const client = KubeClient.fromKubeconfig(flags.kubeconfig, 'virt-handler', metrics.client.observe);
  const kvm = kvmFacts();
  log.info({ node: nodeName, kvm }, 'virt-handler starts');
  const events = new EventRecorder({ client, component: 'virt-handler', host: nodeName, clock, log });
  const caches = new NodeCaches(client, nodeName, namespace, log);
  const followLevel = (): void => options.onLogLevel?.(logLevel(caches.config, 'virtHandler', nodeName));
  caches.kubeVirts.on({ add: followLevel, update: followLevel, delete: followLevel });
  const machines: LibvirtFacts = { deprecated: [], lacksHostModel: false };
  const address = migrationAddress(networkInterfaces(), flags.migrationAddress);
  const agent = new NodeAgent({
    client,
    nodeName,
    namespace,
    endpoint: `https://${flags.advertise}`,
    migrationAddress: address,
    renewMs: () => handlerRenewMs(caches.config.nodeLoss),
    onRenewing: () => holds.renewing(),
    clock,
    log,
  });
  const holds = new Holds({
    times: () => caches.config.nodeLoss,
    guests: () => controller.live.leased(),
    machineTimeMs,
    log,
  });
  const others = new OtherNodes(client, namespace, nodeName);
  const journal = new Journal(flags.stateDir);
  const memories = new MemoryStore({
    directory: join(flags.stateDir, 'shared-memory'),
    isInUse: (memory) => journal.list().some(({ sharedMemory }) => sharedMemory === memory),
    nodeMemory: () => ({ totalBytes: totalmem(), availableBytes: freemem() }),
    unpack,
    clock,
    log,
  });
  using claims = new ClaimWorkers({ clock });
  const controller = new NodeVmiController({
    client,
    claims,
    caches,
    journal,
    memories,
    events,
    nodeName,
    namespace,
    links: { kubeletDir: flags.kubeletDir, clock, log },
    hasOtherNodes: (asking) => others.exist(asking),
    nodeFacts: () => ({ name: nodeName, kvmUsable: kvm.usable, lacksHostModel: machines.lacksHostModel }),
    metrics,
    spans: SpanExporter.fromEnvironment(process.env, log),
    migration: { address, tlsDir: flags.tlsDir },
    onTakenOver: (vmi, asking) => void pasts.fetch(vmi, asking),
    clock,
    log,
  });
  const ksm = new Ksm({
    client,
    nodeName,
    kernel: ksmKernel(flags.hostRoot),
    selector: () => caches.config.configuration.ksmConfiguration?.nodeLabelSelector,
    clock,
    log,
  });
  caches.kubeVirts.on({ add: () => ksm.look(), update: () => ksm.look(), delete: () => ksm.look() });
  const keeper = new UsageKeeper({
    measured: () => controller.live.measured(),
    present: () => new Set(caches.vmis.list().map(({ metadata }) => metadata?.uid ?? '')),
    files: new UsageFiles(flags.stateDir),
    clock,
    log,
  });
  const pasts = new PastElsewhere({ client, namespace, tlsDir: flags.tlsDir, keeper, clock, log });
  if (flags.certificatesForPod !== undefined)
    await certificatesByLease(
      { client, namespace, nodeName, pod: flags.certificatesForPod, tlsDir: flags.tlsDir, clock, log },
      signal,
    );
  const rest = await RestServer.start({
    ...flags.listen,
    tlsDir: flags.tlsDir,
    launchers: controller.live,
    networkPath: (vmi, connection) => controller.live.networkPath(vmi, connection),
    usage: new UsageAnswer({ client, keeper, clock }),
    tell: (vmi, { type, reason, message }) => events.event(vmi, type, reason, message),
    metrics: { access: new MetricsAccess(client, clock), families: () => metrics.families() },
    health: new ComponentHealth({
      client,
      clock,
      configVersion: () => caches.kubeVirts.list()[0]?.metadata?.resourceVersion ?? '',
    }),
    log,
  });
  try {
    await Promise.all([
      caches.start(signal).then(() => {
        metrics.serve({
          nodeName,
          measured: () => controller.live.measured(),
          emulationAllowed: () => caches.config.useEmulation,
          deprecatedMachineTypes: () => machines.deprecated,
          found: caches.vmis
            .list()
            .filter(({ status }) => status?.phase === 'Running' && status.nodeName === nodeName),
          certificates: () => ({ 'virt-handler': rest.certificate }),
        });
        return Promise.all([controller.run(signal), keeper.run(signal)]);
      }),
      agent.keepLease(signal),
      sweepMemories(memories, { clock, log }, signal),
      Promise.all([caches.kubeVirts.synced(), agent.written(signal)]).then(() => ksm.run(signal)),
      offerNode({ flags, clock, log }, agent, caches, kvm, machines, signal),
    ]);
  } finally {
    await rest.close();
    await events.flush();
    await client.close();
  }
}

const SWEEP_MS = 60_000;

async function sweepMemories(
  memories: MemoryStore,
  { clock, log }: Pick<HandlerOptions, 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      memories.sweep();
    } catch (error) {
      // Nothing else of the node depends on it.
      log.warn({ error: messageOf(error) }, 'shared memory could not be looked through');
    }
    await sleep(clock, SWEEP_MS, signal).catch(() => undefined); // it ends with the signal
  }
}

/** Device plugins and labels: what makes the scheduler send VMs here. */
async function offerNode(
  { flags, clock, log }: HandlerOptions,
  agent: NodeAgent,
  caches: NodeCaches,
  kvm: KvmFacts,
  machines: LibvirtFacts,
  signal: AbortSignal,
): Promise<void> {
  const pluginDir = join(flags.kubeletDir, 'device-plugins');
  // The configuration says how many guests a node takes. It is read once: another number needs a restart.
  await caches.kubeVirts.synced();
  const servers = deviceResources(
    kvm.usable,
    caches.config.virtualMachineInstancesPerNode,
    grantedCache(flags),
  ).map((resource) => new PluginServer(sharedDevice(resource), pluginDir));
  using registrar = new Registrar({ pluginDir, servers, clock, log });
  using hostDevices = new HostDevices({
    roots: { sys: '/sys', dev: join(flags.hostRoot, 'dev') },
    pluginDir,
    stateDir: flags.stateDir,
    permitted: () => caches.config.configuration.permittedHostDevices,
    clock,
    log,
  });
  const look = (): void => void hostDevices.look();
  caches.kubeVirts.on({ add: look, update: look, delete: look });
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  await Promise.race([
    stopped,
    labelNode(flags, agent, caches, kvm, machines, registrar, clock, log, signal),
  ]);
  await stopped;
}

/** Where launchers have an image of their own, the node's cache comes to them with a device. */
function grantedCache({ nodeAnswerFile, capabilitiesCacheDir }: Flags): SharedDevice['mount'] {
  if (nodeAnswerFile === undefined) return undefined;
  // A container cannot start with a mount that is not there.
  mkdirSync(capabilitiesCacheDir, { recursive: true });
  return { hostPath: capabilitiesCacheDir, containerPath: GRANTED_CAPABILITIES_CACHE };
}

async function labelNode(
  flags: Flags,
  agent: NodeAgent,
  caches: NodeCaches,
  kvm: KvmFacts,
  machines: LibvirtFacts,
  registrar: Registrar,
  clock: Clock,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { nodeAnswerFile, capabilitiesCacheDir: cacheDir } = flags;
  const answer = (): Promise<ProbeResult> =>
    nodeAnswerFile === undefined
      ? probeLibvirt({ kvmUsable: kvm.usable, cacheDir }, signal)
      : readAnswer(nodeAnswerFile);
  const ask = (failures: number): Promise<ProbeResult | undefined> =>
    answer().catch((error: unknown) => {
      // Without labels VMs are not scheduled here, so this must be seen; running VMs do not need them.
      log.error(
        { error: messageOf(error), failures },
        'libvirt could not be asked what this node can do, trying again',
      );
      return undefined;
    });
  // The first question goes beside everything else that a start waits for.
  let asked = ask(1);
  await Promise.all([registrar.registered(), caches.kubeVirts.synced()]);
  for (let failures = 1; !signal.aborted; failures += 1) {
    const found = await asked;
    if (found !== undefined) {
      machines.deprecated = deprecatedMachineTypes(found.capabilities);
      machines.lacksHostModel = !hasHostModel(found.domainCapabilities);
    }
    const labels = found === undefined ? undefined : labelsOf(found, caches);
    await retry(
      () => agent.update({ schedulable: true, ...(labels === undefined ? {} : { labels }) }, signal),
      clock,
      log,
      signal,
    );
    if (labels !== undefined) {
      log.info({ labels: Object.keys(labels).length }, 'node is ready for virtual machines');
      return;
    }
    await sleep(clock, backoffMs(failures, { firstMs: 1_000, maxMs: 60_000 }), signal).catch(() => undefined);
    asked = ask(failures + 1);
  }
}

function labelsOf(found: ProbeResult, caches: NodeCaches): Readonly<Record<string, string>> {
  const { config } = caches;
  const namesArchitecture = isGateEnabled(config, 'CrossArchitectureVirtualization');
  const obsoleteModels = new Set([...DEFAULT_OBSOLETE_MODELS, ...config.obsoleteCpuModels]);
  return capabilityLabels({ ...found, obsoleteModels, namesArchitecture });
}

/** The API server may be away for a while; this node's entry is not worth ending the process for. */
async function retry(task: () => Promise<void>, clock: Clock, log: Log, signal: AbortSignal): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await task();
    } catch (error) {
      if (signal.aborted) return;
      tellTrouble(log, error, {
        fields: { failures },
        message: 'node could not be updated, trying again',
      });
      await sleep(clock, backoffMs(failures, { firstMs: 200, maxMs: 10_000 }), signal).catch(() => undefined);
    }
  }
}
