/** The embedded Kubernetes API server. README.md has a picture of a request's path. */
export type { ApiServer } from './options.ts';
export { startApiServer } from './server.ts';
export { DEFAULT_AUDIT_POLICY } from './audit/default-policy.ts';
export { homeEncryption } from './encryption/home-keys.ts';
