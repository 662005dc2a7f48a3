/** Component; nobody imports it. `main.ts` is its entry point. */
export { webhookTable } from './webhooks/table.ts';
