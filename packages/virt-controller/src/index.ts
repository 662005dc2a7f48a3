/** Component; nobody imports it. `main.ts` is its entry point. */
export { type ControllersOptions, runControllers } from './controllers.ts';
