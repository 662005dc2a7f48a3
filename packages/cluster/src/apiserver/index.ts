/** The embedded Kubernetes API server. README.md has a picture of a request's path. */
export type { ApiServer, ApiServerLog, ApiServerOptions, ServiceAccountKeys, ServingTls } from './options.ts';
export { startApiServer } from './server.ts';
export type { ContainerProcess, ExecOptions, LogOptions, NodeProxy, PodRef } from './streaming/node-proxy.ts';
