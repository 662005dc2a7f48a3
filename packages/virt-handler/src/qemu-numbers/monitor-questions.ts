/**
 * What QEMU must be asked now. Each question wakes two of its threads up, one after the other, and is most of what a read
 * of numbers takes where processors are busy; so nothing is asked whose answer is known. Pure.
 *
 * - The size of the balloon is asked once: QEMU tells every monitor when it changes (BALLOON_CHANGE).
 * - What the guest's balloon driver says is asked each time while there is a driver that says something. While there is
 *   none, it is asked more and more seldom, down to once a minute: its numbers come that much later, and are never old.
 */
import { type Fields, isRecord } from '../launcher-client/parse-values.ts';

export const QUESTIONS = {
  disks: { execute: 'query-blockstats' },
  balloon: { execute: 'query-balloon' },
  // libvirt's name for the one balloon of a domain. What the guest's driver told last; no question to the guest.
  guest: {
    execute: 'qom-get',
    arguments: { path: '/machine/peripheral/balloon0', property: 'guest-stats' },
  },
} as const;

export type Question = keyof typeof QUESTIONS;
export type Answers = Readonly<Partial<Record<Question, unknown>>>;

/** Should QEMU have told a change while nobody was connected. */
const BALLOON_AGAIN_MS = 300_000;
const SILENT_DRIVER_MS = 60_000;

/** What one QEMU has said on one connection. */
export interface MonitorMemory {
  readonly answers: Answers;
  /** When each was asked last. */
  readonly askedMs: Readonly<Partial<Record<Question, number>>>;
  /** When anything was asked first. */
  readonly beganMs: number | undefined;
}

export const NOTHING_SAID: MonitorMemory = { answers: {}, askedMs: {}, beganMs: undefined };

/** `nowMs`: on a clock that never jumps. */
export function questionsNow(memory: MonitorMemory, nowMs: number): readonly Question[] {
  const { answers, askedMs, beganMs = nowMs } = memory;
  const isDue = (question: Question, afterMs: number): boolean =>
    nowMs - (askedMs[question] ?? -Infinity) >= afterMs;
  // A driver comes with the start of its guest, or soon after it has moved here.
  const patienceMs = Math.min((askedMs.guest ?? beganMs) - beganMs, SILENT_DRIVER_MS);
  return [
    'disks',
    ...(isDue('balloon', BALLOON_AGAIN_MS) ? (['balloon'] as const) : []),
    ...(isDue('guest', hasSpoken(answers.guest) ? 0 : patienceMs) ? (['guest'] as const) : []),
  ];
}

/** `said`: answers in the order of the questions; undefined for one that QEMU refused. */
export function withAnswers(
  memory: MonitorMemory,
  questions: readonly Question[],
  said: readonly unknown[],
  nowMs: number,
): MonitorMemory {
  return {
    answers: {
      ...memory.answers,
      ...Object.fromEntries(questions.map((question, i) => [question, said[i]])),
    },
    askedMs: { ...memory.askedMs, ...Object.fromEntries(questions.map((question) => [question, nowMs])) },
    beganMs: memory.beganMs ?? nowMs,
  };
}

/** What QEMU tells by itself. */
export function withEvent(memory: MonitorMemory, { event, data }: Fields): MonitorMemory {
  if (event !== 'BALLOON_CHANGE' || !isRecord(data)) return memory;
  return { ...memory, answers: { ...memory.answers, balloon: data } };
}

function hasSpoken(guest: unknown): boolean {
  const updated = isRecord(guest) ? guest['last-update'] : undefined;
  return typeof updated === 'number' && updated > 0;
}
