/** Talking to the Kubernetes API: client, informers, queues, events, leader election, certificates. */
export { KubeClient, type KubeClientOptions } from './client/client.ts';
export type {
  DeleteOptions,
  JsonPatchOperation,
  ListOptions,
  ObjectList,
  Patch,
  WatchOptions,
  WriteOptions,
} from './client/client-options.ts';
export { ComponentHealth, type HealthAnswer, isHealthRequest } from './component-health.ts';
export { type ControllerOptions, type ReconcileResult, runController } from './controller/controller.ts';
export {
  controller,
  type ControllerSteps,
  controllerTable,
  onChange,
  runPass,
  type TableController,
  type Wake,
} from './controller/controller-frame.ts';
export {
  type Credentials,
  defaultCredentials,
  fixedCredentials,
} from './client/credentials.ts';
export { EventRecorder, type EventRecorderOptions, type EventType } from './controller/event-recorder.ts';
export { Expectations } from './controller/expectations.ts';
export { OwnWrites } from './controller/own-writes.ts';
export {
  entryPath,
  guardedChange,
  guardedListChange,
  patchGuarded,
  stillHas,
} from './controller/guarded-patch.ts';
export { checkHandlerIdentity, handlerOrigin, nodeOfCertificate } from './client/handler-identity.ts';
export { Agent } from './client/http-agent.ts';
export { ignoreAlreadyExists, ignoreNotFound } from './client/ignore.ts';
export { Informer, type InformerHandler, type InformerOptions } from './informer/informer.ts';
export type { ListWatcher } from './informer/reflector.ts';
export { type Change, type Indexers, Store } from './informer/store.ts';
export {
  type ClusterAccess,
  KubeconfigError,
  type KubeconfigContent,
  kubeconfigText,
  loadKubeconfig,
  parseKubeconfig,
  writeKubeconfig,
} from './client/kubeconfig.ts';
export { configVersionOf, followKubeVirts, followLogLevel } from './follow-kubevirts.ts';
export { startHealthServer } from './health-server.ts';
export { formatLabelSelector } from './label-selector.ts';
export type { LeaderElectionOptions } from './controller/leader-election.ts';
export { LiveConfig } from './live-config.ts';
export { type ComponentLog, type LeadingOptions, runComponent, runWhileLeading } from './run-leading.ts';
export { identityFields, type Log, stderrLog, tellTrouble, troubleLevel } from './log.ts';
export {
  type CaRequest,
  type CertificateRequest,
  certifyKey,
  createCa,
  issueCertificate,
  type KeyPair,
} from './pki/certificate.ts';
export { type ParsedRequest, parseCertificateRequest } from './pki/certificate-request.ts';
export { DerError } from './pki/der-reader.ts';
export { isNearExpiry, readKeyPair, validityOf, writeKeyPair } from './pki/files.ts';
export { followServingCertificate, readServingCertificate } from './pki/serving-certificate.ts';
export { readFileIfThere, writePrivateFile } from './client/private-file.ts';
export {
  apiVersionOf,
  defineResource,
  keyOf,
  type ObjectKey,
  pathOf,
  type Resource,
  splitKey,
} from './client/resource.ts';
export { type Span, startTrace, type Trace, traceOf } from './trace/span.ts';
export { SpanExporter } from './trace/span-exporter.ts';
export type { Dial, HttpRequest } from './client/transport.ts';
export type { StreamedAnswer } from './client/watch-connections.ts';
export type { WatchEvent } from './client/watch-stream.ts';
export type { DialOptions } from './client/websocket.ts';
export { WorkQueue, type WorkQueueOptions } from './controller/work-queue.ts';
export { MIRROR_ANNOTATION, resources } from './well-known.ts';
export { ClientMetrics, type ObservedRequest } from './metrics/client-metrics.ts';
export { MetricsAccess } from './metrics/metrics-access.ts';
export { answerMetrics, type MetricsEndpoint, metricsAnswer } from './metrics/metrics-answer.ts';
export { processFamilies } from './metrics/process-metrics.ts';
export { QueueMetrics } from './metrics/queue-metrics.ts';
export { linesOf } from './client/watch-stream.ts';
export { resourceIdOf, SharedInformers } from './informer/shared-informers.ts';
