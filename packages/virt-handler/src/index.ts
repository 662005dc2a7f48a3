/** The node agent. Run by its `main.ts`; exported for tests of the whole. */
export { type Flags, parseFlags } from './flags.ts';
export { type HandlerOptions, runHandler } from './handler.ts';
