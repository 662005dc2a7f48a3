/** What a launcher needs once libvirtd is on its way. */
export { domainBuilder } from './domain/domain-builder.ts';
export { runLauncher } from './launcher.ts';
export { prepareEmulator } from './start-up/emulator.ts';
