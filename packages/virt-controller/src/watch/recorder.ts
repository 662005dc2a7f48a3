/** The part of the event recorder that the controllers use. */
import type { KubernetesObject } from '@podvisor/api';

export interface Recorder {
  event(object: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/** What is told about an object: type, reason, sentence. */
export type Event = readonly ['Normal' | 'Warning', reason: string, message: string];
