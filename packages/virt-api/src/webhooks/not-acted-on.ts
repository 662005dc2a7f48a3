/**
 * Kinds that are stored and that no controller acts on yet. They are accepted, as the API promises, with a
 * warning that `kubectl` prints: better a word now than an object that waits for ever in silence.
 */
import type { Webhook } from './context.ts';
import type { AdmissionAnswer } from './review.ts';

const ALLOWED: AdmissionAnswer = {
  kind: 'validated',
  allowed: true,
  causes: [],
  message: '',
  code: 200,
  warnings: [],
};

/** Allows everything. */
export const allow: Webhook = () => ALLOWED;

/** Allows, and warns once, at creation. */
export function notActedOn(kind: string): Webhook {
  const warnings = [`${kind} objects are stored, but nothing acts on them yet in this version.`];
  return ({ operation }) => (operation === 'CREATE' ? { ...ALLOWED, warnings } : ALLOWED);
}
