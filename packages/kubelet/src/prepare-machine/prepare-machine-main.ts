/** `prepare-machine`: run by root before the supervisor of a home starts. A line for each thing that it could not do. */
import { prepareMachine } from './prepare-machine.ts';

for (const sentence of await prepareMachine()) console.log(sentence);
