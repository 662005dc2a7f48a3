/** What the CLI needs to prepare an embedded home. The rest runs in two processes (`control-plane-main.ts`, `node-agent-main.ts`). */
export { bootstrapObjects } from './bootstrap-objects/bootstrap-objects.ts';
export { type BootstrapFacts, readBootstrapFacts } from './bootstrap-objects/facts.ts';
export { installObjects } from './bootstrap-objects/install.ts';
export { ensurePki, type Pki, pkiPaths } from './pki-bootstrap/ensure-pki.ts';
export { componentUsers } from './pki-bootstrap/identities.ts';
