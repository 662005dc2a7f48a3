/** The node agent. Run by its `main.ts`; exported for tests of the whole. */
export { type Flags, parseFlags } from './flags.ts';
export { type HandlerOptions, runHandler } from './handler.ts';
export { MigrationListeners } from './migration/proxy/listeners.ts';
export { SourceSockets } from './migration/proxy/source-sockets.ts';
export { CLIENT_NAME, SERVER_NAME } from './migration/proxy/identity.ts';
